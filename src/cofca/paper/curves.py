"""What a run's journals tell of one seed, short enough to be kept with its result."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from cofca.experiments.specs import bin_id
from cofca.paper.results import BinCurve, Curve, PaperScore
from cofca.runs.config import PAPER
from cofca.utils.json import decode, read_json
from cofca.utils.parameters import require, settle

METRICS, EVALUATIONS = "metrics.jsonl", "evaluations.jsonl"
POINTS = 100
"""Of a training curve: each is the mean over a stretch of training."""


@dataclass(frozen=True)
class Metrics:
    """What is told here of a line of training."""

    steps: int
    success: list[float]
    gate: list[float]
    episodes: list[float] = field(default_factory=list)
    """On fresh levels."""
    replayed: list[float] = field(default_factory=list)
    replayed_successes: list[float] | None = None
    """None in journals from before they were counted."""


@dataclass(frozen=True)
class Row:
    """What is told of a bin in a line of evaluations."""

    lo: int
    hi: int
    sampled: list[float]
    id: str = ""
    depth: int | None = None
    condition: str | None = None

    def __post_init__(self) -> None:
        settle(self, id=bin_id(self.id, self.lo, self.hi))


@dataclass(frozen=True)
class Evaluation:
    """What is told of a line of evaluations."""

    steps: int
    episodes: int
    bins: list[Row]


@dataclass(frozen=True)
class PaperRow:
    """What is told of a bin in a line of the paper's protocol."""

    id: str
    lo: int
    hi: int
    episodes: list[int]
    successes: list[int]


@dataclass(frozen=True)
class PaperEvaluation:
    """What is told of a line of the paper's protocol."""

    steps: int
    bins: list[PaperRow]


def training_curve(folder: Path, seed: int) -> tuple[list[int], list[float]]:
    """Steps, and success on fresh levels around them."""
    return _curve(_metrics(folder, seed), lambda line: line.success[seed])


def curve_with_replays(folder: Path, seed: int) -> Curve | None:
    """Success on fresh and replayed levels together; None where replays were not counted."""
    lines = _metrics(folder, seed)

    def success(line: Metrics) -> float:
        won = line.success[seed] * line.episodes[seed] + (line.replayed_successes or [])[seed]
        # Where no episode ended there is no success, as on fresh levels.
        return min(1.0, won / max(1, line.episodes[seed] + line.replayed[seed]))

    if any(line.replayed_successes is None for line in lines):
        return None
    try:
        return Curve(*_curve(lines, success))
    except ValueError as error:
        raise ValueError(f"{folder / METRICS}: {error}") from error


def _curve(lines: list[Metrics], success: Callable[[Metrics], float]) -> tuple[list[int], list[float]]:
    stretches = np.array_split(np.arange(len(lines)), min(POINTS, len(lines)))
    steps = [lines[stretch[-1]].steps for stretch in stretches]
    return steps, [round(float(np.mean([success(lines[at]) for at in stretch])), 4) for stretch in stretches]


def gate_rate(folder: Path, seed: int) -> float:
    """How often the gate was open in the last stretch of training."""
    lines = _metrics(folder, seed)
    return round(float(np.mean([line.gate[seed] for line in lines[-max(1, len(lines) // POINTS) :]])), 4)


def bin_curves(folder: Path, seed: int) -> list[BinCurve]:
    """Sampled success on each bin, evaluation by evaluation."""
    path = folder / EVALUATIONS
    try:
        lines = [decode(Evaluation, page, ignore_unknown=True) for page in _pages(path) if not _is_paper(page)]
        for line in lines:
            same = [row.id for row in line.bins] == [row.id for row in lines[0].bins]
            require(same, "not all evaluations have the same bins")
            require(all(seed < len(row.sampled) for row in line.bins), f"seed {seed} is missing")
        steps = [line.steps for line in lines]
        return [
            BinCurve(
                steps,
                [line.bins[at].sampled[seed] for line in lines],
                row.lo,
                row.hi,
                first.episodes,
                row.depth,
                row.condition,
                id=row.id,
            )
            for first in lines[:1]
            for at, row in enumerate(first.bins)
        ]
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def paper_scores(folder: Path, seed: int, last: int) -> tuple[list[PaperScore], Curve]:
    """By the paper's protocol, success in each bin over so many last steps, and evaluation by evaluation."""
    path = folder / EVALUATIONS
    try:
        lines = [decode(PaperEvaluation, page, ignore_unknown=True) for page in _pages(path) if _is_paper(page)]
        shares = []
        for line in lines:
            require(all(seed < min(len(row.episodes), len(row.successes)) for row in line.bins), "a seed is missing")
            played, won = _counts(line.bins, seed)
            shares.append(round(won / max(played, 1), 4))
        ends = [line.bins for line in lines if line.steps > lines[-1].steps - last]
        bins = [score_of(*same, seed=seed) for same in zip(*ends, strict=True)]
        return bins, Curve([line.steps for line in lines], shares)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def score_of(*rows: PaperRow, seed: int) -> PaperScore:
    """What became of one seed in evaluations on the same bin."""
    return PaperScore(rows[0].id, rows[0].lo, rows[0].hi, *_counts(rows, seed))


def _counts(rows: Sequence[PaperRow], seed: int) -> tuple[int, int]:
    return sum(row.episodes[seed] for row in rows), sum(row.successes[seed] for row in rows)


def _is_paper(page: Any) -> bool:
    return isinstance(page, dict) and page.get("protocol") == PAPER


def _metrics(folder: Path, seed: int) -> list[Metrics]:
    path = folder / METRICS
    try:
        lines = [decode(Metrics, page, ignore_unknown=True) for page in _pages(path)]
        require(len(lines) > 0, "there are no lines")
        for line in lines:
            told = [line.success, line.gate]
            if line.replayed_successes is not None:
                told += [line.episodes, line.replayed, line.replayed_successes]
            require(all(seed < len(values) for values in told), f"seed {seed} is missing")
        return lines
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def _pages(path: Path) -> list[Any]:
    return [read_json(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
