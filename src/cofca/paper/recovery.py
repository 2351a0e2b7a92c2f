"""What became of setbacks, results of several seeds put together; `envs.starcraft.setbacks` says what is measured."""

from collections.abc import Callable, Iterator, Sequence
from math import isnan, nan, sqrt

from cofca.experiments.scores import Delays, Recovery, Score
from cofca.paper.results import Result
from cofca.paper.statistics import Estimate, estimate, shown

CAUSES = {"ambush": "an ambush", "attack": "an attack"}
ENDS = {"pointed": "the pointer is at the line to do", "repaired": "the loss is repaired"}
ENDED = {"pointed": "pointed at", "repaired": "repaired"}
POINTERLESS = "unstructured", "oracle", "random"
NOTHING = "\N{EN DASH}"
"""Where there is nothing to measure."""
Wanted = Callable[[Score], bool]


def knows_recovery(results: Sequence[Result], player: str = "sampled") -> bool:
    """Whether all of these results say what became of somebody's setbacks."""
    return all(CAUSES.keys() <= score.recovery.get(player, {}).keys() for result in results for score in result.bins)


def setbacks(results: Sequence[Result], wanted: Wanted, cause: str, player: str = "sampled") -> int:
    """How many there were in all wanted bins and seeds."""
    return sum(recovery.setbacks for result in results for recovery in _recoveries(result, wanted, cause, player))


def delay(results: Sequence[Result], wanted: Wanted, cause: str, end: str, player: str = "sampled") -> Estimate:
    """Mean time steps from a setback to its end, in all wanted bins together; not a number where none came to it."""
    means, errors = [], []
    for result in results:
        ended = [part for part in map(_ended, *_parts(result, wanted, cause, end, player)) if part[0]]
        if number := sum(part[0] for part in ended):
            means.append(sum(count * mean for count, mean, _ in ended) / number)
            errors.append(sqrt(sum((count * error) ** 2 for count, _, error in ended)) / number)
    if not means:
        return Estimate(nan, nan)
    return estimate(means) if len(means) > 1 else Estimate(means[0], errors[0])


def never(results: Sequence[Result], wanted: Wanted, cause: str, end: str, player: str = "sampled") -> float:
    """The share of setbacks in all wanted bins and seeds that did not come to their end."""
    parts = [_parts(result, wanted, cause, end, player) for result in results]
    counts = [(number, delays.never or 0.0) for pair in parts for number, delays in zip(*pair, strict=True)]
    whole = sum(number for number, _ in counts)
    return sum(number * share for number, share in counts) / whole if whole else nan


def described(results: Sequence[Result], wanted: Wanted, cause: str, end: str, player: str, short: bool = False) -> str:
    """A cell of a table: the time until setbacks came to their end, and the share that never did."""
    time, share = delay(results, wanted, cause, end, player), never(results, wanted, cause, end, player)
    who = results[0].agent if player == "sampled" else player
    if isnan(share) or (end == "pointed" and who in POINTERLESS):
        return NOTHING
    known = [] if isnan(time.mean) else [f"{time.mean:.1f}" if short else shown(time)]
    return ", ".join([*known, f"never {share:.0%}" if short else f"never {share:.1%}"])


def _recoveries(result: Result, wanted: Wanted, cause: str, player: str) -> Iterator[Recovery]:
    return (score.recovery[player][cause] for score in result.bins if wanted(score))


def _parts(result: Result, wanted: Wanted, cause: str, end: str, player: str) -> tuple[list[int], list[Delays]]:
    recoveries = list(_recoveries(result, wanted, cause, player))
    return [recovery.setbacks for recovery in recoveries], [getattr(recovery, end) for recovery in recoveries]


def _ended(number: int, delays: Delays) -> tuple[float, float, float]:
    """How many setbacks came to their end, the mean of their times, and its error if it is known."""
    return number * (1 - (delays.never or 0.0)), delays.mean or 0.0, nan if delays.error is None else delays.error
