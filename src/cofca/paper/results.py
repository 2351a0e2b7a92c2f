"""Results: a small JSON file for each preset, experiment, agent and seed. Figures and claims are made of these."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cofca.experiments.presets import TUNED
from cofca.experiments.scores import KindScore, Score, as_page, require_share
from cofca.experiments.specs import bin_id
from cofca.utils.files import write_whole
from cofca.utils.json import decode, one_line, read_object
from cofca.utils.parameters import require, settle

FORMAT = 4
READABLE = (1, 2, 3, FORMAT)
"""Results of format 1 know no scripted references and nothing of recovery, those of format 2 no fingerprints, those of
format 3 neither ids of bins nor a preset: all of their agents were ours."""

TELLING = 20
"""Training curves with so many different values don't coincide."""


@dataclass(frozen=True)
class Curve:
    """Success while training, by the steps of the seed so far."""

    steps: list[int]
    success: list[float]

    def __post_init__(self) -> None:
        require(len(self.steps) == len(self.success), "a curve must have as many steps as successes")
        for share in self.success:
            require_share("success", share)


@dataclass(frozen=True)
class BinCurve(Curve):
    """Sampled success on the levels of one bin."""

    id: str = field(default="", kw_only=True)
    lo: int
    hi: int
    episodes: int
    depth: int | None = None
    condition: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        settle(self, id=bin_id(self.id, self.lo, self.hi))


@dataclass(frozen=True)
class PaperScore:
    """Success on the paper's own levels of one bin, at the end of training."""

    id: str
    lo: int
    hi: int
    episodes: int
    successes: int

    def __post_init__(self) -> None:
        settle(self, id=bin_id(self.id, self.lo, self.hi))
        require(0 <= self.successes <= self.episodes, f"{self.successes} of {self.episodes} can't have succeeded")


@dataclass(frozen=True)
class Result:
    """What became of one seed of one agent in one experiment."""

    experiment: str
    agent: str
    preset: str
    """Which encoder, action head and numbers the agent has."""
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
    transitions: dict[str, KindScore]
    """By the kind of transition."""
    gate: float
    """How often it opened its gate, at the end of training."""
    training: Curve
    """Of training itself, on fresh levels."""
    evaluations: list[BinCurve]
    """On the bins of the experiment it was trained on, while training."""
    paper_bins: list[PaperScore] = field(default_factory=list)
    """By the paper's protocol, where training was evaluated by it."""
    paper_curve: Curve | None = None
    """Success on all levels of the paper's protocol, while training."""
    with_replays: Curve | None = None
    """Of training itself, replayed levels among its own; None where nobody counted these."""

    def __post_init__(self) -> None:
        require(len(self.bins) > 0, "there are no bins")
        require(len({score.id for score in self.bins}) == len(self.bins), "two bins have the same id")
        require(len(self.training.steps) > 0, "there is no training")
        require_share("gate", self.gate)
        result_path(self.preset, self.experiment, self.agent, self.seed)

    @property
    def path(self) -> Path:
        """Where it lies among the results."""
        return result_path(self.preset, self.experiment, self.agent, self.seed)


def result_path(preset: str, experiment: str, agent: str, seed: int) -> Path:
    """Where a result lies among the results; no name leads out of them."""
    for name in (preset, experiment, agent):
        require(re.fullmatch(r"[a-z0-9-]+", name) is not None, f"{name[:40]!r} is no name")
    return Path(preset) / experiment / f"{agent}-seed{seed}.json"


def write_result(folder: Path, result: Result) -> None:
    """Write a result, whole or not at all."""
    path = folder / result.path
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, _page(result).encode())


def read_result(path: Path) -> Result:
    """Read a result; what is wrong with it is said in one line."""
    try:
        page = read_object(path)
        number = page.pop("format", None)
        require(number in READABLE, f"not of format {', '.join(map(str, READABLE))}")
        result = decode(Result, page if number == FORMAT else {"preset": TUNED, **page})
        require(path.absolute().parts[-3:] == result.path.parts, f"it says that it is {one_line(str(result.path))}")
        return result
    except ValueError as error:
        raise ValueError(f"{path}: not a result: {error}") from error


def read_results(folder: Path) -> list[Result]:
    """All results in a folder, in order. One that is there under two seeds is refused."""
    paths = sorted(folder.glob("*/*/[!.]*-seed*.json"))
    results = [read_result(path) for path in paths]
    first: dict[tuple[Any, ...], Path] = {}
    for path, result in zip(paths, results, strict=True):
        same = first.setdefault((path.parent, result.agent, *result.training.success), path)
        if same != path and len(set(result.training.success)) >= TELLING:
            raise ValueError(f"{path}: the same training as {same.name}, so it is no other seed")
    return results


def _page(result: Result) -> str:
    """One line for each field, so that a difference between two results can be read."""
    lines = (f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in as_page(result).items())
    return "{\n" + ",\n".join([f'  "format": {FORMAT}', *lines]) + "\n}\n"
