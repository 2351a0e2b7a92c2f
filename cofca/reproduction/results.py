"""Results: one small JSON file for each experiment, agent and seed. Figures and claims are made of these alone."""

import json
import os
import tempfile
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

FORMAT = 1
_KINDS: dict[Any, Any] = {int: int, str: str, float: (int, float), list[int]: list, list[float]: list}


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


@dataclass(frozen=True)
class Curve:
    """Success while training, by the steps of the seed so far."""

    steps: list[int]
    success: list[float]


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

    @property
    def path(self) -> Path:
        """Where it lies among the results."""
        return result_path(self.experiment, self.agent, self.seed)


def result_path(experiment: str, agent: str, seed: int) -> Path:
    """Where a result lies among the results."""
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
        page = json.loads(path.read_text(encoding="utf-8"))
        if page.pop("format") != FORMAT:
            raise ValueError(f"not of format {FORMAT}")
        bins = [_made(Score, part) for part in page["bins"]]
        curves = [_made(BinCurve, part) for part in page["evaluations"]]
        parts = {"bins": bins, "training": _made(Curve, page["training"]), "evaluations": curves}
        return _made(Result, {**page, **parts})
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{path}: not a result: {error}") from error


def read_results(folder: Path) -> list[Result]:
    """All results in a folder, in order."""
    return [read_result(path) for path in sorted(folder.glob("*/*-seed*.json"))]


def _made(kind: type, page: dict[str, Any]) -> Any:
    """A dataclass from a page that has exactly its fields, each of the kind it should be."""
    expected = {part.name: part.type for part in fields(kind)}
    if set(page) != set(expected):
        raise ValueError(f"{kind.__name__.lower()} has fields {sorted(set(page) ^ set(expected))} too many or too few")
    for name, value in page.items():
        if not isinstance(value, _KINDS.get(expected[name], object)) or isinstance(value, bool):
            raise ValueError(f"{name} is {value!r}")
    return kind(**page)


def _page(result: Result) -> str:
    """One line for each field, so that a difference between two results can be read."""
    lines = (f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in asdict(result).items())
    return "{\n" + ",\n".join([f'  "format": {FORMAT}', *lines]) + "\n}\n"
