"""What tables on pages show: success by bin or by depth, and what became of setbacks."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import isnan
from pathlib import Path

from cofca.agents import AGENTS
from cofca.experiments.specs import experiment
from cofca.paper.plots.plot_style import LABELS
from cofca.paper.recovery import CAUSES, ENDS, delay, never
from cofca.paper.results import Result, read_result
from cofca.paper.statistics import Results

Known = dict[str, Results]
"""Results by experiment."""
BESIDE = {
    "plus_minus_one": "pointer limited to ±1 a command",
    "one_pass": "one pass over the orders",
    "rounds": "round and round the orders",
}
DASH = "\N{EN DASH}"
POINTER = {"pointed": "pointed at again", "repaired": "repaired"}


@dataclass(frozen=True)
class Spec:
    """Which results a table is about, and how it shows them."""

    preset: str
    columns: tuple[tuple[str, str], ...]
    """Experiment and bin."""
    by: str = "bins"
    """bins; depths: a row for each length, a column for each depth, the oracle in brackets; setbacks."""
    cells: str = "means"
    """means over seeds, or seeds: all of them."""
    agents: tuple[str, ...] = AGENTS
    players: tuple[str, ...] = ("sampled",)
    """How agents chose: sampled, greedy."""
    beside: tuple[str, ...] = ()
    """Who played the same levels without having learned."""
    mean: str = ""
    """A bin whose mean over seeds has a column at the end."""
    worst: str = ""
    """A bin whose worst seed has one."""


@cache
def read_known(results: Path, preset: str, name: str) -> Results:
    """The results of one experiment."""
    found: Results = {}
    for path in sorted((results / preset / name).glob("*-seed*.json")):
        result = read_result(path)
        found.setdefault(result.agent, []).append(result)
    if not found:
        raise ValueError(f"there are no results of {name} ({preset})")
    return {agent: found[agent] for agent in AGENTS if agent in found}


def by_bin(spec: Spec, known: Known) -> Iterator[list[str]]:
    """A row for each agent, a column for each bin."""
    last = [f"{what} on {_range(bin)}" for what, bin in (("mean", spec.mean), ("worst seed", spec.worst)) if bin]
    several = len({name for name, _ in spec.columns}) > 1
    heads = [f"`{name}` {_range(bin)}" if several else _range(bin) for name, bin in spec.columns]
    about = "agent" if several else f"`{spec.columns[0][0]}`"
    yield from _head(f"{about} (`{spec.preset}`)", *heads, *last)
    for agent in _agents(spec, known):
        for player in spec.players:
            shares = {bin: _shares(known, agent, (name, bin), player) for name, bin in spec.columns}
            own = [_shown(_shares(known, agent, column, player), spec.cells) for column in spec.columns]
            own += [_shown(shares[spec.mean])] if spec.mean else []
            own += [_shown([min(shares[spec.worst])])] if spec.worst else []
            yield [_label(agent) + (f", {player}" if len(spec.players) > 1 else ""), *own]
    for player in spec.beside:
        # Whoever played the same levels has the same ones beside it.
        first = {name: next(agent for agent in _agents(spec, known) if agent in known[name]) for name in known}
        cells = [_shown(_shares(known, first[name], (name, bin), player)) for name, bin in spec.columns]
        yield [_beside(player, spec.columns[0][0]), *cells, *[""] * len(last)]


def by_depth(spec: Spec, known: Known) -> Iterator[list[str]]:
    """A row for each length, a column for each depth, of a single agent."""
    (agent,), name = spec.agents, spec.columns[0][0]
    bins = [score for score in known[name][agent][0].bins if score.depth and not score.condition]
    depths = sorted({score.depth for score in bins if score.depth})
    yield from _head(f"`{name}` (`{spec.preset}`), lines", *(f"{depth} deep" for depth in depths))
    for low, high in dict.fromkeys((score.lo, score.hi) for score in bins):
        row = sorted(
            (score for score in bins if (score.lo, score.hi) == (low, high)), key=lambda score: score.depth or 0
        )
        columns = [(name, score.id) for score in row]
        own = [_shown(_shares(known, agent, column, "sampled"), spec.cells) for column in columns]
        oracle = [_shown(_shares(known, agent, column, "oracle")) for column in columns]
        yield [f"{low}{DASH}{high}", *(f"{one} ({ceiling})" for one, ceiling in zip(own, oracle, strict=True))]


def of_setbacks(spec: Spec, known: Known) -> Iterator[list[str]]:
    """Time steps until the pointer was back and the loss repaired, and the share that never was."""
    name, bins = spec.columns[0][0], {bin for _, bin in spec.columns}
    yield from _head(f"`{name}` (`{spec.preset}`)", *(f"{cause}: {POINTER[end]}" for cause in CAUSES for end in ENDS))
    rows = [(_label(agent), known[name][agent], "sampled") for agent in _agents(spec, known)]
    rows += [(_beside(player, name), next(iter(known[name].values()))[:1], player) for player in spec.beside]
    for title, results, player in rows:
        yield [title, *(_delay(results, bins, cause, end, player) for cause in CAUSES for end in ENDS)]


def _delay(results: list[Result], bins: set[str], cause: str, end: str, player: str) -> str:
    time = delay(results, lambda score: score.id in bins, cause, end, player).mean
    share = never(results, lambda score: score.id in bins, cause, end, player)
    return "never" if isnan(time) else f"{time:.1f}, never {share:.0%}"


def _head(*cells: str) -> Iterator[list[str]]:
    yield from (list(cells), ["---"] * len(cells))


def _agents(spec: Spec, known: Known) -> list[str]:
    return [agent for agent in spec.agents if any(agent in known[name] for name, _ in spec.columns)]


def _shares(known: Known, agent: str, column: tuple[str, str], player: str) -> list[float]:
    """Success of every seed; of none where nobody measured it."""
    name, bin = column
    scores = [score for result in known[name].get(agent, []) for score in result.bins]
    return [score.success(player) for score in scores if score.id == bin]


def _shown(shares: list[float], cells: str = "means") -> str:
    """As pages show them: .987, or one after the other."""
    values = shares if cells == "seeds" else [sum(shares) / len(shares)] if shares else []
    return " ".join(f"{value:.3f}".removeprefix("0") for value in values)


def _label(agent: str) -> str:
    return LABELS.get(agent, agent)


def _beside(player: str, name: str) -> str:
    worker = " with that worker" if player == "oracle" and experiment(name).domain == "minecraft" else ""
    return BESIDE.get(player, player) + worker


def _range(bin: str) -> str:
    """1–10; a bin of one size is that size."""
    low, _, high = bin.partition("-")
    return low if low == high else bin.replace("-", DASH, 1)
