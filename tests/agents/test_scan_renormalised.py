"""The published Scan, against plain Python that flips the coins in order and renormalises what they leave."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from agents.test_scan import COLUMNS, LINES, PLACES, heads, logits, visits
from cofca.agents.modules.scan_renormalised import renormalised_mixture, scan_without_rest

U = np.float32([0.7, -1.1, 0.2])
scanned = jax.jit(scan_without_rest)
mixed = jax.jit(renormalised_mixture)


def enumerated(forward: np.ndarray, backward: np.ndarray, pointer: int, length: int) -> np.ndarray:
    """P, line by line; what is left goes nowhere."""
    found, left = np.zeros((LINES, COLUMNS)), np.ones(COLUMNS)
    order = visits(pointer, length)
    if not order:
        found[pointer] = 1
    for line in order:
        share = heads(forward, backward, pointer, line)
        found[line], left = left * share, left * (1 - share)
    return found


@pytest.mark.parametrize(("pointer", "length"), PLACES)
def test_it_is_the_enumeration_of_the_coins_and_the_rest_goes_nowhere(pointer: int, length: int) -> None:
    for seed in range(3):
        forward, backward = logits(seed)
        lines = scanned(forward, backward, jnp.int32(pointer), jnp.int32(length))
        expected = enumerated(forward, backward, pointer, length)
        assert np.allclose(np.exp(lines), expected, atol=1e-6)
        columns, weights = mixed(lines, U)
        softmax = np.exp(U) / np.exp(U).sum()
        target = expected @ softmax
        assert np.allclose(np.exp(columns) @ np.exp(weights), target / target.sum(), atol=1e-5)
        assert np.allclose(np.exp(columns).sum(axis=0), 1, atol=1e-5)
        assert np.isclose(np.exp(weights).sum(), 1, atol=1e-5)


def test_something_is_left_when_no_coin_shows_heads() -> None:
    fair = np.zeros((LINES - 1, COLUMNS), np.float32)
    lines = np.exp(scanned(fair, fair, jnp.int32(2), jnp.int32(LINES)))
    assert np.allclose(lines[:, 0], [1 / 16, 1 / 4, 0, 1 / 2, 1 / 8, 1 / 32], atol=1e-6)


def test_gradients_are_finite_with_extreme_logits() -> None:
    def one(forward: jax.Array, backward: jax.Array) -> jax.Array:
        lines = scan_without_rest(forward, backward, jnp.int32(1), jnp.int32(4))
        columns, weights = renormalised_mixture(lines, jnp.asarray(U))
        return jnp.logaddexp.reduce(columns + weights, axis=-1)[3]

    gradient = jax.jit(jax.grad(one, argnums=(0, 1)))
    for scale in (1.0, 60.0, -60.0):
        sides = jnp.full((2, LINES - 1, COLUMNS), scale, jnp.float32)
        assert all(np.isfinite(part).all() for part in gradient(*sides))
