"""The GRUs over lines are GRUs, from the pointer both ways; and coins are linear functions of them."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from agents.samples import made, moments, on_device, quickly, small_agent

read = quickly(jax.vmap(lambda lines, *given: lines(*given), in_axes=(None, 0, 0, 0, 0)))


def xs(number: int, size: int) -> jax.Array:
    return jax.random.normal(jax.random.key(0), (number, size))


@pytest.mark.parametrize("asked", [0, 3])
@pytest.mark.parametrize(("name", "near_sighted"), [("cofca-s", False), ("cofca-d", True)])
def test_the_outputs_are_those_of_a_plain_gru_from_the_pointer_both_ways(
    name: str, near_sighted: bool, asked: int
) -> None:
    agent, found = made("minecraft", name, answers=asked), on_device(moments(name, "minecraft", number=20))
    lines, x = agent.lines, xs(20, agent.encoder.size)
    length = found.obs.mask.sum(axis=1, dtype=np.int32)
    outputs = np.asarray(read(lines, found.obs.lines, found.memory.pointer, x, length))
    embedded = np.asarray(lines.embed(found.obs.lines))
    assert lines.near_sighted == near_sighted
    size = outputs.shape[-1] // 2
    for number, pointer in enumerate(np.asarray(found.memory.pointer)):
        for way, order in enumerate([range(pointer, length[number]), range(pointer - 1, -1, -1)]):
            gru = jax.tree.map(lambda leaf, way=way: np.asarray(leaf[way]), lines.grus)
            hidden = np.zeros(size)
            for place, line in enumerate(order):
                told = what_is_told(lines, x[number], found.obs.lines[number, line], asked)
                seen = np.concatenate([x[number], told]) * (place == 0 or not near_sighted)
                hidden = plain_gru(gru, hidden, np.concatenate([embedded[number, line], seen]))
                assert np.allclose(outputs[number, place, way * size : (way + 1) * size], hidden, atol=1e-5)


def what_is_told(lines: Any, x: jax.Array, line: Any, asked: int) -> np.ndarray:
    """The answers about the symbols of a line, summed."""
    if not asked:
        return np.zeros(0)
    about = np.asarray(lines.ask(x)).reshape(-1, asked)
    return sum(about[start + int(symbol)] for start, symbol in zip(lines.embed.starts, line, strict=True))


def plain_gru(gru: Any, hidden: np.ndarray, inputs: np.ndarray) -> np.ndarray:
    reset, update, new = np.split(inputs @ gru.inputs.weight + gru.inputs.bias, 3)
    of_reset, of_update, of_new = np.split(hidden @ gru.recurrent, 3)
    share = sigmoid(update + of_update)
    return share * hidden + (1 - share) * np.tanh(new + sigmoid(reset + of_reset) * of_new)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


@pytest.mark.parametrize("name", ["cofca-s", "cofca-d"])
def test_a_coin_is_a_linear_function_of_what_was_read_up_to_its_line(name: str) -> None:
    agent: Any = small_agent(name, "starcraft")
    ahead, behind = jax.random.normal(jax.random.key(0), (2, 4, 5))
    found = np.asarray(agent.coins(jnp.concatenate([ahead, behind], axis=-1)))
    forward, backward = agent.coins.forward, agent.coins.backward
    expected = np.concatenate([ahead @ forward.weight + forward.bias, behind @ backward.weight + backward.bias], axis=1)
    assert np.allclose(found, expected, atol=1e-6)
    assert found.shape == (4, 6 if name == "cofca-s" else agent.gate_phi.phi.bias.size)
