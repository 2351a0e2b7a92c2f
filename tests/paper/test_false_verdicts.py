"""How often verdicts are wrong: agents whose seeds are drawn from the same distribution are told apart in at most 5 %
of claims, and so are those that differ by exactly the margin of a claim.

Seeds' true success is Beta-distributed, also close to 0 and to 1. Four seeds play a thousand levels each: levels of
their own, or the same ones, of which a better seed solves all that a worse one does. Real seeds are between these.
"""

from itertools import product

import numpy as np
import pytest
from jaxtyping import Float

from cofca.paper.bootstrap import LEVEL, Sample, deviations, drawn, holm, p_value
from cofca.paper.evidence import Comparison
from cofca.paper.samples import binomial

SEEDS, LEVELS, CLAIMS, LINES, DRAWS = 4, 1000, 1000, 3, 4000
MEANS = [0.002, 0.5, 0.97]
SPREADS = [0.5, 10.0, 1e6]
"""Sums of a Beta distribution's parameters, from seeds that are perfect or lost to seeds that are all alike."""
NOISE = 3 * (LEVEL * (1 - LEVEL) / CLAIMS) ** 0.5
"""Three standard errors of a simulated share."""

Shares = Float[np.ndarray, "claims lines seeds"]


def seeds_of(random: np.random.Generator, mean: float, spread: float) -> Shares:
    """What seeds are truly worth."""
    return random.beta(mean * spread, (1 - mean) * spread, (CLAIMS, LINES, SEEDS))


def play(random: np.random.Generator, shared: bool, *agents: Shares) -> list[Shares]:
    """The share of levels that each seed of some agents solves."""
    seeds = np.concatenate(agents, axis=-1)
    if not shared:
        return np.split(random.binomial(LEVELS, seeds) / LEVELS, len(agents), axis=-1)
    # Between two neighbouring seeds lie the levels that only the better one solves.
    order = np.argsort(seeds, axis=-1)
    ends = np.pad(np.take_along_axis(seeds, order, axis=-1), [(0, 0), (0, 0), (1, 0)])
    steps = np.concatenate([np.diff(ends), 1 - ends[..., -1:]], axis=-1)
    solved = np.cumsum(random.multinomial(LEVELS, steps), axis=-1)[..., :-1]
    shares = np.empty_like(seeds)
    np.put_along_axis(shares, order, solved / LEVELS, axis=-1)
    return np.split(shares, len(agents), axis=-1)


def error(shares: Shares) -> Float[np.ndarray, "claims lines"]:
    return shares.std(axis=-1, ddof=1) / SEEDS**0.5


def levels_of(shares: Shares) -> Float[np.ndarray, "claims lines"]:
    return binomial(np.moveaxis(shares, -1, 0), np.array(LEVELS))


def wrong(mean: np.ndarray, errors: list[np.ndarray], levels: np.ndarray, margin: float = 0.0) -> float:
    """The share of claims with a line that has a verdict."""
    draws = drawn(mean, np.stack(errors, axis=-1), levels, deviations((SEEDS,) * len(errors), DRAWS))
    p = 2 * np.minimum(p_value(draws <= margin), p_value(draws >= margin))
    return float((holm(np.minimum(p, 1)) <= LEVEL).any(axis=-1).mean())


def apart(one: Shares, other: Shares, margin: float = 0.0) -> float:
    """Of different agents."""
    return wrong(
        one.mean(axis=-1) - other.mean(axis=-1), [error(one), error(other)], levels_of(one) + levels_of(other), margin
    )


def paired(one: Shares, other: Shares, margin: float = 0.0) -> float:
    """Of the same seeds on other levels."""
    return wrong((one - other).mean(axis=-1), [error(one - other)], levels_of(one) + levels_of(other), margin)


def in_log_odds(one: Shares, other: Shares) -> float:
    """Of the same seeds on other levels, as `degrades` does."""
    odds, variances = [], []
    for won in (one * LEVELS + 0.5, other * LEVELS + 0.5):
        lost = LEVELS + 1 - won
        odds.append(np.log(won / lost))
        variances.append((1 / won + 1 / lost).mean(axis=-1))
    lost = odds[0] - odds[1]
    return wrong(lost.mean(axis=-1), [error(lost)], variances[0] + variances[1])


@pytest.mark.parametrize("shared", [False, True])
def test_equal_agents_are_told_apart_in_at_most_five_percent_of_claims(shared: bool):
    random, rates = np.random.default_rng(1), []
    for mean, spread in product(MEANS, SPREADS):
        mine, theirs = seeds_of(random, mean, spread), seeds_of(random, mean, spread)
        one, other = play(random, shared, mine, theirs)
        (later,) = play(random, shared, theirs)
        (again,) = play(random, shared, mine)
        rates.append([apart(one, other), paired(one, later), in_log_odds(one, later), paired(one, again)])
    assert np.max(rates) <= LEVEL + NOISE
    assert (np.mean(rates, axis=0) <= LEVEL).all()


@pytest.mark.parametrize("shared", [False, True])
def test_agents_that_differ_by_just_the_margin_are_too(shared: bool):
    """Of agents some of whose seeds are perfect or lost, four seeds can't tell: all four may be perfect. So both
    parameters of the distributions are at least 1 here."""
    random, rates = np.random.default_rng(2), []
    for (high, low), spread in product([(0.9, 0.7), (0.55, 0.45), (0.98, 0.93)], [3.0, 10.0, 50.0, 1e6]):
        if min(low, 1 - high) * spread < 1:
            continue
        mine, theirs = seeds_of(random, high, spread), seeds_of(random, low, spread)
        one, other = play(random, shared, mine, theirs)
        (later,) = play(random, shared, theirs)
        rates.append([apart(one, other, high - low), paired(one, later, high - low)])
    assert len(rates) >= 7
    assert np.max(rates) <= LEVEL + NOISE
    assert (np.mean(rates, axis=0) <= LEVEL).all()


def test_resampling_four_seeds_would_be_wrong_more_often():
    """As rliable does: why seeds are drawn from Student's t here."""
    random = np.random.default_rng(3)
    one, other = play(random, False, seeds_of(random, 0.5, 10.0), seeds_of(random, 0.5, 10.0))
    weights = random.multinomial(SEEDS, [1 / SEEDS] * SEEDS, (2, DRAWS)) / SEEDS
    draws = one[:, 0] @ weights[0].T - other[:, 0] @ weights[1].T
    low, high = np.quantile(draws, [LEVEL / 2, 1 - LEVEL / 2], axis=-1)
    assert 0.1 < np.mean((low > 0) | (high < 0)) < 0.2


def test_a_difference_that_is_there_is_found():
    random = np.random.default_rng(4)
    one, other = play(random, True, seeds_of(random, 0.95, 100.0), seeds_of(random, 0.6, 100.0))
    assert apart(one, other) > 0.95
    (later,) = play(random, True, one)
    assert paired(one, later * 0.9) > 0.9


def test_what_is_simulated_here_is_what_judges_claims():
    random = np.random.default_rng(5)
    one, other = (
        shares[0, 0] for shares in play(random, False, *(seeds_of(random, mean, 20.0) for mean in (0.8, 0.7)))
    )
    samples = [
        Sample(dict(enumerate(shares.tolist())), float(levels_of(shares[None, None])[0, 0])) for shares in (one, other)
    ]
    comparison = Comparison((samples[0], -samples[1]))
    draws = drawn(
        np.array(one.mean() - other.mean()),
        np.array([error(one[None, None])[0, 0], error(other[None, None])[0, 0]]),
        np.array(samples[0].levels + samples[1].levels),
        deviations((SEEDS, SEEDS)),
    )
    assert comparison.p_values == (p_value(draws <= 0), p_value(draws >= 0))
    assert comparison.interval == pytest.approx(np.quantile(draws, [0.025, 0.975]))
