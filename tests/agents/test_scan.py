"""The Scan mechanism, against plain Python that flips the coins in order."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from cofca.agents.modules.scan import IMPOSSIBLE, scan
from cofca.agents.modules.scan_one_way import scan_one_way

LINES, COLUMNS = 6, 3
PLACES = [(pointer, length) for length in range(1, LINES + 1) for pointer in range(length)]
"""Every pointer in an instruction of every length."""

log_p = jax.jit(scan)
log_p_one_way = jax.jit(scan_one_way, static_argnames="step")


def logits(seed: int, scale: float = 2.0, lines: int = LINES) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return tuple(rng.normal(scale=scale, size=(2, lines - 1, COLUMNS)).astype(np.float32))


def visits(pointer: int, length: int) -> list[int]:
    """The lines that exist in the order p+1, p-1, p+2, p-2, ..."""
    order = [pointer + sign * distance for distance in range(1, length) for sign in (1, -1)]
    return [line for line in order if 0 <= line < length]


def heads(forward: np.ndarray, backward: np.ndarray, pointer: int, line: int) -> np.ndarray:
    logit = forward[line - pointer - 1] if line > pointer else backward[pointer - line - 1]
    return 1 / (1 + np.exp(-logit.astype(np.float64)))


def enumerated(forward: np.ndarray, backward: np.ndarray, pointer: int, length: int) -> np.ndarray:
    """P, line by line."""
    found, left = np.zeros((LINES, COLUMNS)), np.ones(COLUMNS)
    order = visits(pointer, length)
    if not order:
        found[pointer] = 1
    for line in order:
        share = left if line == order[-1] else left * heads(forward, backward, pointer, line)
        found[line] = share
        left = left - share
    return found


def probabilities(forward: np.ndarray, backward: np.ndarray, pointer: int, length: int) -> np.ndarray:
    return np.exp(np.asarray(log_p(forward, backward, jnp.int32(pointer), jnp.int32(length)), np.float64))


@pytest.mark.parametrize(("pointer", "length"), PLACES)
def test_the_scan_is_the_enumeration_of_the_coins(pointer, length):
    for seed in range(5):
        forward, backward = logits(seed)
        found = probabilities(forward, backward, pointer, length)
        assert np.allclose(found, enumerated(forward, backward, pointer, length), atol=1e-6)


def test_the_order_is_one_ahead_one_behind_two_ahead_two_behind():
    """Fair coins: each line gets half of what the one before got."""
    fair = np.zeros((LINES - 1, COLUMNS), np.float32)
    found = probabilities(fair, fair, pointer=2, length=LINES)[:, 0]
    assert np.allclose(found, [1 / 16, 1 / 4, 0, 1 / 2, 1 / 8, 1 / 16], atol=1e-6)


@pytest.mark.parametrize(("pointer", "length"), [(0, 6), (2, 5), (5, 6), (1, 3)])
def test_flipped_coins_fall_as_the_scan_says(pointer, length):
    number, rng = 40_000, np.random.default_rng(pointer)
    forward, backward = logits(7, scale=1.0)
    where = np.full(number, -1)
    order = visits(pointer, length)
    for line in order:
        fell = rng.random(number) < heads(forward, backward, pointer, line)[0]
        where[(where < 0) & (fell | (line == order[-1]))] = line
    found = np.bincount(where, minlength=LINES) / number
    expected = probabilities(forward, backward, pointer, length)[:, 0]
    assert (abs(found - expected) <= 4.5 * np.sqrt(expected * (1 - expected) / number) + 1e-6).all()


@pytest.mark.parametrize("scale", [0.0, 1.0, 30.0])
@pytest.mark.parametrize(("pointer", "length"), PLACES)
def test_every_column_sums_to_one_and_lines_that_do_not_exist_get_nothing(pointer, length, scale):
    found = probabilities(*logits(3, scale), pointer, length)
    assert np.allclose(found.sum(axis=0), 1, atol=1e-5)
    assert not found[length:].any()
    assert length == 1 or not found[pointer].any()


def test_the_last_candidate_takes_what_is_left_whatever_its_own_coin_says():
    tails = np.full((LINES - 1, COLUMNS), -40, np.float32)
    assert np.allclose(probabilities(tails, tails, pointer=1, length=5)[4], 1)
    assert np.allclose(probabilities(tails, tails, pointer=4, length=5)[0], 1)
    assert np.allclose(probabilities(tails, tails, pointer=2, length=5)[0], 1)


def test_a_single_line_keeps_the_pointer():
    assert np.array_equal(probabilities(*logits(0, lines=1), pointer=0, length=1), np.ones((1, COLUMNS)))
    assert np.allclose(probabilities(*logits(0), pointer=0, length=1)[0], 1)


def test_lines_that_do_not_exist_do_not_matter():
    forward, backward = logits(1)
    other, behind = forward.copy(), backward.copy()
    other[2:] += 5
    behind[1:] -= 5
    assert np.array_equal(probabilities(forward, backward, 1, 4), probabilities(other, behind, 1, 4))


@jax.jit
@partial(jax.grad, argnums=(0, 1))
def gradient(forward: jax.Array, backward: jax.Array, pointer: jax.Array, length: jax.Array) -> jax.Array:
    found = scan(forward, backward, pointer, length)
    return jnp.where(found > IMPOSSIBLE, found, 0.0).sum() + jnp.exp(found).sum()


@pytest.mark.parametrize("extreme", [100.0, -100.0, 1e4, -1e4])
@pytest.mark.parametrize(("pointer", "length"), [(0, 1), (0, 6), (3, 5), (5, 6)])
def test_gradients_are_finite_with_extreme_logits(pointer, length, extreme):
    signs = np.float32((-1) ** np.indices((LINES - 1, COLUMNS)).sum(axis=0))

    sides = gradient(extreme * signs, extreme * np.ones_like(signs), jnp.int32(pointer), jnp.int32(length))
    for side in sides:
        assert np.isfinite(side).all()


def test_gradients_reach_the_coins_that_are_flipped_and_only_those():
    @jax.jit
    @partial(jax.grad, argnums=(0, 1))
    def reach(forward: jax.Array, backward: jax.Array) -> jax.Array:
        return scan(forward, backward, jnp.int32(1), jnp.int32(4))[3].sum()

    forward, backward = (np.asarray(side)[:, 0] != 0 for side in reach(*logits(0)))
    # The last line, 3, has no coin.
    assert forward.tolist() == [True, False, False, False, False]
    assert backward.tolist() == [True, False, False, False, False]


# One way only


@pytest.mark.parametrize("step", [1, -1])
@pytest.mark.parametrize(("pointer", "length"), PLACES)
def test_one_way_the_scan_is_the_enumeration_of_the_coins_of_that_side(pointer, length, step):
    order = list(range(pointer + step, length if step > 0 else -1, step))
    for seed in range(3):
        side = logits(seed)[0]
        expected, left = np.zeros((LINES, COLUMNS)), np.ones(COLUMNS)
        for line in order:
            coin = 1 / (1 + np.exp(-side[abs(line - pointer) - 1].astype(np.float64)))
            expected[line] = left if line == order[-1] else left * coin
            left = left - expected[line]
        expected[pointer] += left
        found = np.exp(np.asarray(log_p_one_way(side, jnp.int32(pointer), jnp.int32(length), step=step), np.float64))
        assert np.allclose(found, expected, atol=1e-6)


def test_one_way_a_single_line_keeps_the_pointer():
    side = jnp.zeros((0, COLUMNS))
    assert np.array_equal(scan_one_way(side, jnp.int32(0), jnp.int32(1), 1), np.zeros((1, COLUMNS)))
