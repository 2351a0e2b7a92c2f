"""The network of the learned worker, against plain loops over cells."""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np

from cofca.agents.sizes import Sizes
from cofca.agents.worker import NEARBY, Worker, around, squares
from cofca.envs.minecraft import MinecraftParams
from cofca.envs.minecraft.errands import Errands
from cofca.envs.spec import Spec, spec_of

CHANNELS = 3


@cache
def spec() -> Spec:
    return spec_of(Errands(), MinecraftParams(length=(1, 2)))


def worker() -> Worker:
    sizes = Sizes(convolution=CHANNELS, hidden=8, embedding=0, columns=0, recurrent=0)
    return Worker(jax.random.key(0), spec(), sizes)


def square(state: np.ndarray, row: int, column: int) -> np.ndarray:
    """A cell and its eight neighbours, zeros beyond the edges."""
    padded = np.pad(state, ((1, 1), (1, 1), (0, 0)))
    return padded[row : row + 3, column : column + 3]


def test_a_cell_lies_at_one_place_of_the_squares_around_it():
    found = squares(3, 4)
    assert found.shape == (12, 12, 9)
    assert found.sum(axis=2).max() == 1
    # A corner is in four squares, a cell in the middle in nine.
    assert found.sum(axis=(1, 2)).tolist() == [4, 6, 6, 4, 6, 9, 9, 6, 4, 6, 6, 4]


def test_the_board_is_the_convolution():
    agent = worker()
    state = np.random.default_rng(0).normal(size=(6, 6, CHANNELS)).astype(np.float32)
    found = (state.reshape(-1) @ np.asarray(agent.whole_board())).reshape(6, 6, CHANNELS)
    for row, column in np.ndindex(6, 6):
        expected = square(state, row, column).reshape(-1) @ np.asarray(agent.spread.weight)
        assert np.allclose(found[row, column], expected, atol=1e-5)


def test_what_is_worked_out_beforehand_changes_nothing():
    agent = worker()
    assert np.array_equal(agent.prepared().board, agent.whole_board())
    grid = np.random.default_rng(1).integers(0, 2, (6, 6, 7))
    inventory, verb, noun = jnp.array([1, 0, 2]), jnp.int32(2), jnp.int32(1)
    one, other = (each.ponder(jnp.asarray(grid), inventory, verb, noun) for each in (agent, agent.prepared()))
    assert np.allclose(one, other)


def test_the_worker_decides_by_its_own_square():
    state = np.random.default_rng(2).normal(size=(6, 6, CHANNELS)).astype(np.float32)
    for row, column in np.ndindex(6, 6):
        at = np.zeros((6, 6), np.float32)
        at[row, column] = 1
        found = np.asarray(around(jnp.asarray(state), jnp.asarray(at))).reshape(NEARBY.size, NEARBY.size, CHANNELS)
        assert np.allclose(found, square(state, row, column))
