"""What tables on pages show: success by bin or by depth, and what became of setbacks."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cofca.agents import AGENTS
from cofca.experiments.scores import Score
from cofca.paper.plots.plot_style import LABELS
from cofca.paper.recovery import CAUSES, ENDS, described
from cofca.paper.results import read_result
from cofca.paper.statistics import Results, name_beside
from cofca.utils.parameters import require

Known = dict[tuple[str, str], Results]
"""Results by preset and experiment."""
DASH = "\N{EN DASH}"
POINTER = {"pointed": "pointed at again", "repaired": "repaired"}


@dataclass(frozen=True)
class Spec:
    """Which results a table is about, and how it shows them."""

    presets: tuple[str, ...]
    """A table of several has a column that says which."""
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
    names = {name for name, _ in spec.columns}
    heads = [f"`{name}` {_range(bin)}" if len(names) > 1 else _range(bin) for name, bin in spec.columns]
    last = [f"{what} on {_range(bin)}" for what, bin in (("mean", spec.mean), ("worst seed", spec.worst)) if bin]
    yield from _head(*_about(spec), *heads, *last)
    for preset in spec.presets:
        which = [f"`{preset}`"] * (len(spec.presets) > 1)
        for agent in _agents(spec, known, preset):
            for player in spec.players:
                how = f", {player}" if len(spec.players) > 1 else ""
                yield [_label(agent) + how, *which, *_cells(spec, known, preset, agent, player)]
    for player in spec.beside:
        # Whoever played the same levels has the same ones beside it.
        preset = spec.presets[-1]
        first = {name: next(a for a in _agents(spec, known, preset) if a in known[preset, name]) for name in names}
        cells = [_shown(_shares(known[preset, name], first[name], bin, player)) for name, bin in spec.columns]
        yield [name_beside(player), *[""] * (len(spec.presets) > 1), *cells, *[""] * len(last)]


def _cells(spec: Spec, known: Known, preset: str, agent: str, player: str) -> list[str]:
    shares = [_shares(known[preset, name], agent, bin, player) for name, bin in spec.columns]
    by_bin = {bin: own for (_, bin), own in zip(spec.columns, shares, strict=True)}
    cells = [_shown(own, spec.cells) for own in shares]
    if spec.mean:
        cells.append(_shown(by_bin[spec.mean]))
    if spec.worst:
        cells.append(_shown(sorted(by_bin[spec.worst])[:1]))
    return cells


def by_depth(spec: Spec, known: Known) -> Iterator[list[str]]:
    """A row for each length, a column for each depth, of a single agent."""
    results = known[spec.presets[0], spec.columns[0][0]]
    require(len(spec.agents) == 1, "by=depths is about a single agent: agents=NAME")
    (agent,) = spec.agents
    bins = [score for score in results[agent][0].bins if score.depth and not score.condition]
    depths = sorted({score.depth for score in bins if score.depth})
    yield from _head(f"{_about(spec)[0]}, lines", *(f"{depth} deep" for depth in depths))
    for low, high in dict.fromkeys((score.lo, score.hi) for score in bins):
        row = sorted((score for score in bins if (score.lo, score.hi) == (low, high)), key=lambda bin: bin.depth or 0)
        own = [_shown(_shares(results, agent, score.id, "sampled"), spec.cells) for score in row]
        oracle = [_shown(_shares(results, agent, score.id, "oracle")) for score in row]
        yield [f"{low}{DASH}{high}", *(f"{one} ({ceiling})" for one, ceiling in zip(own, oracle, strict=True))]


def of_setbacks(spec: Spec, known: Known) -> Iterator[list[str]]:
    """Time steps until the pointer was back and the loss repaired, and the share that never was."""
    (name, _), preset, bins = spec.columns[0], spec.presets[0], {bin for _, bin in spec.columns}
    results = known[preset, name]
    yield from _head(*_about(spec), *(f"{cause}: {POINTER[end]}" for cause in CAUSES for end in ENDS))
    rows = [(_label(agent), results[agent], "sampled") for agent in _agents(spec, known, preset)]
    rows += [(name_beside(player), next(iter(results.values()))[:1], player) for player in spec.beside]

    def wanted(score: Score) -> bool:
        return score.id in bins

    for title, own, player in rows:
        cells = (described(own, wanted, cause, end, player, short=True) for cause in CAUSES for end in ENDS)
        yield [title, *cells]


def _head(*cells: str) -> Iterator[list[str]]:
    yield from (list(cells), ["---"] * len(cells))


def _about(spec: Spec) -> list[str]:
    """What heads the rows: nobody has to look elsewhere for the preset."""
    names = list(dict.fromkeys(name for name, _ in spec.columns))
    about = f"`{names[0]}`" if len(names) == 1 else "agent"
    return [f"{about} (`{spec.presets[0]}`)"] if len(spec.presets) == 1 else [about, "preset"]


def _agents(spec: Spec, known: Known, preset: str) -> list[str]:
    return [agent for agent in spec.agents if any(agent in known[preset, name] for name, _ in spec.columns)]


def _shares(results: Results, agent: str, bin: str, player: str) -> list[float]:
    """Success of every seed; of none where nobody measured it."""
    scores = [score for result in results.get(agent, []) for score in result.bins]
    return [score.success(player) for score in scores if score.id == bin]


def _shown(shares: list[float], cells: str = "means") -> str:
    """As pages show them: .987, or one after the other."""
    values = shares if cells == "seeds" else [sum(shares) / len(shares)] if shares else []
    return " ".join(f"{value:.3f}".removeprefix("0") for value in values)


def _label(agent: str) -> str:
    return LABELS.get(agent, agent)


def _range(bin: str) -> str:
    """1–10; a bin of one size is that size."""
    low, _, high = bin.partition("-")
    return low if low == high else bin.replace("-", DASH, 1)
