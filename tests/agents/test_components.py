"""The components that agents are put together from: other encoders, action heads, and what single numbers switch."""

from dataclasses import replace
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tiny_preset import SMALL, TINY

from agents.samples import (
    HISTORY,
    Moments,
    answers,
    made,
    moments,
    new,
    quickly,
    remembers,
    small_agent,
    spec,
    with_history,
)
from cofca.agents.base import Agent
from cofca.agents.decide import evaluate_actions
from cofca.agents.distribution import CLOSED
from cofca.agents.encoders.conditioned import ConditionedPointerEncoder
from cofca.agents.encoders.starcraft import CellHead, Choices, NameHead, surroundings
from cofca.agents.modules.scan import IMPOSSIBLE
from cofca.experiments.presets import PRESETS, TUNED


@quickly
@jax.grad
def gradient(agent: Agent, found: Moments) -> jax.Array:
    """Of something that depends on all that is decided."""

    def one(found: Moments) -> jax.Array:
        obs, memory, decision, response = found
        return evaluate_actions(agent, agent.forward(obs, memory), decision, response).log_prob

    # Chosen lines out of reach would drown everything in IMPOSSIBLE.
    log_probs = jax.vmap(one)(found)
    return jnp.where(log_probs > IMPOSSIBLE / 2, log_probs**2, 0.0).sum()


# The line makes the kernel


def conditioned() -> Any:
    return new(replace(TINY.agents["minecraft"]["cofca-s"], encoder=ConditionedPointerEncoder), "minecraft")


def test_the_line_makes_the_kernel_of_a_second_convolution() -> None:
    agent, found = conditioned(), moments("cofca-s", "minecraft", number=6)
    for obs, pointer in zip(_each(found.obs), found.memory.pointer.tolist(), strict=True):
        patches, line = agent.encoder.encoder.patches(obs), agent.lines.embed(obs.lines[pointer])
        got = agent.encoder.convolved(patches, line)
        first = np.asarray(patches).reshape(3, 3, -1)
        kernel = np.asarray(agent.encoder.kernel(line)).reshape(2, 2, first.shape[-1], -1)
        expected = np.zeros(kernel.shape[-1])
        for row in range(2):
            for column in range(2):
                patch = first[row : row + 2, column : column + 2]
                expected += np.maximum(np.einsum("ijc,ijco->o", patch, kernel), 0)
        assert np.allclose(got, expected, rtol=1e-4, atol=1e-4)


def _each(obs: Any) -> list[Any]:
    return [jax.tree.map(lambda leaf, row=row: jnp.asarray(leaf[row]), obs) for row in range(obs.mask.shape[0])]


def test_gradients_reach_the_kernel() -> None:
    found = gradient(conditioned(), moments("cofca-s", "minecraft", number=40)).encoder
    assert (np.asarray(found.kernel.weight) != 0).any()
    assert (np.asarray(found.bias) != 0).any()


# The gate


@pytest.mark.parametrize("chosen", ["minecraft", "starcraft"])
def test_the_gate_may_be_kept_closed_until_a_command_has_been_carried_out(chosen: str) -> None:
    found = moments("cofca-s", chosen)
    free, bound = (answers(made(chosen, gate_after_commands=bound), found).movement.gate for bound in (False, True))
    carried_out = np.array(spec(chosen).conclusive)[np.asarray(found.response)]
    assert 0 < carried_out.sum() < carried_out.size
    assert np.array_equal(np.asarray(bound)[carried_out], np.asarray(free)[carried_out])
    assert (np.asarray(bound)[~carried_out] == CLOSED).all()


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def test_what_concludes_a_command() -> None:
    assert spec("starcraft").conclusive == (False, True)
    assert spec("minecraft").conclusive == (False,) * 9 + (True,) * 3


# A GRU over actions


@pytest.mark.parametrize("name", ["cofca-s", "cofca", "cofca-d"])
def test_the_history_is_a_gru_over_actions(name: str) -> None:
    agent, found = new(remembers(name), "starcraft"), with_history(moments(name, "starcraft", number=30))
    after = answers(agent, found).after.hidden
    assert agent.hidden_size == HISTORY
    assert after.shape == (30, HISTORY)
    rows, gru = np.asarray(agent.encoder.action_embedding.table), jax.device_get(agent.encoder.gru)
    for (action, _), state, got in zip(found.memory.before, found.memory.hidden, after, strict=True):
        inputs = np.split(rows[action] @ gru.inputs.weight + gru.inputs.bias, 3)
        reset, update, new_ = zip(inputs, np.split(state @ gru.recurrent, 3), strict=True)
        kept = sigmoid(sum(update))
        assert np.allclose(got, kept * state + (1 - kept) * np.tanh(new_[0] + sigmoid(sum(reset)) * new_[1]), atol=1e-5)


@pytest.mark.parametrize("name", ["cofca-s", "cofca", "cofca-d"])
def test_what_was_done_before_is_learned_from(name: str) -> None:
    found = with_history(moments(name, "starcraft"))
    reached: Any = None
    for seed in range(4):
        encoder = gradient(new(remembers(name), "starcraft", seed), found).encoder
        sizes = jax.tree.map(np.abs, jax.device_get([encoder.action_embedding, encoder.gru]))
        reached = sizes if reached is None else jax.tree.map(np.maximum, reached, sizes)
    assert all((np.asarray(leaf) > 0).all() for leaf in jax.tree.leaves(reached))


@pytest.mark.parametrize("name", ["olsk", "olsk-e"])
def test_who_has_a_recurrent_state_can_not_have_another(name: str) -> None:
    with pytest.raises(ValueError, match="a recurrent state of its own can't have one over actions as well"):
        new(remembers(name), "starcraft")


@pytest.mark.parametrize("chosen", ["minecraft", "starcraft"])
def test_an_agent_without_history_starts_as_it_always_has(chosen: str) -> None:
    """Another encoder changes no other part."""
    plain, remembering = made(chosen), new(remembers("cofca-s", chosen), chosen)
    assert plain.hidden_size == 0
    for part in ("head", "critic", "gate_phi", "lines", "coins"):
        pair = (jax.tree.leaves(getattr(agent, part)) for agent in (plain, remembering))
        for one, other in zip(*pair, strict=True):
            assert np.array_equal(one, other)


# StarCraft's encoder and heads


@pytest.mark.parametrize(
    ("name", "chosen", "seen"),
    [("cofca-s", "starcraft", True), ("olsk", "starcraft", True), ("cofca-d", "minecraft", False)],
)
def test_the_line_above_is_seen_in_starcraft_and_only_there(name: str, chosen: str, seen: bool) -> None:
    agent, found = small_agent(name, chosen), moments(name, chosen)
    pointer = np.asarray(found.memory.pointer)
    above = np.zeros(found.obs.mask.shape, bool)
    above[np.arange(len(pointer)), pointer - 1] = pointer > 0
    # Another symbol that the vocabulary has, on the line above only.
    other = np.where(above[..., None], 1 + np.asarray(found.obs.lines) % 2, np.asarray(found.obs.lines))
    changed = found._replace(obs=found.obs._replace(lines=other.astype(np.int8)))
    differs = (other != np.asarray(found.obs.lines)).any(axis=(1, 2))
    assert 0 < differs.sum() < len(differs)
    one, two = (np.asarray(answers(agent, each).logits) for each in (found, changed))
    assert ((one != two).any(axis=1) == (differs & seen)).all()


def blind(agent: Any, asking: bool) -> Any:
    """An agent to whose convolution the grid is nothing, and whose z and lines may ask cells nothing either."""
    pointing = agent.has_pointer
    encoder = (lambda agent: agent.encoder.encoder) if pointing else (lambda agent: agent.encoder)
    agent = eqx.tree_at(lambda agent: encoder(agent).flat.weight, agent, replace_fn=jnp.zeros_like)
    if asking:
        return agent
    agent = eqx.tree_at(lambda agent: cells_of(agent).question, agent, replace_fn=_nothing)
    return eqx.tree_at(lambda agent: agent.encoder.question, agent, replace_fn=_nothing) if pointing else agent


def cells_of(agent: Any) -> CellHead:
    return agent.head if isinstance(agent.head, CellHead) else agent.head.cells


def _nothing(part: Any) -> Any:
    return jax.tree.map(jnp.zeros_like, part)


@pytest.mark.parametrize("name", ["cofca-s", "olsk", "unstructured"])
def test_what_stands_and_where_is_told(name: str) -> None:
    """With nothing seen by the convolution, the grid still decides what is done."""
    agent, found = small_agent(name, "starcraft"), moments(name, "starcraft")
    grid = found.obs.grid

    def changes(agent: Agent, other: np.ndarray) -> np.ndarray:
        changed = found._replace(obs=found.obs._replace(grid=other))
        one, two = (np.asarray(answers(agent, each).logits) for each in (found, changed))
        return ~np.isclose(one, two, atol=1e-6).all(axis=1)

    asking, deaf = (blind(agent, asking) for asking in (True, False))
    # Whoever asks no cell still knows what there is, but not where.
    assert changes(deaf, np.zeros_like(grid)).mean() > 0.9
    assert not changes(deaf, grid[:, ::-1]).any()
    assert changes(asking, grid[:, ::-1]).mean() > 0.9


def first(found: Any) -> Any:
    return jax.tree.map(lambda leaf: jnp.asarray(leaf[0]), found)


def test_a_line_finds_the_cells_of_what_it_asks_for() -> None:
    agent, found = small_agent("cofca-s", "starcraft"), first(moments("cofca-s", "starcraft"))
    pylons = np.zeros((6, 6, 20), np.uint8)
    pylons[[1, 4], [2, 5], 8] = 1
    lines = jnp.array([[9], [3], [0], [0]], jnp.int8)
    obs = found.obs._replace(grid=jnp.asarray(pylons), lines=lines)
    cells = agent.encode(obs, found.memory._replace(pointer=jnp.int32(1))).choices.cells
    # What answered the pointer's line, and the line above it.
    for line, seen in zip((lines[1], lines[0]), cells[:, -2:].T, strict=True):
        expected = np.zeros((6, 6))
        expected[[1, 4], [2, 5]] = agent.encoder.question(agent.lines.embed(line))[8]
        np.testing.assert_allclose(seen.reshape(6, 6), expected, atol=1e-6)


def test_what_is_learned_of_one_name_holds_for_all() -> None:
    """With all that is known of single symbols and actions taken away, every line has the action that it names."""
    agent, found = small_agent("cofca-s", "starcraft"), moments("cofca-s", "starcraft")
    agent = eqx.tree_at(lambda agent: (agent.head.cells, agent.head.weight.weight), agent, replace_fn=_nothing)
    agent = eqx.tree_at(lambda agent: agent.head.weight.bias, agent, jnp.array([3.0]))
    logits = np.asarray(answers(agent, found).logits)
    pointed = np.asarray(found.obs.lines)[np.arange(len(logits)), np.asarray(found.memory.pointer), 0]
    commands = [command_of(int(symbol)) for symbol in pointed]
    named = np.arange(logits.shape[1]) == np.array(commands)[:, None]
    possible = np.asarray(found.obs.action_mask) > 0
    np.testing.assert_array_equal(logits, np.where(possible, np.where(named, 3.0, 0.0), IMPOSSIBLE))
    assert len(set(commands)) > 5
    assert (named & possible).any()


def command_of(symbol: int) -> int:
    """The choice that a line names: nothing, three Probes, fourteen buildings, thirty-six cells, sixteen units."""
    if symbol == 0:
        return -1
    return 4 + symbol - 1 if symbol <= 14 else 4 + 14 + 36 + symbol - 15


@pytest.mark.parametrize("head", [CellHead, NameHead])
def test_domains_without_cells_or_names_to_choose_have_no_head_for_them(head: type) -> None:
    with pytest.raises(AssertionError):
        new(replace(TINY.agents["minecraft"]["cofca-s"], head=head), "minecraft")


def test_a_cell_is_chosen_by_what_is_there_and_around() -> None:
    """The same surroundings elsewhere are worth as much."""
    grid = np.zeros((6, 6, 20), np.float32)
    grid[1, 1, 3] = grid[1, 2, 7] = grid[4, 4, 3] = grid[4, 5, 7] = 1
    told = surroundings(jnp.asarray(grid))
    cells = np.asarray(told).reshape(6, 6, 40)
    assert (cells[..., :20] == grid).all()
    assert (cells[:3, :3] == cells[3:, 3:]).all()
    assert (cells[0, 1, 23], cells[0, 1, 27], cells[0, 3, 23], cells[0, 3, 27], cells[5, 0].sum()) == (1, 1, 0, 1, 0)
    head = eqx.tree_at(lambda head: head.act, small_agent("unstructured", "starcraft").head, replace_fn=_nothing)
    z = jax.random.normal(jax.random.key(0), (SMALL["hidden"],))
    mask = jnp.ones(70, jnp.uint8).at[20].set(0)
    chosen = head(z, Choices(told, mask), jnp.array([0], jnp.int8))
    assert (chosen[:18] == 0).all()
    assert (chosen[54:] == 0).all()
    assert chosen[20] == IMPOSSIBLE
    by_cell = np.asarray(chosen[18:54]).reshape(6, 6)
    np.testing.assert_allclose(by_cell[1, 1], by_cell[4, 4], rtol=1e-5)
    assert by_cell[1, 1] != 0


# Numbers


@pytest.mark.parametrize("name", ["cofca-s", "cofca", "olsk", "cofca-d"])
def test_some_moves_go_to_any_line_that_can_be_reached(name: str) -> None:
    found = moments(name, "starcraft")
    settled, restless = (
        np.exp(np.asarray(answers(made("starcraft", name, wander=share), found).targets)) for share in (0.0, 0.1)
    )
    reached = settled > 0
    expected = 0.9 * settled + 0.1 * reached / reached.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(restless, expected, atol=1e-5)
    # Of all lines but, while the gate is open, the pointer's own; OLSK can only go to those next to it.
    pointer, length = np.asarray(found.memory.pointer)[:, None], np.asarray(found.obs.mask).sum(axis=1)[:, None]
    line = np.arange(reached.shape[1])
    exists = line < length
    assert (reached <= exists).all()
    if name in ("cofca-s", "olsk"):
        near = np.abs(line - pointer) <= (1 if name == "olsk" else line.size)
        may = exists & near & ((line != pointer) | (name == "olsk") | (length == 1))
        assert (reached == may).all()


def test_coins_start_with_the_bias_they_are_given() -> None:
    biased = made("minecraft", coin_bias=2.0).coins
    assert (biased.forward.bias == 2).all()
    assert (biased.backward.bias == 2).all()
    found = moments("cofca-s", "minecraft")
    near, far = (answers(made("minecraft", coin_bias=bias), found).targets for bias in (9.0, -9.0))
    ahead = np.asarray(found.obs.mask.sum(axis=1)) - 1 > found.memory.pointer
    following = np.arange(len(ahead))[ahead], np.asarray(found.memory.pointer)[ahead] + 1
    assert (np.exp(near[following]) > 0.9).all()
    # But for those who have nowhere else to go.
    assert (np.exp(far[following]) < 0.1).mean() > 0.5


def test_the_tuned_agents_are_as_large_as_their_preset_says() -> None:
    tuned = PRESETS[TUNED].agent("minecraft", "cofca-s")
    agent = jax.eval_shape(lambda: new(tuned, "minecraft"))
    assert agent.head.act.weight.shape[0] == tuned.numbers["hidden"] == 128
    assert agent.encoder.encoder.convolution.bias.size == tuned.encoder_numbers["channels"] == 32
