"""The paper's five experiments, those beyond it, and the worker's training, as data: what is trained on, and what is
evaluated."""

import hashlib
import re
import tomllib
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path
from reprlib import repr as shown
from typing import Any

from cofca.utils.json import DEEPEST, decode, one_line, require_limits
from cofca.utils.parameters import require, settle
from cofca.utils.references import canonical, is_reference
from cofca.utils.spelling import guess

TOML = ".toml"
ALL = "all"
"""The twelve conditions."""


@dataclass(frozen=True)
class Bin:
    """A set of evaluation levels: how it is called, and the changes to the domain's parameters that make it."""

    low: int
    high: int
    changes: dict[str, Any]
    familiar: bool = False
    """Whether these levels ask for no more than training does."""
    id: str = ""
    """No other bin of an experiment has the same; by default LOW-HIGH."""
    depth: int | None = None
    """How deep execution goes, where the bin is about it."""
    condition: str | None = None
    """The only one of its levels, where the bin is about it."""

    def __post_init__(self) -> None:
        settle(self, id=bin_id(self.id, self.low, self.high))

    @property
    def fold(self) -> int:
        """What the keys of its levels are folded from: the lowest number or, where that may be another bin's too, the
        id."""
        if self.id == default_id(self.low, self.high):
            return self.low
        return int.from_bytes(hashlib.sha256(self.id.encode()).digest()[:4], "big")


def default_id(low: int, high: int) -> str:
    """The id of a bin that has no other."""
    return f"{low}-{high}"


def bin_id(id: str, low: int, high: int) -> str:
    """An id, if it is one, or else the default one."""
    require(re.fullmatch(r"[A-Za-z0-9_.+-]{0,60}", id) is not None, f"{shown(id)} is no id of a bin, such as 11-20")
    return id or default_id(low, high)


@dataclass(frozen=True)
class Experiment:
    """Training levels and evaluation levels of one domain."""

    name: str
    domain: str
    train: dict[str, Any]
    """Parameters of the training levels."""
    bins: tuple[Bin, ...]
    trained_as: str | None = None
    """The experiment whose agents are evaluated; None for its own."""
    agent: str = "cofca-s"
    """Who is trained unless somebody else is asked for."""
    steps: int = 70_000_000
    """How long each seed is trained by default."""
    beyond: bool = False
    """Whether the paper has nothing like it."""

    def __post_init__(self) -> None:
        ids = [bin.id for bin in self.bins]
        require(len(ids) == len(set(ids)), f"{self.name}: two bins have the same id: {', '.join(ids)}")


LONGEST_WATCHED = 50
"""Lines of instructions on which agents are evaluated while they train; longer ones would take longer than training."""


def watched(spec: Experiment) -> Experiment:
    """The experiment without its longest bins, unless it has no others."""
    bins = tuple(bin for bin in spec.bins if bin.high <= LONGEST_WATCHED)
    return replace(spec, bins=bins or spec.bins)


def _lengths(*ranges: tuple[int, int], familiar: int) -> tuple[Bin, ...]:
    """Bins of these lengths, of which training knows the first up to `familiar` lines."""
    return tuple(Bin(low, high, {"length": (low, high)}, high <= familiar) for low, high in ranges)


_TENS = _lengths((1, 10), (11, 20), (21, 30), (31, 40), (41, 50), familiar=10)
_FIVES = _lengths((2, 5), (6, 10), (11, 15), (16, 20), (21, 25), familiar=5)


_LONGER = (26, 30), (31, 35), (36, 40), (41, 45), (46, 50)


def _shallow(name: str, **cap: int) -> "Experiment":
    """Build trees are capped in training, and only in those levels that ask for no more than training does."""
    known = replace(_FIVES[0], changes={**_FIVES[0].changes, **cap})
    return replace(_STARCRAFT_LENGTH, name=name, train={"length": (1, 5), **cap}, bins=(known, *_FIVES[1:]))


_BLOCKS = (1, 2, 4, 8, 12, 16, 20, 30, 40)
_LARGEST_BLOCK = 7
"""The largest body in ten lines that something follows: two lines more are its ends, and one is behind it. A body of
eight is all there is in ten lines: nobody has to jump over it to get anywhere."""
_NESTED = (5, 10), (11, 20), (21, 30), (31, 40), (41, 50)
"""Lengths of instructions with blocks in blocks, which training has none of."""
_TWICE = {"ambush_probability": 0.2, "attack_probability": 0.2}
"""The enemy comes twice as often as in training."""
_DEADLINE = {"steps_per_line": 2}
"""Too little for going round and round: who succeeds goes straight to what was lost."""

_DEEP = (11, 20), (41, 50), (101, 200)
"""Lengths of instructions whose execution goes deep."""
_THINGS = "iron", "gold", "wood", "merchant"
_CONDITIONS = tuple(f"{more}>{than}" for more, than in permutations(_THINGS, 2))
_TWO_DEEP = {"length": (1, 10), "max_depth": 2}
_WIDE = {**_TWO_DEEP, "conditions": ALL}


def _deep(low: int, high: int, depth: int, conditions: str | None = None) -> Bin:
    """Levels whose execution goes so deep; the shortest have no room for it."""
    length = max(low, 2 * depth + 4), high  # `lines_of_depth` of Minecraft, whose parameters refuse fewer
    changes = {"length": length, "executed_depth": depth, **({"conditions": conditions} if conditions else {})}
    return Bin(low, high, changes, id=f"{low}-{high}-depth{depth}", depth=depth)


def _deep_bins(*depths: int, conditions: str | None = None) -> tuple[Bin, ...]:
    """All of these depths in all lengths."""
    return tuple(_deep(low, high, depth, conditions) for low, high in _DEEP for depth in depths)


def _one_condition(low: int, high: int, condition: str) -> Bin:
    """Levels of one condition, which is asked on the way into a block in a block, or over it."""
    more, than = condition.split(">")
    deep = _deep(low, high, 2, condition)
    return replace(deep, id=f"{low}-{high}-more-{more}-than-{than}", condition=condition)


_MINECRAFT_LENGTH = Experiment("minecraft-length", "minecraft", {"length": (1, 10)}, _TENS)
_STARCRAFT_LENGTH = Experiment("starcraft-length", "starcraft", {"length": (1, 5)}, _FIVES, steps=20_000_000)


def _of(trained: Experiment, name: str, bins: tuple[Bin, ...], beyond: bool = True) -> Experiment:
    """An experiment that trains nothing: other levels for the agents of one that does."""
    return replace(trained, name=name, bins=bins, trained_as=trained.name, beyond=beyond)


EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        _MINECRAFT_LENGTH,
        Experiment(
            "minecraft-compound",
            "minecraft",
            {"length": (1, 10), "control_flow_kinds": (0, 1)},
            (
                Bin(1, 10, {"length": (1, 10), "control_flow_kinds": (0, 1)}, familiar=True),
                Bin(6, 10, {"length": (6, 10), "control_flow_kinds": (2, 3)}),
            ),
        ),
        _of(
            _MINECRAFT_LENGTH,
            "minecraft-jump",
            tuple(Bin(size, size, {"failing_block": (size, size)}, size <= _LARGEST_BLOCK) for size in _BLOCKS),
            beyond=False,
        ),
        _of(_MINECRAFT_LENGTH, "minecraft-longer", _lengths((51, 100), (101, 200), familiar=10)),
        _of(
            _MINECRAFT_LENGTH,
            "minecraft-nested",
            tuple(Bin(low, high, {"length": (low, high), "max_depth": 2, "min_depth": 2}) for low, high in _NESTED),
        ),
        _of(
            _MINECRAFT_LENGTH,
            "minecraft-nested-deep",
            _deep_bins(2, 3, 4, 5),
        ),
        Experiment(
            "minecraft-depth",
            "minecraft",
            _TWO_DEEP,
            (Bin(1, 10, _TWO_DEEP, familiar=True), *_deep_bins(3, 4, 5, 6)),
            beyond=True,
        ),
        Experiment(
            "minecraft-wide",
            "minecraft",
            _WIDE,
            (
                Bin(1, 10, _WIDE, familiar=True),
                *_deep_bins(1, 2, 3, 4, 5, 6, conditions=ALL),
                *(_one_condition(11, 20, condition) for condition in _CONDITIONS),
            ),
            beyond=True,
        ),
        _STARCRAFT_LENGTH,
        _shallow("starcraft-depth", max_depth=3),
        _shallow("starcraft-depth-hard", max_depth=3, max_prerequisites=3),
        _of(
            _STARCRAFT_LENGTH,
            "starcraft-longer",
            _lengths(*_LONGER, familiar=5),
        ),
        _of(
            _STARCRAFT_LENGTH,
            "starcraft-hostile",
            tuple(replace(bin, changes={**bin.changes, **_TWICE}, familiar=False) for bin in _FIVES),
        ),
        Experiment(
            "starcraft-deadline",
            "starcraft",
            {"length": (1, 5), **_DEADLINE},
            tuple(
                replace(bin, changes={**bin.changes, **_DEADLINE}) for bin in (*_FIVES, *_lengths(*_LONGER, familiar=5))
            ),
            steps=20_000_000,
            beyond=True,
        ),
        Experiment(
            "worker",
            "errands",
            {"length": (1, 10)},
            _lengths((1, 10), (41, 50), familiar=10),
            agent="worker",
            steps=20_000_000,
        ),
    )
}


_REGISTERED: dict[str, Experiment] = {}


def register_experiment(spec: Experiment) -> None:
    """Make an experiment of one's own known by its name."""
    if spec.name in EXPERIMENTS:
        raise ValueError(f"there is an experiment called {spec.name!r} already")
    _REGISTERED[spec.name] = spec


def experiment(name: str) -> Experiment:
    """Look an experiment up: one of the package's, a registered one, or the one in a TOML file."""
    known = {**EXPERIMENTS, **_REGISTERED}
    if name in known:
        return known[name]
    if name.endswith(TOML):
        return read_experiment(Path(name))
    there = f"expected one of {', '.join(known)}, or a TOML file"
    raise ValueError(f"unknown experiment {shown(name)}; {there}{guess(name, known)}")


def experiment_or_plain(name: str) -> Experiment:
    """An experiment or, where nobody knows it any more, one of that name without bins."""
    try:
        return experiment(name)
    except ValueError:
        return Experiment(name, "", {}, ())


def read_experiment(path: Path) -> Experiment:
    """The experiment that a TOML file describes: name, domain, [train], and for each bin [[bins]] with low and high."""
    try:
        spec = decode(Experiment, _page(path))
        require(re.fullmatch(r"[a-z0-9-]{1,60}", spec.name) is not None, f"{shown(spec.name)} is no name")
        bins = tuple(replace(bin, changes=_hashable(bin.changes)) for bin in spec.bins)
        domain = canonical(spec.domain, beside=path.parent) if is_reference(spec.domain) else spec.domain
        return replace(spec, domain=domain, train=_hashable(spec.train), bins=bins)
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: not an experiment: {' '.join(str(error).split())}") from error


def _page(path: Path) -> dict[str, Any]:
    """The page of a file. What a bin has besides its own fields are the changes that make it."""
    try:
        page = tomllib.loads(path.read_text(encoding="utf-8"))
    except RecursionError:
        raise ValueError(f"nested more than {DEEPEST} deep") from None
    require_limits(page)
    bins = page.get("bins")
    return {**page, "bins": list(map(_bin_page, bins))} if isinstance(bins, list) else page


def _bin_page(page: Any) -> Any:
    if not isinstance(page, dict):
        return page
    own = {name: page.pop(name) for name in ("low", "high", "familiar", "id", "depth", "condition") if name in page}
    return {**own, "changes": page}


def _hashable(page: dict[str, Any]) -> dict[str, Any]:
    """Ranges as tuples: parameters must be hashable."""
    for name, value in page.items():
        parts = value if isinstance(value, list) else [value]
        plain = all(isinstance(part, int | float | str) for part in parts)
        require(plain, f"{one_line(name)} must be a number, a text, true, false or a list of these")
    return {name: tuple(value) if isinstance(value, list) else value for name, value in page.items()}


def is_familiar(experiment: Experiment, id: str) -> bool:
    """Whether the levels of this bin ask for no more than training does."""
    return any(bin.familiar for bin in experiment.bins if bin.id == id)
