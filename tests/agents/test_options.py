"""What the authors' programs did beyond the paper, and other options."""

from dataclasses import replace
from typing import Any

import equinox as eqx
import jax
import numpy as np
import pytest

from cofca.agents.base import CLOSED, judge
from cofca.agents.modules.cells import described
from cofca.agents.registry import make_agent
from cofca.agents.sizes import PAPER

from .samples import Moments, answers, made, moments, quickly, spec


def test_the_line_makes_the_kernel_of_a_second_convolution() -> None:
    agent, found = made("minecraft", conditioned=True), moments("cofca-s", "minecraft", number=6)
    for obs, pointer in zip(_each(found.obs), found.memory.pointer.tolist(), strict=True):
        sight, line = agent.torso(obs), agent.line(obs.lines[pointer])
        got = agent.relate(sight, line)
        first = np.asarray(sight.seen).reshape(3, 3, -1)
        kernel = np.asarray(agent.relate.kernel(line)).reshape(2, 2, first.shape[-1], -1)
        expected = np.zeros(kernel.shape[-1])
        for row in range(2):
            for column in range(2):
                patch = first[row : row + 2, column : column + 2]
                expected += np.maximum(np.einsum("ijc,ijco->o", patch, kernel), 0)
        assert np.allclose(got, expected, rtol=1e-4, atol=1e-4)


def _log_probs(agent: Any, found: Moments) -> jax.Array:
    def one(obs: Any, memory: Any, decision: Any, response: Any) -> jax.Array:
        return judge(agent, agent.look(obs, memory), obs, decision, response).log_prob

    return jax.vmap(one)(*found)


def _each(obs: Any) -> list[Any]:
    return [jax.tree.map(lambda leaf, row=row: leaf[row], obs) for row in range(obs.mask.shape[0])]


def test_gradients_reach_the_kernel() -> None:
    agent, found = made("minecraft", conditioned=True), moments("cofca-s", "minecraft", number=40)
    gradient = quickly(jax.grad(lambda agent: (_log_probs(agent, found) ** 2).sum()))(agent)
    assert (np.asarray(gradient.relate.kernel.weight) != 0).any()
    assert (np.asarray(gradient.relate.bias) != 0).any()


def test_it_is_refused_where_the_convolution_is_not_pooled() -> None:
    with pytest.raises(ValueError, match="whose own convolution is pooled"):
        made("starcraft", conditioned=True)


@pytest.mark.parametrize("chosen", ["minecraft", "starcraft"])
def test_the_gate_may_be_kept_closed_until_a_command_has_been_carried_out(chosen: str) -> None:
    found = moments("cofca-s", chosen)
    free, bound = (answers(made(chosen, gate_after_commands=bound), found).movement.gate for bound in (False, True))
    carried_out = np.array(spec(chosen).conclusive)[np.asarray(found.response)]
    assert 0 < carried_out.sum() < carried_out.size
    assert np.array_equal(np.asarray(bound)[carried_out], np.asarray(free)[carried_out])
    assert (np.asarray(bound)[~carried_out] == CLOSED).all()


def test_what_concludes_a_command() -> None:
    assert spec("starcraft").conclusive == (False, True)
    assert spec("minecraft").conclusive == (False,) * 9 + (True,) * 3


HISTORY = 6


def remembering(name: str, found: Moments) -> Moments:
    """Moments with a recurrent state of the right size."""
    agent = made("starcraft", name, before=True, history=HISTORY)
    hidden = np.random.default_rng(0).normal(size=(len(found.response), agent.hidden_size))
    return found._replace(memory=found.memory._replace(hidden=np.float32(hidden)))


@pytest.mark.parametrize("name", ["cofca-s", "cofca", "cofca-d"])
def test_the_history_is_a_gru_over_actions_and_responses(name: str) -> None:
    agent = made("starcraft", name, history=HISTORY)
    found = remembering(name, moments(name, "starcraft", number=30))
    after = answers(agent, found).after.hidden
    assert after.shape == (30, HISTORY)
    sigmoid = jax.nn.sigmoid
    for (action, response), state, got in zip(found.memory.before, found.memory.hidden, after, strict=True):
        rows = np.asarray(agent.deeds.table)
        heard = rows[action] + rows[spec("starcraft").actions + 1 + response]
        inputs = np.split(heard @ agent.history.inputs.weight + agent.history.inputs.bias, 3)
        reset, update, new = zip(inputs, np.split(state @ agent.history.recurrent, 3), strict=True)
        kept = sigmoid(sum(update))
        assert np.allclose(got, kept * state + (1 - kept) * np.tanh(new[0] + sigmoid(sum(reset)) * new[1]), atol=1e-5)


@pytest.mark.parametrize("name", ["cofca-s", "cofca", "cofca-d", "olsk", "olsk-e"])
def test_what_was_done_before_is_learned_from(name: str) -> None:
    found = remembering(name, moments(name, "starcraft"))
    gradient = quickly(jax.grad(lambda agent: (_log_probs(agent, found) ** 2).sum()))
    reached: Any = None
    for seed in range(4):
        one = gradient(made("starcraft", name, seed, before=True, history=HISTORY))
        parts = [one.past] if name.startswith("olsk") else [one.past, one.deeds, one.history]
        sizes = jax.tree.map(abs, parts)
        reached = sizes if reached is None else jax.tree.map(np.maximum, reached, sizes)
    assert all((np.asarray(leaf) > 0).all() for leaf in jax.tree.leaves(reached))


@pytest.mark.parametrize("chosen", ["minecraft", "starcraft"])
def test_an_agent_without_history_starts_as_it_always_has(chosen: str) -> None:
    plain, remembers = made(chosen), made(chosen, before=True, history=HISTORY)
    assert plain.past is plain.deeds is plain.history is None
    assert plain.hidden_size == 0
    for part in ("line", "torso", "act", "gate", "phi", "both_ways", "forward"):
        for one, other in zip(*(jax.tree.leaves(getattr(agent, part)) for agent in (plain, remembers)), strict=True):
            assert np.array_equal(one, other)


@pytest.mark.parametrize("name", ["cofca-s", "cofca", "cofca-d"])
def test_what_the_observation_tells_about_symbols_is_learned(name: str) -> None:
    agent, found = made("starcraft", name, answers=2), moments(name, "starcraft")
    gradient = quickly(jax.grad(lambda agent: (_log_probs(agent, found) ** 2).sum()))(agent)
    asked = np.asarray(gradient.both_ways.ask.weight).reshape(-1, len(agent.line.table), 2)
    # Not of every symbol: some are only in lines that no open gate could have led to.
    assert (asked != 0).any(axis=(0, 2)).mean() > 0.5


@pytest.mark.parametrize(
    ("name", "chosen"), [("cofca-s", "starcraft"), ("olsk", "starcraft"), ("cofca-d", "minecraft")]
)
def test_the_line_above_is_seen_if_asked_for_and_only_then(name: str, chosen: str) -> None:
    found = moments(name, chosen, number=60)
    pointer = np.asarray(found.memory.pointer)
    above = np.zeros(found.obs.mask.shape, bool)
    above[np.arange(len(pointer)), pointer - 1] = pointer > 0
    # Another symbol that the vocabulary has, on the line above only.
    other = np.where(above[..., None], 1 + np.asarray(found.obs.lines) % 2, np.asarray(found.obs.lines))
    changed = found._replace(obs=found.obs._replace(lines=jax.numpy.asarray(other.astype(np.int8))))
    differs = (other != np.asarray(found.obs.lines)).any(axis=(1, 2))
    assert 0 < differs.sum() < len(differs)
    for seen in (True, False):
        agent = made(chosen, name, above=seen)
        one, two = (np.asarray(answers(agent, each).logits) for each in (found, changed))
        assert ((one != two).any(axis=1) == (differs & seen)).all()


@pytest.mark.parametrize("option", ["presence", "places"])
@pytest.mark.parametrize("name", ["cofca-s", "olsk", "unstructured"])
def test_what_stands_and_where_is_told_if_asked_for(name: str, option: str) -> None:
    """With nothing seen by the convolution, the grid still decides what is done."""
    found = moments(name, "starcraft", number=60)
    empty = found._replace(obs=found.obs._replace(grid=jax.numpy.zeros_like(found.obs.grid)))
    for told in (True, False):
        agent = made("starcraft", name, **{"presence": False, "places": False, option: told})
        blind = eqx.tree_at(lambda agent: agent.torso.flat.weight, agent, replace_fn=jax.numpy.zeros_like)
        one, two = (np.asarray(answers(blind, each).logits) for each in (found, empty))
        assert (one != two).any(axis=1).all() == told


def test_a_line_finds_the_cells_of_what_it_asks_for() -> None:
    agent = made("starcraft", places=True)
    pylons = np.zeros((6, 6, 20), np.float32)
    pylons[[1, 4], [2, 5], 8] = 1
    sight = agent.torso(jax.tree.map(lambda leaf: leaf[0], moments("cofca-s", "starcraft").obs))
    line = agent.line(jax.numpy.array([9]))
    seen = agent.find(sight._replace(grid=pylons), line).reshape(6, 6)
    asked = agent.find.question(line)[8]
    expected = np.zeros((6, 6))
    expected[[1, 4], [2, 5]] = asked
    np.testing.assert_allclose(seen, expected, atol=1e-6)


def test_what_is_learned_of_one_name_holds_for_all() -> None:
    """With all that is known of single symbols and actions taken away, every line has the action that it names."""
    agent, found = made("starcraft", names=True, places=False), moments("cofca-s", "starcraft", number=60)
    agent = eqx.tree_at(lambda agent: (agent.act, agent.name.weight.weight), agent, replace_fn=_nothing)
    agent = eqx.tree_at(lambda agent: agent.name.weight.bias, agent, jax.numpy.array([3.0]))
    logits = np.asarray(answers(agent, found).logits)
    pointed = np.asarray(found.obs.lines)[np.arange(60), np.asarray(found.memory.pointer), 0]
    commands = [command_of(int(symbol)) for symbol in pointed]
    expected = np.arange(logits.shape[1]) == np.array(commands)[:, None]
    np.testing.assert_array_equal(logits, np.where(expected, 3.0, 0.0))
    assert 5 < len(set(commands)) < 31


def test_domains_without_cells_or_names_to_choose_say_so() -> None:
    with pytest.raises(ValueError, match="places need actions that are cells of the grid"):
        made("minecraft", places=True)
    with pytest.raises(ValueError, match="names need actions that are called as lines are"):
        made("minecraft", names=True)


def test_a_cell_is_chosen_by_what_is_there_and_around() -> None:
    """The same surroundings elsewhere are worth as much."""
    agent = made("starcraft", places=True, above=False)
    sight = agent.torso(jax.tree.map(lambda leaf: leaf[0], moments("cofca-s", "starcraft").obs))
    grid = np.zeros((6, 6, 20), np.float32)
    grid[1, 1, 3] = grid[1, 2, 7] = grid[4, 4, 3] = grid[4, 5, 7] = 1
    cells = np.asarray(described(sight._replace(grid=grid), [])).reshape(6, 6, 40)
    assert (cells[..., :20] == grid).all()
    assert (cells[:3, :3] == cells[3:, 3:]).all()
    assert (cells[0, 1, 23], cells[0, 1, 27], cells[0, 3, 23], cells[0, 3, 27], cells[5, 0].sum()) == (1, 1, 0, 1, 0)
    logits, here = jax.numpy.zeros(70), jax.random.normal(jax.random.key(0), (10,))
    chosen = agent.choose(logits, here, described(sight._replace(grid=grid), [jax.numpy.zeros(36)]))
    assert (chosen[:18] == 0).all()
    assert (chosen[54:] == 0).all()
    by_cell = np.asarray(chosen[18:54]).reshape(6, 6)
    np.testing.assert_allclose(by_cell[1, 1], by_cell[4, 4], rtol=1e-5)
    assert by_cell[1, 1] != 0


def _nothing(part: Any) -> Any:
    return jax.tree.map(jax.numpy.zeros_like, part)


def command_of(symbol: int) -> int:
    """The choice that a line names: nothing, three Probes, fourteen buildings, thirty-six cells, sixteen units."""
    if symbol == 0:
        return -1
    return 4 + symbol - 1 if symbol <= 14 else 4 + 14 + 36 + symbol - 15


@pytest.mark.parametrize("name", ["cofca-s", "cofca", "olsk", "cofca-d"])
def test_some_moves_go_to_any_line_that_can_be_reached(name: str) -> None:
    found = moments(name, "starcraft", number=60)
    settled, restless = (
        np.exp(np.asarray(answers(made("starcraft", name, wander=share), found).movement.targets))
        for share in (0.0, 0.25)
    )
    reached = settled > 0
    expected = 0.75 * settled + 0.25 * reached / reached.sum(axis=1, keepdims=True)
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


def test_sizes_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="hidden must not be negative, not -1"):
        replace(PAPER["minecraft"]["cofca-s"], hidden=-1)
    with pytest.raises(ValueError, match=r"wander must be at least 0 and less than 1, not 1\.0"):
        replace(PAPER["starcraft"]["cofca-s"], wander=1.0)
    with pytest.raises(ValueError, match="stride must be 1 or 2, not 3"):
        replace(PAPER["minecraft"]["cofca-s"], stride=3)


def test_the_paper_is_the_default() -> None:
    agent = make_agent(jax.random.key(0), "cofca-s", "minecraft", spec("minecraft"))
    assert agent.act.weight.shape[0] == PAPER["minecraft"]["cofca-s"].hidden == 128
