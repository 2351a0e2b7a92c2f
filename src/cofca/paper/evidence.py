"""What speaks for a claim, and what against it: comparisons, lines of them, and verdicts corrected for their number."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np
from jaxtyping import Float

from cofca.paper.bootstrap import LEVEL, Sample, deviations, drawn, holm, p_value


class Verdict(Enum):
    """What becomes of a claim."""

    HOLDS = "holds"
    FAILS = "does not hold"
    UNCLEAR = "not clear"
    MISSING = "not measured"


@dataclass(frozen=True)
class Comparison:
    """That the sum of some samples' means, each of other seeds, is above a margin, or below it."""

    samples: tuple[Sample, ...]
    margin: float = 0.0
    below: bool = False
    what: str = "difference"
    """That the sum is, or in which bin."""

    @property
    def difference(self) -> float:
        """The sum, as measured."""
        return sum(sample.mean for sample in self.samples)

    @property
    def interval(self) -> tuple[float, float]:
        """Of 95 %, by itself; not a number where a single seed tells nothing of others."""
        if not self.is_decidable:
            return float("nan"), float("nan")
        low, high = np.quantile(self._drawn(), [LEVEL / 2, 1 - LEVEL / 2])
        return float(low), float(high)

    @property
    def is_decidable(self) -> bool:
        """Whether every sample has seeds that differ or could."""
        return all(len(sample.seeds) > 1 for sample in self.samples)

    @cached_property
    def p_values(self) -> tuple[float, float]:
        """Of what is claimed and of its opposite, each by itself."""
        if not self.is_decidable:
            return 1.0, 1.0
        sums = self._drawn()
        above, below = (float(p_value(against)) for against in (sums <= self.margin, sums >= self.margin))
        return (below, above) if self.below else (above, below)

    def _drawn(self) -> Float[np.ndarray, " draws"]:
        errors, levels = [sample.error for sample in self.samples], sum(sample.levels for sample in self.samples)
        how = deviations(tuple(len(sample.seeds) for sample in self.samples))
        return drawn(np.array(self.difference), np.array(errors), np.array(levels), how)


@dataclass(frozen=True)
class Line:
    """One thing that a claim says, of one rival or one agent. It holds if all its comparisons do."""

    about: str
    comparisons: tuple[Comparison, ...]
    figures: str
    """What is compared, as a person reads it."""

    @property
    def p_holds(self) -> float:
        """That it does not hold: as uncertain as the least certain comparison."""
        return max((comparison.p_values[0] for comparison in self.comparisons), default=1.0)

    @property
    def p_fails(self) -> float:
        """That no comparison fails, corrected for how many could."""
        return min([1.0, *(len(self.comparisons) * comparison.p_values[1] for comparison in self.comparisons)])

    @property
    def p(self) -> float:
        """Two-sided: a line may hold or fail."""
        return min(1.0, 2 * self.p_holds, 2 * self.p_fails)

    @property
    def decisive(self) -> Comparison | None:
        """The comparison that its verdict hangs on."""
        if self.p_fails < self.p_holds:
            return min(self.comparisons, key=lambda comparison: comparison.p_values[1])
        return max(self.comparisons, key=lambda comparison: comparison.p_values[0], default=None)


@dataclass(frozen=True)
class Evidence:
    """A verdict, and the lines it rests on with theirs."""

    verdict: Verdict
    lines: tuple[tuple[Line, Verdict], ...] = ()
    missing: str = ""


def weigh(lines: Sequence[Line]) -> Evidence:
    """The evidence of a claim's lines: in at most 5 % of claims is a line's verdict wrong.

    A claim holds if every line does, and fails if one does."""
    verdicts = decided(lines)
    whole = Verdict.UNCLEAR
    if Verdict.FAILS in verdicts:
        whole = Verdict.FAILS
    elif all(verdict is Verdict.HOLDS for verdict in verdicts):
        whole = Verdict.HOLDS
    return Evidence(whole, tuple(zip(lines, verdicts, strict=True)))


def decided(lines: Sequence[Line]) -> list[Verdict]:
    """The verdicts of a family of lines."""
    corrected = holm(np.array([line.p for line in lines]))
    likely = (Verdict.HOLDS if line.p_holds < line.p_fails else Verdict.FAILS for line in lines)
    return [verdict if p <= LEVEL else Verdict.UNCLEAR for verdict, p in zip(likely, corrected.tolist(), strict=True)]


def number(value: float) -> str:
    """As it is shown: shares to three places, larger numbers to one."""
    places = 3 if abs(value) < 10 else 1
    # Nobody reads -0.000.
    return f"{round(value, places) + 0.0:.{places}f}"
