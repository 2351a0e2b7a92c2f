"""The baselines' cells over lines, against plain NumPy."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from agents.samples import moments, on_device, quickly, small_agent
from agents.test_line_gru import plain_gru, sigmoid
from cofca.agents.modules.stack_gru import DEPTH, EMPTY, WIDTH

read = quickly(jax.vmap(lambda lines, *given: lines(*given), in_axes=(None, 0, 0, 0, 0)))


class PlainLSTM:
    def __init__(self, cell: Any) -> None:
        self.cell, self.hidden = cell, np.zeros(len(cell.recurrent))
        self.cells = np.zeros(len(cell.recurrent))

    def read(self, inputs: np.ndarray) -> np.ndarray:
        gates = inputs @ self.cell.inputs.weight + self.cell.inputs.bias + self.hidden @ self.cell.recurrent
        write, keep, new, show = np.split(gates, 4)
        self.cells = sigmoid(keep) * self.cells + sigmoid(write) * np.tanh(new)
        self.hidden = sigmoid(show) * np.tanh(self.cells)
        return self.hidden


class PlainStack:
    def __init__(self, cell: Any) -> None:
        self.cell, self.hidden = cell, np.zeros(len(cell.gru.recurrent))
        self.stack = [np.full(WIDTH, EMPTY) for _ in range(DEPTH)]

    def read(self, inputs: np.ndarray) -> np.ndarray:
        cell = self.cell
        # What is on top goes the way of the inputs.
        both = np.concatenate([inputs, self.stack[0]])
        weight = np.concatenate([cell.gru.inputs.weight, cell.read])
        gru = Together(weight, cell.gru.inputs.bias, cell.gru.recurrent)
        self.hidden = plain_gru(gru, self.hidden, both)
        scores = np.exp(self.hidden @ cell.act.weight + cell.act.bias)
        push, pop, keep = scores / scores.sum()
        new = sigmoid(self.hidden @ cell.push.weight + cell.push.bias)
        old = [new, *self.stack, np.full(WIDTH, EMPTY)]
        self.stack = [push * old[i] + keep * old[i + 1] + pop * old[i + 2] for i in range(DEPTH)]
        return self.hidden


class Together:
    """A GRU as `plain_gru` knows it."""

    def __init__(self, weight: np.ndarray, bias: np.ndarray, recurrent: np.ndarray) -> None:
        self.weight, self.bias, self.recurrent, self.inputs = weight, bias, recurrent, self


@pytest.mark.parametrize(("name", "plain"), [("lstm", PlainLSTM), ("stack", PlainStack)])
def test_the_outputs_are_those_of_plain_cells_from_the_pointer_both_ways(name: str, plain: Any) -> None:
    agent: Any = small_agent(name, "minecraft")
    found = on_device(moments(name, "minecraft", number=20))
    lines, x = agent.lines, jax.random.normal(jax.random.key(0), (20, agent.encoder.size))
    outputs = np.asarray(
        read(lines, found.obs.lines, found.memory.pointer, x, found.obs.mask.sum(axis=1, dtype=np.int32))
    )
    embedded = np.asarray(lines.embed(found.obs.lines))
    size = outputs.shape[-1] // 2
    for number, pointer in enumerate(np.asarray(found.memory.pointer)):
        for way, order in enumerate([range(pointer, embedded.shape[1]), range(pointer - 1, -1, -1)]):
            cell = plain(jax.tree.map(lambda leaf, way=way: np.asarray(leaf[way], float), lines.cells))
            for place, line in enumerate(order):
                seen = np.asarray(x[number]) * (place == 0)
                expected = cell.read(np.concatenate([embedded[number, line], seen]))
                assert np.allclose(outputs[number, place, way * size : (way + 1) * size], expected, atol=1e-5)


def test_a_stack_gives_back_what_was_pushed_last() -> None:
    """Pushes and pops for certain, whatever is read."""
    cell = jax.tree.map(lambda leaf: leaf[0], small_agent("stack", "minecraft").lines.cells)
    hidden, stack = cell.start()
    tops = []
    for pushes in (True, True, False, False):
        acts = jnp.where(jnp.arange(3) == (0 if pushes else 1), 100.0, -100.0)
        certain = eqx.tree_at(lambda cell: (cell.act.weight, cell.act.bias), cell, (0 * cell.act.weight, acts))
        (hidden, stack), _ = certain.step((hidden, stack), jax.random.normal(jax.random.key(len(tops)), (15,)))
        tops.append(np.asarray(stack[0]))
    assert np.allclose(tops[2], tops[0], atol=1e-6)
    assert not np.allclose(tops[1], tops[0], atol=1e-3)
    assert np.allclose(tops[3], EMPTY)
