"""The line to do: against plain Python that flips one coin after another, and against the rule of the oracle."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from agents.samples import quickly
from cofca.agents.modules.line_to_do import line_to_do
from cofca.agents.modules.scan import IMPOSSIBLE
from cofca.envs.starcraft.levels.level import make_program
from cofca.envs.starcraft.progress import first_uncovered
from cofca.envs.starcraft.progress import line_to_do as ruled
from cofca.envs.starcraft.symbols import FIRST_UNIT, LAST_SYMBOL

LINES = 6
CERTAIN = 1e4
log_p = quickly(line_to_do)


def heads(logit: float) -> float:
    return 1 / (1 + np.exp(-logit))


def counted(lacks: np.ndarray, settled: np.ndarray, length: int) -> np.ndarray:
    """Where the pointer lands, one coin after another."""
    landed, left = np.zeros(len(lacks)), 1.0
    for goal in range(length):
        share = left if goal == length - 1 else left * heads(float(lacks[goal]))
        left -= share
        for line in range(goal, -1, -1):
            here = share if line == 0 else share * heads(float(settled[line - 1]))
            landed[line] += here
            share -= here
    return landed


@pytest.mark.parametrize("length", range(1, LINES + 1))
def test_it_is_the_enumeration_of_its_coins(length: int):
    rng = np.random.default_rng(length)
    for _ in range(8):
        lacks, settled = rng.normal(scale=3, size=(2, LINES)).astype(np.float32)
        found = np.exp(log_p(jnp.asarray(lacks), jnp.asarray(settled), jnp.int32(length)))
        np.testing.assert_allclose(found, counted(lacks, settled, length), atol=1e-5)
        assert found.sum() == pytest.approx(1, abs=1e-5)


def test_certain_coins_point_where_the_oracle_does():
    rng, number, lines = np.random.default_rng(0), 500, 25
    symbols = rng.integers(1, LAST_SYMBOL + 1, (number, lines)).astype(np.int8)
    length = rng.integers(1, lines + 1, number)
    symbols[np.arange(lines) >= length[:, None]] = 0
    done = rng.random((number, lines)) < rng.random((number, 1))
    is_unit = symbols >= FIRST_UNIT
    # Where nothing lacks, the episode is over.
    done[np.arange(number), length - 1] = False
    symbols[np.arange(number), length - 1] = LAST_SYMBOL
    is_unit[np.arange(number), length - 1] = True

    def one(symbols: jax.Array, length: jax.Array, done: jax.Array) -> tuple[jax.Array, jax.Array]:
        program = make_program(symbols, length.astype(jnp.int16))
        return first_uncovered(program, done), ruled(program, done)

    goals, expected = jax.jit(jax.vmap(one))(symbols, length, done)
    lacks = np.where(is_unit & ~done, CERTAIN, -CERTAIN).astype(np.float32)
    settled = np.where(is_unit | done, CERTAIN, -CERTAIN).astype(np.float32)
    found = np.asarray(jax.jit(jax.vmap(line_to_do))(lacks, settled, length))
    assert (np.asarray(goals) < length).all()
    assert (found.argmax(axis=1) == expected).all()
    np.testing.assert_allclose(np.exp(found.max(axis=1)), 1, atol=1e-3)


def test_gradients_are_numbers_also_where_coins_are_certain():
    def loss(coins: jax.Array, length: jax.Array) -> jax.Array:
        found = line_to_do(coins[0], coins[1], length)
        return jnp.where(found > IMPOSSIBLE / 2, found, 0.0).sum()

    for size in (1.0, CERTAIN):
        coins = size * np.random.default_rng(1).normal(size=(2, LINES)).astype(np.float32)
        assert np.isfinite(jax.jit(jax.grad(loss))(coins, jnp.int32(4))).all()
