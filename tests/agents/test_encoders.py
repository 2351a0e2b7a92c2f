"""What agents make of an observation, against plain loops over the grid."""

from typing import Any

import jax
import numpy as np
import pytest

from agents.samples import moments, on_device, quickly, small_agent, spec

codes = quickly(jax.vmap(lambda encoder, obs: encoder(obs).x, in_axes=(None, 0)))


def relu(x: np.ndarray) -> np.ndarray:
    return np.maximum(x, 0)


def applied(layer: Any, x: np.ndarray) -> np.ndarray:
    return x @ np.asarray(layer.weight) + np.asarray(layer.bias)


def patch(grid: np.ndarray, row: int, column: int) -> np.ndarray:
    return grid[row : row + 2, column : column + 2].reshape(-1)


def test_minecraft_sums_a_convolution_over_the_grid_and_counts_the_inventory() -> None:
    encoder: Any = small_agent("cofca-s", "minecraft").encoder.encoder
    obs = on_device(moments("cofca-s", "minecraft", number=5).obs)
    found = codes(encoder, obs)
    assert found.shape == (5, encoder.size)
    for number, x in enumerate(np.asarray(found)):
        grid = np.asarray(obs.grid[number], np.float32)
        patches = [patch(grid, row, column) for row in (0, 2, 4) for column in (0, 2, 4)]
        expected = sum(relu(applied(encoder.convolution, each)) for each in patches)
        assert np.allclose(x, np.concatenate([expected, obs.inventory[number]]), atol=1e-4)


def test_an_encoder_that_counts_adds_the_ones_of_each_channel() -> None:
    encoder: Any = small_agent("cofca-r", "minecraft").encoder.encoder
    obs = moments("cofca-r", "minecraft", number=5).obs
    found = np.asarray(codes(encoder, obs))
    assert found.shape == (5, encoder.size)
    counts = np.asarray(obs.grid, np.float32).sum(axis=(1, 2))
    assert np.array_equal(found, np.concatenate([codes(encoder.encoder, obs), counts], axis=1))
    assert counts[:, :4].any()


def test_starcraft_sees_over_the_edge_and_is_told_small_integers_and_what_there_is() -> None:
    encoder: Any = small_agent("cofca-s", "starcraft").encoder.encoder
    obs = on_device(moments("cofca-s", "starcraft", number=5).obs)
    # A grid where most planes have nothing.
    obs = obs._replace(grid=obs.grid * (np.arange(20) < 7).astype(np.uint8))
    found = codes(encoder, obs)
    assert found.shape == (5, encoder.size)
    limits = spec("starcraft").limits
    starts = np.cumsum([0, int(limits.ambushed) + 1, *(limits.stage[:-1] + 1)])
    for number, x in enumerate(np.asarray(found)):
        grid = np.asarray(obs.grid[number], np.float32)
        padded = np.pad(grid, ((1, 1), (1, 1), (0, 0)))
        patches = [relu(applied(encoder.convolution, patch(padded, row, column))) for row, column in np.ndindex(7, 7)]
        seen = relu(applied(encoder.flat, np.concatenate(patches)))
        integers = np.array([obs.ambushed[number], *obs.stage[number]])
        told = np.asarray(encoder.integers.table)[starts + integers].sum(axis=0)
        there = [grid[..., plane].any() for plane in range(20)]
        assert np.allclose(x, np.concatenate([seen, told, there]), atol=1e-4)


@pytest.mark.parametrize("chosen", ["minecraft", "starcraft"])
def test_z_sees_the_recurrent_state_where_there_is_one(chosen: str) -> None:
    for name, sees in (("olsk", True), ("cofca-s", False)):
        agent: Any = small_agent(name, chosen)
        found = on_device(jax.tree.map(lambda leaf: leaf[0], moments(name, chosen, number=1)))
        encoded = agent.encode(found.obs, found.memory)
        z = np.asarray(agent.core(encoded, found.memory.hidden).z)
        h = np.asarray(found.memory.hidden)
        rows = np.asarray(agent.encoder.join.weight)[-h.size :] if sees else np.zeros((0, z.size))
        assert np.allclose(z, relu(np.asarray(encoded.z) + h @ rows), atol=1e-5)
        assert (agent.encoder.hidden_size > 0) == sees
