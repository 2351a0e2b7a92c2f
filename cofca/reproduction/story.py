"""What a run's journals tell of one seed, short enough to be kept with its result."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from cofca.reproduction.results import BinCurve

POINTS = 100
"""Of a training curve: each is the mean over a stretch of training."""


def training_curve(folder: Path, seed: int) -> tuple[list[int], list[float]]:
    """Steps, and success on fresh levels around them."""
    lines = _lines(folder / "metrics.jsonl")
    stretches = np.array_split(np.arange(len(lines)), min(POINTS, len(lines)))
    steps = [lines[stretch[-1]]["steps"] for stretch in stretches]
    success = [float(np.mean([lines[at]["success"][seed] for at in stretch])) for stretch in stretches]
    return steps, [round(share, 4) for share in success]


def gate_rate(folder: Path, seed: int) -> float:
    """How often the gate was open in the last stretch of training."""
    lines = _lines(folder / "metrics.jsonl")
    return round(float(np.mean([line["gate"][seed] for line in lines[-max(1, len(lines) // POINTS) :]])), 4)


def bin_curves(folder: Path, seed: int) -> list[BinCurve]:
    """Sampled success on each bin, evaluation by evaluation."""
    lines = _lines(folder / "evaluations.jsonl")
    if not lines:
        return []
    steps = [line["steps"] for line in lines]
    return [
        BinCurve(steps, [line["bins"][at]["sampled"][seed] for line in lines], row["lo"], row["hi"], line["episodes"])
        for line in lines[:1]
        for at, row in enumerate(line["bins"])
    ]


def _lines(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
