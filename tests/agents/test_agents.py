"""The five agents on both domains: their distributions, gradients and invariances."""

from functools import partial
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from cofca.agents.base import Agent, Chances, Movement, choose_action, choose_move, draw_chances, judge, sample
from cofca.utils.trees import stack
from cofca.agents.modules.scan import IMPOSSIBLE
from cofca.agents.registry import make_agent

from .samples import EACH, LINES, Moments, answers, moments, quickly, small_agent, small_sizes, spec

each = pytest.mark.parametrize(("name", "chosen"), EACH)
with_pointer = pytest.mark.parametrize(("name", "chosen"), [pair for pair in EACH if pair[0] != "unstructured"])
each_domain = pytest.mark.parametrize("chosen", ["minecraft", "starcraft"])


def padded(found: Moments, more: int = 2) -> Moments:
    """The same with room for more lines."""
    obs = found.obs
    lines, mask = jnp.pad(obs.lines, ((0, 0), (0, more), (0, 0))), jnp.pad(obs.mask, ((0, 0), (0, more)))
    return found._replace(obs=obs._replace(lines=lines, mask=mask))


# Distributions


@each
def test_targets_are_a_distribution_over_the_lines_that_exist(name, chosen):
    found = moments(name, chosen)
    targets = np.exp(answers(small_agent(name, chosen), found).movement.targets)
    assert np.allclose(targets.sum(axis=1), 1, atol=1e-5)
    assert not targets[np.asarray(found.obs.mask) == 0].any()


@with_pointer
def test_every_line_in_reach_can_be_chosen_and_no_other(name, chosen):
    found = moments(name, chosen)
    targets = np.exp(answers(small_agent(name, chosen), found).movement.targets)
    length, pointer = np.asarray(found.obs.mask.sum(axis=1))[:, None], np.asarray(found.memory.pointer)[:, None]
    moves = np.arange(LINES) - pointer
    reach = (np.arange(LINES) < length) & (abs(moves) <= (1 if name == "olsk" else LINES))
    if not name.startswith("olsk"):
        # Whoever looks one way only stays where there is nothing more that way.
        at_an_end = (length == 1) | (name == "cofca-d") & ((pointer == 0) | (pointer == length - 1))
        reach &= (moves != 0) | at_an_end
    assert np.array_equal(targets > 0, reach)


@each
def test_padding_changes_nothing(name, chosen):
    agent, found = small_agent(name, chosen), moments(name, chosen)
    short, long = answers(agent, found), answers(agent, padded(found))
    assert (long.movement.targets[:, LINES:] <= IMPOSSIBLE / 2).all()
    trimmed = long._replace(movement=long.movement._replace(targets=long.movement.targets[:, :LINES]))
    for one, other in zip(jax.tree.leaves(short), jax.tree.leaves(trimmed), strict=True):
        assert np.allclose(one, other, atol=1e-5)


@with_pointer
def test_what_the_agent_does_depends_on_the_line_at_the_pointer(name, chosen):
    agent, found = small_agent(name, chosen), moments(name, chosen)
    at = np.arange(len(found.memory.pointer)), found.memory.pointer
    symbol = (found.obs.lines[at][:, 0] + 1) % (spec(chosen).symbols[0] + 1)
    changed = found._replace(obs=found.obs._replace(lines=found.obs.lines.at[*at, 0].set(symbol)))
    one, other = answers(agent, found), answers(agent, changed)
    assert (abs(one.logits - other.logits).max(axis=1) > 1e-6).mean() > 0.9


def test_unstructured_memory_has_no_pointer_to_move():
    found = moments("unstructured", "minecraft")
    movement = answers(small_agent("unstructured", "minecraft"), found).movement
    assert (jax.nn.sigmoid(movement.gate) < 1e-12).all()
    assert (movement.targets.argmax(axis=1) == 0).all()


@pytest.mark.parametrize("name", ["olsk-e", "cofca"])
def test_moves_beyond_the_lines_of_training_are_next_to_impossible_on_longer_instructions(name):
    agent, found = small_agent(name, "minecraft"), padded(moments(name, "minecraft"))
    found = found._replace(
        obs=found.obs._replace(mask=jnp.ones_like(found.obs.mask)),
        memory=found.memory._replace(pointer=jnp.zeros_like(found.memory.pointer)),
    )
    targets = np.exp(answers(agent, found).movement.targets)
    assert (targets[:, LINES:] < 1e-6).all()
    assert np.allclose(targets.sum(axis=1), 1, atol=1e-5)


# Memory


@each
def test_only_agents_with_a_recurrent_state_carry_one(name, chosen):
    agent, found = small_agent(name, chosen), moments(name, chosen)
    recurrent = name in ("unstructured", "olsk", "olsk-e")
    hidden = answers(agent, found).hidden
    assert (agent.hidden_size > 0) == recurrent
    assert agent.initial_memory().hidden.shape == hidden.shape[1:] == (agent.hidden_size,)
    if recurrent:
        other = found._replace(memory=found.memory._replace(hidden=-found.memory.hidden))
        assert not np.allclose(hidden, answers(agent, other).hidden)


@with_pointer
def test_the_pointer_moves_through_an_open_gate_only(name, chosen):
    found = moments(name, chosen)
    after = answers(small_agent(name, chosen), found).after
    expected = np.where(found.decision.gate, found.decision.target, found.memory.pointer)
    assert np.array_equal(after.pointer, expected)
    assert np.array_equal(after.before, np.stack([found.decision.action, found.response], axis=1) + 1)


# Gradients


def total(agent: Agent, found: Moments) -> jax.Array:
    def one(found: Moments) -> jax.Array:
        view = agent.look(found.obs, found.memory)
        seen = judge(agent, view, found.obs, found.decision, found.response)
        return seen.log_prob + seen.entropy + seen.value + agent.hidden(view).sum()

    # Chosen lines out of reach would drown everything in IMPOSSIBLE.
    scores = jax.vmap(one)(found)
    return jnp.where(scores > IMPOSSIBLE / 2, scores, 0.0).sum()


@quickly
def gradients(agents: Agent, found: Moments) -> Agent:
    """How much each parameter matters to any of several agents: in one of them a unit may be off whatever it sees."""
    each = jax.vmap(jax.grad(total), in_axes=(0, None))(agents, found)
    return jax.tree.map(lambda leaf: abs(leaf).max(axis=0), each)


def never_reached(agent: Any, name: str) -> Agent:
    """Parameters that can have no gradient: moves there are no lines for, and CoFCA's staying, which is no choice; and
    near-sighted, what the observation says to a reset gate: it is read when there is no state yet to reset."""
    nothing = jax.tree.map(lambda leaf: np.zeros(leaf.shape, bool), agent)
    if name == "cofca-d" and agent.both_ways.near_sighted:
        weight = np.zeros(agent.both_ways.grus.inputs.weight.shape, bool)
        weight[:, agent.line.table.shape[1] :, : weight.shape[-1] // 3] = True
        return eqx.tree_at(lambda agent: agent.both_ways.grus.inputs.weight, nothing, weight)
    if name not in ("cofca", "olsk-e"):
        return nothing
    moves = np.arange(-agent.farthest, agent.farthest + 1)
    layer = agent.xi if name == "cofca" else agent.phi
    moves = np.repeat(moves, layer.bias.size // len(moves))
    dead = (abs(moves) > LINES - 1) | ((moves == 0) & (name == "cofca"))
    weight = np.tile(dead, (len(layer.weight), 1))
    if name == "cofca":
        # Who can move over all lines stands on the first, with nothing behind.
        weight[len(weight) // 2 :, moves == LINES - 1] = True
    marked = eqx.tree_at(lambda layer: (layer.weight, layer.bias), layer, (weight, dead))
    return eqx.tree_at((lambda agent: agent.xi) if name == "cofca" else (lambda agent: agent.phi), nothing, marked)


@each
def test_the_gradient_reaches_every_parameter(name, chosen):
    agents = [small_agent(name, chosen, seed) for seed in range(8)]
    # So many that every action also meets the responses after which the gate may open.
    found = gradients(stack(agents), moments(name, chosen, number=960))
    wrong = []
    allowed = jax.tree.leaves(never_reached(agents[0], name))
    for (path, leaf), unreached in zip(jax.tree_util.tree_leaves_with_path(found), allowed, strict=True):
        assert np.isfinite(leaf).all()
        # Nothing, but for rounding.
        zero = np.asarray(leaf) <= 1e-7 * np.max(leaf)
        if not np.array_equal(zero, unreached):
            wrong.append((jax.tree_util.keystr(path), np.argwhere(zero != unreached).tolist()))
    assert not wrong


# CoFCA-S looks away from its pointer


CHUNK, LONG, AROUND = 5, 9, 2
"""Lines of a chunk, of the instruction, and from the pointer to either end of the chunk."""


@quickly
def columns_and_logits(agent: Any, found: Moments) -> tuple[jax.Array, jax.Array, jax.Array]:
    """The scan of CoFCA-S or CoFCA-D, and its logits forward and backward."""
    view = agent.look(found.obs, found.memory)
    return agent.columns(view), *agent.coins(view)


def placed(chosen: str, seed: int, start: int, pointer: int) -> Moments:
    """A chunk of random lines that starts somewhere among lines that are all the same."""
    found = jax.tree.map(lambda leaf: leaf[seed], moments("cofca-s", chosen, seed=1))
    rng = np.random.default_rng(seed)
    lines = np.ones((LONG, len(spec(chosen).symbols)), np.int8)
    lines[start : start + CHUNK] = np.stack([rng.integers(0, limit + 1, CHUNK) for limit in spec(chosen).symbols], 1)
    obs = found.obs._replace(lines=jnp.asarray(lines), mask=jnp.ones(LONG, jnp.uint8))
    return found._replace(obs=obs, memory=found.memory._replace(pointer=jnp.int32(pointer)))


@each_domain
@pytest.mark.parametrize(("name", "starts"), [("cofca-s", (0, 2, 4)), ("cofca-d", (1, 2, 3))])
def test_moving_a_chunk_and_the_pointer_together_leaves_the_scan_over_it_unchanged(name, starts, chosen):
    """Except for the lines that take what is left: the last ones visited."""
    agent = small_agent(name, chosen)
    for seed in range(5):
        seen = []
        for start in starts:
            columns, forward, backward = columns_and_logits(agent, placed(chosen, seed, start, start + AROUND))
            seen.append((columns[start : start + CHUNK], forward[:AROUND], backward[:AROUND]))
        for other in seen[1:]:
            for one, moved in zip(seen[0], other, strict=True):
                assert np.allclose(one, moved, atol=1e-5)


@each_domain
def test_moving_a_chunk_without_the_pointer_changes_the_scan(chosen):
    agent = small_agent("cofca-s", chosen)
    _, forward, backward = columns_and_logits(agent, placed(chosen, 0, start=2, pointer=4))
    _, other_forward, other_backward = columns_and_logits(agent, placed(chosen, 0, start=3, pointer=4))
    assert not np.allclose(forward[:AROUND], other_forward[:AROUND], atol=1e-3)
    assert not np.allclose(backward[:AROUND], other_backward[:AROUND], atol=1e-3)


@each_domain
def test_cofca_d_looks_ahead_without_asking_the_lines_behind_and_the_other_way_round(chosen):
    agent = small_agent("cofca-d", chosen)
    found = placed(chosen, 0, start=2, pointer=4)
    lines = np.asarray(found.obs.lines)
    for changed, column in ((slice(0, 3), 0), (slice(6, 8), -1)):
        other = lines.copy()
        other[changed] = lines[changed][:, ::-1] + 1
        moved = found._replace(obs=found.obs._replace(lines=jnp.asarray(np.minimum(other, spec(chosen).symbols))))
        before, after = (columns_and_logits(agent, each)[0] for each in (found, moved))
        assert np.allclose(before[:, column], after[:, column], atol=1e-6)
        assert not np.allclose(before, after, atol=1e-4)


@pytest.mark.parametrize(("name", "sees_its_line"), [("cofca-s", True), ("cofca-d", False)])
def test_near_sighted_the_coin_of_a_line_ahead_is_decided_before_that_line_is_read(name: str, sees_its_line: bool):
    agent, found = small_agent(name, "minecraft"), placed("minecraft", 0, start=2, pointer=4)
    lines = np.asarray(found.obs.lines).copy()
    lines[6] = (lines[6] + 1) % (np.array(spec("minecraft").symbols) + 1)
    changed = found._replace(obs=found.obs._replace(lines=jnp.asarray(lines)))
    before, after = (columns_and_logits(agent, each)[1] for each in (found, changed))
    differs = ~np.isclose(before, after, atol=1e-6).all(axis=1)
    # The lines ahead are 5, 6, 7, ...
    assert differs[:3].tolist() == [False, sees_its_line, True]


# Choosing


samples = quickly(jax.vmap(sample, in_axes=(0, None)))


def test_sampled_items_follow_the_softmax():
    number, logits = 40_000, jnp.array([0.3, IMPOSSIBLE, -1.0, 2.0, IMPOSSIBLE])
    uniform = jax.random.uniform(jax.random.key(0), (number,))
    found = np.bincount(samples(uniform, logits), minlength=5) / number
    expected = np.asarray(jax.nn.softmax(logits))
    assert (abs(found - expected) <= 4.5 * np.sqrt(expected * (1 - expected) / number)).all()


@pytest.mark.parametrize("place", range(3))
def test_an_impossible_item_is_never_sampled_even_at_the_ends(place):
    logits = jnp.zeros(3).at[place].set(IMPOSSIBLE)
    ends = jnp.array([0.0, 1e-45, 0.5, np.nextafter(np.float32(1), np.float32(0)), 1.0])
    assert place not in samples(ends, logits).tolist()


@quickly
def chosen_with(chances: Chances, movement: Movement, logits: jax.Array) -> tuple[jax.Array, ...]:
    gate, target = jax.vmap(partial(choose_move, movement=movement))(chances)
    return gate, target, jax.vmap(partial(choose_action, logits=logits))(chances)


@pytest.mark.parametrize("which", range(3))
def test_gate_action_and_target_are_sampled_with_their_probabilities(which):
    seen = answers(small_agent("cofca-s", "minecraft"), moments("cofca-s", "minecraft"))
    movement, logits = jax.tree.map(lambda leaf: leaf[which], (seen.movement, seen.logits))
    number, opens = 10_000, float(jax.nn.sigmoid(movement.gate))
    gate, target, action = chosen_with(draw_chances(jax.random.key(1), (number,)), movement, logits)
    for items, expected in (
        (np.int32(gate), np.array([1 - opens, opens])),
        (target, np.exp(movement.targets)),
        (action, np.asarray(jax.nn.softmax(logits))),
    ):
        share = np.bincount(items, minlength=len(expected)) / number
        assert (abs(share - expected) <= 5 * np.sqrt(expected * (1 - expected) / number) + 1e-6).all()


def test_without_chances_the_likeliest_is_taken():
    found = moments("cofca-s", "minecraft")
    seen = answers(small_agent("cofca-s", "minecraft"), found)
    gate, target = jax.vmap(partial(choose_move, None))(seen.movement)
    assert np.array_equal(gate, jax.nn.sigmoid(seen.movement.gate) > 0.5)
    assert np.array_equal(target, seen.movement.targets.argmax(axis=1))
    assert np.array_equal(jax.vmap(partial(choose_action, None))(seen.logits), seen.logits.argmax(axis=1))


# Judging


def log_softmax(logits: np.ndarray) -> np.ndarray:
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def plain_entropy(log_probs: np.ndarray) -> np.ndarray:
    probabilities = np.exp(log_probs)
    return -np.where(probabilities > 0, probabilities * log_probs, 0).sum(axis=-1)


@each
def test_a_judgement_is_the_joint_log_probability_and_entropy(name, chosen):
    agent, found = small_agent(name, chosen), moments(name, chosen)
    seen, rows = answers(agent, found), np.arange(len(found.response))

    judgement = seen.judgement
    logits, gate, targets = (np.asarray(part, np.float64) for part in (seen.logits, *seen.movement))
    if chosen == "starcraft":
        logits = np.where(found.obs.action_mask, logits, IMPOSSIBLE)
    actions, opened, closed = log_softmax(logits), -np.log1p(np.exp(-gate)), -np.log1p(np.exp(gate))
    moved = np.where(found.decision.gate, opened + targets[rows, found.decision.target], closed)
    log_prob = actions[rows, found.decision.action] + moved
    assert np.allclose(judgement.log_prob, log_prob, rtol=1e-5, atol=1e-5)
    gates = plain_entropy(np.stack([opened, closed], axis=-1))
    entropy = plain_entropy(actions) + gates + np.exp(opened) * plain_entropy(targets)
    assert np.allclose(judgement.entropy, entropy, atol=1e-5)
    assert np.allclose(judgement.gate, np.exp(opened), atol=1e-6)


# By name


@pytest.mark.parametrize("sizes", [None, small_sizes("cofca-s", "minecraft")])
def test_an_unknown_agent_is_refused_in_one_line(sizes):
    with pytest.raises(ValueError, match=r"unknown agent 'cofka'; expected one of cofca-s, .*, cofca-d") as caught:
        make_agent(jax.random.key(0), "cofka", "minecraft", spec("minecraft"), sizes)
    assert "\n" not in str(caught.value)


@each
def test_an_agent_is_a_function_of_its_key(name, chosen):
    def leaves(seed: int) -> list[np.ndarray]:
        agent = make_agent(jax.random.key(seed), name, chosen, spec(chosen), small_sizes(name, chosen))
        return [np.asarray(leaf) for leaf in jax.tree.leaves(agent)]

    assert all(np.array_equal(one, other) for one, other in zip(leaves(0), leaves(0), strict=True))
    assert not all(np.array_equal(one, other) for one, other in zip(leaves(0), leaves(1), strict=True))
