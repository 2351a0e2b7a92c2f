"""The network of the learned worker, against plain loops over cells."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from tiny_preset import SMALL

from agents.samples import WORKER, answers, moments, small_agent, spec
from cofca.agents.worker import NEARBY, around

CHANNELS = SMALL["channels"]


def square(state: np.ndarray, row: int, column: int) -> np.ndarray:
    """A cell and its eight neighbours, zeros beyond the edges."""
    padded = np.pad(state, ((1, 1), (1, 1), (0, 0)))
    return padded[row : row + 3, column : column + 3]


def test_each_cell_learns_from_its_square():
    agent: Any = small_agent(*WORKER)
    state = np.random.default_rng(0).normal(size=(6, 6, CHANNELS)).astype(np.float32)
    found = np.asarray(agent.spread(jnp.asarray(state)))
    for row, column in np.ndindex(6, 6):
        expected = square(state, row, column).reshape(-1) @ np.asarray(agent.spread.linear.weight)
        assert np.allclose(found[row, column], expected, atol=1e-5)


def test_the_worker_decides_by_its_own_square():
    state = np.random.default_rng(2).normal(size=(6, 6, CHANNELS)).astype(np.float32)
    for row, column in np.ndindex(6, 6):
        at = np.zeros((6, 6), np.float32)
        at[row, column] = 1
        found = np.asarray(around(jnp.asarray(state), jnp.asarray(at))).reshape(len(NEARBY), len(NEARBY), CHANNELS)
        assert np.allclose(found, square(state, row, column))


def test_the_worker_knows_what_lies_far_away():
    """There are as many rounds as the grid is wide: news of one corner reach the other."""
    agent, found = small_agent(*WORKER), moments(*WORKER, number=40)
    grid = np.zeros(found.obs.grid.shape, np.uint8)
    grid[:, 5, 5, -1] = 1
    here = found._replace(obs=found.obs._replace(grid=jnp.asarray(grid)))
    grid[:, 0, 0, 4] = 1
    there = found._replace(obs=found.obs._replace(grid=jnp.asarray(grid)))
    one, other = (np.asarray(answers(agent, each).logits) for each in (here, there))
    assert (one != other).any(axis=1).mean() > 0.5


def test_the_worker_has_nothing_to_move_and_nothing_to_remember():
    agent, found = small_agent(*WORKER), moments(*WORKER, number=40)
    seen = answers(agent, found)
    assert seen.logits.shape == (40, spec("errands").actions)
    assert (jax.nn.sigmoid(seen.movement.gate) < 1e-12).all()
    assert seen.hidden.shape == (40, 0)
    assert not agent.has_pointer
