"""The GRUs over lines: computed as two or as one, prepared or not, one by one or at once, they are the same; and they
are GRUs."""

from typing import Any

import jax
import numpy as np
import pytest

from cofca.agents import columns
from cofca.agents.fused import recurrence
from cofca.agents.modules import line_gru as lines

from .samples import Moments, made, moments


def read(agent: Any, found: Moments) -> np.ndarray:
    def one(obs: Any, memory: Any) -> jax.Array:
        return agent.read(agent.look(obs, memory))

    return np.asarray(jax.jit(jax.vmap(one))(found.obs, found.memory))


@pytest.mark.parametrize("asked", [0, 3])
@pytest.mark.parametrize("chosen", ["minecraft", "starcraft"])
def test_both_grus_as_one_or_apart_and_prepared_or_not_are_the_same(chosen: str, asked: int, monkeypatch: Any) -> None:
    agent, found = made(chosen, answers=asked), moments("cofca-s", chosen, number=20)
    apart, prepared = read(agent, found), read(agent.prepared(), found)
    monkeypatch.setattr(lines, "on_cpu", lambda: False)
    as_one = read(agent, found)
    assert len(agent.prepared().reader.strands) == 1
    assert np.allclose(apart, prepared, atol=1e-6)
    assert np.allclose(apart, as_one, atol=1e-5)


@pytest.mark.parametrize("asked", [0, 3])
@pytest.mark.parametrize(("name", "near_sighted"), [("cofca-s", False), ("cofca-d", True)])
def test_the_outputs_are_those_of_a_plain_gru_from_the_pointer_both_ways(
    name: str, near_sighted: bool, asked: int
) -> None:
    agent, found = made("minecraft", name, answers=asked), moments(name, "minecraft", number=20)
    outputs = read(agent, found)
    codes = np.asarray(jax.vmap(lambda obs, memory: agent.look(obs, memory).code)(found.obs, found.memory))
    embedded = np.asarray(agent.line(found.obs.lines))
    size = outputs.shape[-1] // 2
    for number, pointer in enumerate(np.asarray(found.memory.pointer)):
        for way, order in enumerate([range(pointer, embedded.shape[1]), range(pointer - 1, -1, -1)]):
            gru = jax.tree.map(lambda leaf, way=way: np.asarray(leaf[way]), agent.both_ways.grus)
            hidden = np.zeros(size)
            for place, line in enumerate(order):
                told = what_is_told(agent, codes[number], found.obs.lines[number, line], asked)
                seen = np.concatenate([codes[number], told]) * (place == 0 or not near_sighted)
                hidden = plain_gru(gru, hidden, np.concatenate([embedded[number, line], seen]))
                assert np.allclose(outputs[number, place, way * size : (way + 1) * size], hidden, atol=1e-5)


@pytest.mark.parametrize("asked", [0, 3])
@pytest.mark.parametrize("name", ["cofca", "cofca-s", "cofca-d"])
def test_read_as_one_batch_or_each_by_itself_the_lines_and_their_gradients_are_the_same(
    name: str, asked: int, monkeypatch: Any
) -> None:
    agent, found = made("starcraft", name, answers=asked), moments(name, "starcraft", number=20)
    obs, memory = jax.tree.map(lambda leaf: leaf.reshape(4, 5, *leaf.shape[1:]), (found.obs, found.memory))

    def score(agent: Any) -> Any:
        agent = agent.prepared()
        views = jax.vmap(jax.vmap(agent.recall))(agent.perceive_all(obs, memory), memory.hidden)
        around = agent.survey_all(views).around
        return (around * jax.numpy.cos(jax.numpy.arange(around.size).reshape(around.shape))).sum(), around

    def scored() -> Any:
        return jax.jit(jax.value_and_grad(score, has_aux=True))(agent)

    batched, survey = list[bool](), columns.ColumnsAgent.survey

    def watched(agent: Any, views: Any) -> Any:
        batched.append(views.pointer.ndim == 2)
        return survey(agent, views)

    monkeypatch.setattr(columns.ColumnsAgent, "survey", watched)
    apart = scored()
    assert set(batched) == {False}
    for room in (columns, lines, recurrence):
        monkeypatch.setattr(room, "on_cpu", lambda: False)
    batched.clear()
    at_once = scored()
    assert set(batched) == {True}
    monkeypatch.setattr(jax, "device_count", lambda: 8)
    batched.clear()
    jax.eval_shape(score, agent)
    assert set(batched) == {False}
    for one, other in zip(*map(jax.tree.leaves, (apart, at_once)), strict=True):
        np.testing.assert_allclose(one, other, atol=2e-4, rtol=1e-4)


def what_is_told(agent: Any, code: np.ndarray, line: Any, asked: int) -> np.ndarray:
    """The answers about the symbols of a line, summed."""
    if not asked:
        return np.zeros(0)
    about = np.asarray(agent.both_ways.ask(jax.numpy.asarray(code))).reshape(-1, asked)
    return sum(about[start + int(symbol)] for start, symbol in zip(agent.line.starts, line, strict=True))


def plain_gru(gru: Any, hidden: np.ndarray, inputs: np.ndarray) -> np.ndarray:
    reset, update, new = np.split(inputs @ gru.inputs.weight + gru.inputs.bias, 3)
    of_reset, of_update, of_new = np.split(hidden @ gru.recurrent, 3)
    share = sigmoid(update + of_update)
    return share * hidden + (1 - share) * np.tanh(new + sigmoid(reset + of_reset) * of_new)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))
