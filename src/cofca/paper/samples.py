"""From result files to samples: a value of each seed, and what levels add to the error of their mean."""

from collections.abc import Iterable, Sequence
from math import isnan

import numpy as np

from cofca.experiments.specs import experiment, is_familiar
from cofca.paper.bootstrap import Sample
from cofca.paper.recovery import Wanted, delay, never, setbacks
from cofca.paper.results import Result


def new_bins(name: str, *agents: Sequence[Result]) -> list[str]:
    """The bins that are not familiar and that all of these results have."""
    return _common([id for id in _ids(agents) if not is_familiar(experiment(name), id)], agents)


def familiar_bins(name: str, *agents: Sequence[Result]) -> list[str]:
    """The bins as in training that all of these results have."""
    return _common([id for id in _ids(agents) if is_familiar(experiment(name), id)], agents)


def success(results: Sequence[Result], bins: Sequence[str], player: str = "sampled") -> Sample:
    """Mean success in some bins."""
    if not bins:
        return Sample({})
    rows = [[{score.id: score for score in result.bins}[id] for id in bins] for result in results]
    shares = np.array([[score.success(player) for score in row] for row in rows])
    episodes = np.array([score.episodes for score in rows[0]])
    levels = float(binomial(shares, episodes).sum()) / len(bins) ** 2
    return _sample(results, shares.mean(axis=1).tolist(), levels)


def log_odds(results: Sequence[Result], bin: str) -> Sample:
    """Of success in a bin, as if half a level more had been solved and half a level more not."""
    scores = [next(score for score in result.bins if score.id == bin) for result in results]
    won = np.array([score.sampled * score.episodes + 0.5 for score in scores])
    lost = np.array([(1 - score.sampled) * score.episodes + 0.5 for score in scores])
    return _sample(results, np.log(won / lost).tolist(), float(np.mean(1 / won + 1 / lost)))


def binomial(shares: np.ndarray, episodes: np.ndarray) -> np.ndarray:
    """The variance over levels in each bin, as if one more had been solved and one more not: who solved all of a
    thousand is not certain to go on."""
    number = len(shares) * episodes
    likely = (shares.mean(axis=0) * number + 1) / (number + 2)
    return np.asarray(likely * (1 - likely) / episodes)


def share_lost(first: Sample, last: Sample) -> Sample:
    """The share of the success on the first bin that is lost on the last, seed by seed; a seed without success has
    none."""
    seeds = {seed: 1 - last.seeds[seed] / share for seed, share in first.seeds.items() if share > 0}
    levels = last.levels / first.mean**2 + first.levels * last.mean**2 / first.mean**4
    return Sample(seeds, levels)


def gate(results: Sequence[Result]) -> Sample:
    """How often gates were open at the end of training."""
    return _sample(results, [result.gate for result in results])


def trained(results: Sequence[Result]) -> Sample:
    """Success on fresh levels at the end of training. Every seed has levels of its own, so seeds tell all the error."""
    return _sample(results, [result.training.success[-1] for result in results])


def replays_cost(results: Sequence[Result]) -> tuple[Sample, Sample]:
    """Success on fresh levels, mean of all training, and how much of it replayed failures take away."""
    fresh = [float(np.mean(result.training.success)) for result in results]
    whole = [float(np.mean(result.with_replays.success)) for result in results if result.with_replays]
    return _sample(results, fresh), _sample(results, fresh) - _sample(results, whole)


def knows_replays(results: Sequence[Result]) -> bool:
    """Whether all of these results tell of training with its replays."""
    return all(result.with_replays for result in results)


def delays(results: Sequence[Result], wanted: Wanted, cause: str, end: str) -> Sample:
    """Mean time steps from a setback to its end, of those that came to it; seeds without any have no say."""
    every = {result.seed: delay([result], wanted, cause, end) for result in results}
    known = {seed: own for seed, own in every.items() if not isnan(own.mean)}
    variances = [own.error**2 for own in known.values() if not isnan(own.error)]
    return Sample({seed: own.mean for seed, own in known.items()}, float(np.mean(variances or [0.0])))


def never_ended(results: Sequence[Result], wanted: Wanted, cause: str, end: str) -> Sample:
    """The share of setbacks that did not come to their end."""
    known = [result for result in results if setbacks([result], wanted, cause)]
    if not known:
        return Sample({})
    shares = [never([result], wanted, cause, end) for result in known]
    number = setbacks(known, wanted, cause) / len(known)
    return _sample(known, shares, float(binomial(np.array(shares), np.array(number))))


def _sample(results: Sequence[Result], values: Sequence[float], levels: float = 0.0) -> Sample:
    return Sample({result.seed: value for result, value in zip(results, values, strict=True)}, levels)


def _ids(agents: Sequence[Sequence[Result]]) -> list[str]:
    return [score.id for score in agents[0][0].bins]


def _common(ids: Iterable[str], agents: Sequence[Sequence[Result]]) -> list[str]:
    there = [{score.id for score in result.bins} for results in agents for result in results]
    return [id for id in ids if all(id in own for own in there)]
