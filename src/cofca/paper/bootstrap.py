"""A hierarchical bootstrap for few seeds: how far means over seeds and levels may lie from the truth.

Seeds are drawn anew, and with them the levels that they play. As in rliable (Agarwal et al. 2021) every agent's seeds
are a stratum of their own. Unlike there, the mean of n seeds is not drawn by resampling them: four values have short
tails, and 13 % of comparisons of equal agents would be wrong. It is drawn from Student's t with n - 1 degrees of
freedom, in standard errors of the mean.

Results don't tell which levels a seed solved. The levels' part is therefore the binomial variance of one seed's levels,
as if all seeds of an agent solved the same ones: more seeds don't make it smaller. Agents play the same levels, and
what is hard for one is often hard for another. To draw their levels apart makes differences a little too uncertain,
never too certain.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from jaxtyping import Bool, Float

DRAWS = 100_000
LEVEL = 0.05
"""Of wrong verdicts; intervals are of the rest."""


@dataclass(frozen=True)
class Sample:
    """A value of each seed, and the variance that their mean owes to the levels that they share."""

    seeds: dict[int, float]
    levels: float = 0.0

    @property
    def values(self) -> Float[np.ndarray, " seeds"]:
        """Of the seeds, in their order."""
        return np.array([self.seeds[seed] for seed in sorted(self.seeds)], float)

    @property
    def mean(self) -> float:
        """Over seeds; not a number without any."""
        return float(self.values.mean()) if self.seeds else float("nan")

    @property
    def error(self) -> float:
        """The standard error of the mean over seeds."""
        return float(self.values.std(ddof=1) / np.sqrt(len(self.seeds))) if len(self.seeds) > 1 else float("nan")

    def __mul__(self, factor: float) -> "Sample":
        return Sample({seed: factor * value for seed, value in self.seeds.items()}, factor**2 * self.levels)

    def __neg__(self) -> "Sample":
        return self * -1

    def __add__(self, other: "Sample") -> "Sample":
        """Paired: the same seeds on other levels."""
        both = {seed: value + other.seeds[seed] for seed, value in self.seeds.items() if seed in other.seeds}
        return Sample(both, self.levels + other.levels)

    def __sub__(self, other: "Sample") -> "Sample":
        return self + -other


@dataclass(frozen=True)
class Deviations:
    """What is drawn: how far the mean of each sample and that of the levels are from the truth, in standard errors."""

    seeds: Float[np.ndarray, "samples draws"]
    levels: Float[np.ndarray, " draws"]


@cache
def deviations(seeds: tuple[int, ...], draws: int = DRAWS) -> Deviations:
    """Of samples of so many seeds. The same in every comparison: the same results give the same figures."""
    random = np.random.default_rng(0)
    return Deviations(
        np.stack([random.standard_t(number - 1, draws) for number in seeds]), random.standard_normal(draws)
    )


def drawn(
    mean: Float[np.ndarray, "*batch"],
    errors: Float[np.ndarray, "*batch samples"],
    levels: Float[np.ndarray, "*batch"],
    how: Deviations,
) -> Float[np.ndarray, "*batch draws"]:
    """What the sum of some samples' means may truly be."""
    return mean[..., None] + errors @ how.seeds + np.sqrt(levels)[..., None] * how.levels


def p_value(against: Bool[np.ndarray, "*batch draws"]) -> Float[np.ndarray, "*batch"]:
    """The share of draws that speak against something, never quite 0."""
    return np.asarray((against.sum(axis=-1) + 1) / (against.shape[-1] + 1))


def holm(p: Float[np.ndarray, "*batch family"]) -> Float[np.ndarray, "*batch family"]:
    """p-values corrected for how many there are (Holm 1979)."""
    order = np.argsort(p, axis=-1, kind="stable")
    number = p.shape[-1]
    steps = np.take_along_axis(p, order, axis=-1) * (number - np.arange(number))
    corrected = np.empty_like(steps)
    np.put_along_axis(corrected, order, np.minimum(np.maximum.accumulate(steps, axis=-1), 1), axis=-1)
    return corrected


def improvement(one: Sample, other: Sample) -> tuple[float, float, float]:
    """The probability that a seed of one is better than a seed of the other, with an interval, as in rliable."""
    better = (np.sign(np.subtract.outer(one.values, other.values)) + 1) / 2
    random = np.random.default_rng(0)
    weights = [random.multinomial(number, [1 / number] * number, 2000) / number for number in better.shape]
    low, high = np.quantile(np.einsum("da,ab,db->d", weights[0], better, weights[1]), [LEVEL / 2, 1 - LEVEL / 2])
    return float(better.mean()), float(low), float(high)
