"""What speaks for a claim, and what against it: comparisons of means with their standard errors."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import hypot, isnan

from cofca.paper.statistics import Estimate

CLEAR = 2.0
"""So many standard errors apart, two means differ."""


class Verdict(Enum):
    """What becomes of a claim."""

    HOLDS = "holds"
    FAILS = "doesn't hold"
    UNCLEAR = "not clear"
    MISSING = "not measured"


@dataclass(frozen=True)
class Evidence:
    """A verdict and the figures it rests on."""

    verdict: Verdict
    measured: str


def compare(one: Estimate, other: Estimate, margin: float = 0.0) -> Verdict:
    """Whether one mean exceeds another by more than `margin`."""
    difference, error = one.mean - other.mean - margin, hypot(one.error, other.error)
    if difference > CLEAR * error:
        return Verdict.HOLDS
    return Verdict.FAILS if difference < -CLEAR * error else Verdict.UNCLEAR


def together(verdicts: Sequence[Verdict]) -> Verdict:
    """A claim about several things holds if it holds of each, and fails if it fails of one."""
    if Verdict.FAILS in verdicts:
        return Verdict.FAILS
    return Verdict.HOLDS if all(verdict is Verdict.HOLDS for verdict in verdicts) else Verdict.UNCLEAR


def shown(estimate: Estimate) -> str:
    """A mean and its standard error, where it is known."""
    return f"{estimate.mean:.3f}" if isnan(estimate.error) else f"{estimate.mean:.3f} ± {estimate.error:.3f}"
