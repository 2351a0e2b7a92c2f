"""Results: one small JSON file for each experiment, agent and seed. Figures and claims are made of these alone."""

import json
import os
import re
import tempfile
from dataclasses import asdict, dataclass, field
from math import inf
from pathlib import Path
from typing import Any

from cofca.utils.json import decode, read_object
from cofca.utils.parameters import require

FORMAT = 3
READABLE = (1, 2, FORMAT)
"""Results of format 1 know no scripted references and nothing of recovery, those of format 2 no fingerprints."""


@dataclass(frozen=True)
class Delays:
    """Time steps until something happened; None where it never did."""

    mean: float | None
    error: float | None
    """The standard error of the mean over episodes; None where it happened in one episode only."""
    median: float | None
    never: float | None
    """The share of setbacks after which it did not happen; None without setbacks."""

    def __post_init__(self) -> None:
        if self.never is not None:
            _require_share("never", self.never)
        for name in ("mean", "error", "median"):
            value = getattr(self, name)
            require(value is None or 0 <= value < inf, f"{name} must be a time, not {value}")


@dataclass(frozen=True)
class Recovery:
    """What became of an enemy's setbacks; `envs.starcraft.setbacks` says what is measured."""

    setbacks: int
    pointed: Delays
    repaired: Delays

    def __post_init__(self) -> None:
        require(self.setbacks >= 0, f"setbacks must not be negative, not {self.setbacks}")


PLAYERS = ("sampled", "greedy", "oracle", "random")


@dataclass(frozen=True)
class Score:
    """Success on the levels of one bin."""

    lo: int
    hi: int
    episodes: int
    sampled: float
    greedy: float
    oracle: float
    random: float
    references: dict[str, float] = field(default_factory=dict)
    """Of scripted agents, by name; none in domains without."""
    recovery: dict[str, dict[str, Recovery]] = field(default_factory=dict)
    """Of the agent, sampled, the oracle and scripted agents, by the cause of setbacks; none in domains without."""
    levels: str | None = None
    """Fingerprint of the levels: who has the same has played the same ones. None in older results."""

    def __post_init__(self) -> None:
        require(self.episodes >= 0, f"episodes must not be negative, not {self.episodes}")
        for name in (*PLAYERS, *self.references):
            _require_share(name, self.success(name))

    def success(self, player: str) -> float:
        """Of the agent, sampled or greedy, or of a reference."""
        return getattr(self, player) if player in PLAYERS else self.references[player]


@dataclass(frozen=True)
class Curve:
    """Success while training, by the steps of the seed so far."""

    steps: list[int]
    success: list[float]

    def __post_init__(self) -> None:
        require(len(self.steps) == len(self.success), "a curve must have as many steps as successes")
        for share in self.success:
            _require_share("success", share)


@dataclass(frozen=True)
class BinCurve(Curve):
    """Sampled success on the levels of one bin."""

    lo: int
    hi: int
    episodes: int


@dataclass(frozen=True)
class Result:
    """What became of one seed of one agent in one experiment."""

    experiment: str
    agent: str
    seed: int
    trained_on: str
    """The experiment whose levels it was trained on."""
    steps: int
    scale: str
    worker: str
    level_seed: int
    """Of the evaluation's levels."""
    device: str
    """That trained the agent."""
    config: dict[str, Any]
    versions: dict[str, str]
    bins: list[Score]
    transitions: dict[str, dict[str, Any]]
    """Of each kind of transition the episodes it belongs to, and the share of them that succeeded."""
    gate: float
    """How often it opened its gate, at the end of training."""
    training: Curve
    """Of training itself, on fresh levels."""
    evaluations: list[BinCurve]
    """On the bins of the experiment it was trained on, while training."""

    def __post_init__(self) -> None:
        require(len(self.bins) > 0, "there are no bins")
        require(len(self.training.steps) > 0, "there is no training")
        _require_share("gate", self.gate)
        result_path(self.experiment, self.agent, self.seed)

    @property
    def path(self) -> Path:
        """Where it lies among the results."""
        return result_path(self.experiment, self.agent, self.seed)


def result_path(experiment: str, agent: str, seed: int) -> Path:
    """Where a result lies among the results; no name leads out of them."""
    for name in (experiment, agent):
        require(re.fullmatch(r"[a-z0-9-]+", name) is not None, f"{name[:40]!r} is no name")
    return Path(experiment) / f"{agent}-seed{seed}.json"


def write_result(folder: Path, result: Result) -> None:
    """Write a result, whole or not at all."""
    path = folder / result.path
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(_page(result))
    os.chmod(temporary, 0o644)
    os.replace(temporary, path)


def read_result(path: Path) -> Result:
    """Read a result; what is wrong with it is said in one line."""
    try:
        page = read_object(path)
        require(page.pop("format", None) in READABLE, f"not of format {', '.join(map(str, READABLE))}")
        return decode(Result, page)
    except ValueError as error:
        raise ValueError(f"{path}: not a result: {error}") from error


def read_results(folder: Path) -> list[Result]:
    """All results in a folder, in order."""
    return [read_result(path) for path in sorted(folder.glob("*/*-seed*.json"))]


def _require_share(name: str, share: float) -> None:
    require(0 <= share <= 1, f"{name} must lie between 0 and 1, not {share}")


def _page(result: Result) -> str:
    """One line for each field, so that a difference between two results can be read."""
    lines = (f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in asdict(result).items())
    return "{\n" + ",\n".join([f'  "format": {FORMAT}', *lines]) + "\n}\n"
