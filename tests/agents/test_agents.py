"""All agents on their domains: their distributions, gradients and invariances."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tiny_preset import TINY

from agents.samples import EACH, LINES, ONE_WAY, Moments, answers, made, moments, quickly, small_agent, spec
from cofca.agents.base import Agent
from cofca.agents.cofca import Cofca
from cofca.agents.decide import evaluate_actions
from cofca.agents.modules.scan import IMPOSSIBLE
from cofca.experiments.presets import PRESETS, TUNED
from cofca.utils.trees import stack

each = pytest.mark.parametrize(("name", "chosen"), EACH)
with_pointer = pytest.mark.parametrize(("name", "chosen"), [pair for pair in EACH if pair[0] != "unstructured"])
each_domain = pytest.mark.parametrize("chosen", ["minecraft", "starcraft"])


def padded(found: Moments, more: int = 2) -> Moments:
    """The same with room for more lines."""
    obs = found.obs
    lines, mask = np.pad(obs.lines, ((0, 0), (0, more), (0, 0))), np.pad(obs.mask, ((0, 0), (0, more)))
    return found._replace(obs=obs._replace(lines=lines, mask=mask))


# Distributions


@each
def test_targets_are_a_distribution_over_the_lines_that_exist(name, chosen):
    found = moments(name, chosen)
    targets = np.exp(answers(small_agent(name, chosen), found).targets)
    assert np.allclose(targets.sum(axis=1), 1, atol=1e-5)
    assert not targets[np.asarray(found.obs.mask) == 0].any()


@with_pointer
def test_every_line_in_reach_can_be_chosen_and_no_other(name, chosen):
    found = moments(name, chosen)
    targets = np.exp(answers(small_agent(name, chosen), found).targets)
    length, pointer = np.asarray(found.obs.mask.sum(axis=1))[:, None], np.asarray(found.memory.pointer)[:, None]
    moves = np.arange(LINES) - pointer
    reach = (np.arange(LINES) < length) & (abs(moves) <= (1 if name == "olsk" else LINES))
    if not (name.startswith("olsk") or name == "cofca-m"):
        # Whoever looks one way only stays where there is nothing more that way.
        at_an_end = (length == 1) | (name in ONE_WAY) & ((pointer == 0) | (pointer == length - 1))
        reach &= (moves != 0) | at_an_end
    assert np.array_equal(targets > 0, reach)


@each
def test_padding_changes_nothing(name, chosen):
    agent, found = small_agent(name, chosen), moments(name, chosen)
    short, long = answers(agent, found), answers(agent, padded(found))
    assert (long.targets[:, LINES:] <= IMPOSSIBLE / 2).all()
    columns = long.movement.columns[:, :LINES]
    trimmed = long._replace(movement=long.movement._replace(columns=columns), targets=long.targets[:, :LINES])
    for one, other in zip(jax.tree.leaves(short), jax.tree.leaves(trimmed), strict=True):
        assert np.allclose(one, other, atol=1e-5)


@with_pointer
def test_what_the_agent_does_depends_on_the_line_at_the_pointer(name, chosen):
    agent, found = small_agent(name, chosen), moments(name, chosen)
    at = np.arange(len(found.memory.pointer)), found.memory.pointer
    symbol = (found.obs.lines[at][:, 0] + 1) % (spec(chosen).symbols[0] + 1)
    lines = found.obs.lines.copy()
    lines[*at, 0] = symbol
    changed = found._replace(obs=found.obs._replace(lines=lines))
    one, other = answers(agent, found), answers(agent, changed)
    assert (abs(one.logits - other.logits).max(axis=1) > 1e-6).mean() > 0.9


def test_unstructured_memory_has_no_pointer_to_move():
    found = moments("unstructured", "minecraft")
    seen = answers(small_agent("unstructured", "minecraft"), found)
    assert (seen.movement.gate < np.log(1e-12)).all()
    assert (seen.targets.argmax(axis=1) == 0).all()


@each
def test_an_agent_says_whether_it_has_a_pointer(name, chosen):
    assert small_agent(name, chosen).has_pointer == (name != "unstructured")


@pytest.mark.parametrize("name", ["olsk-e", "cofca"])
def test_moves_beyond_the_lines_of_training_are_next_to_impossible_on_longer_instructions(name):
    agent, found = small_agent(name, "minecraft"), padded(moments(name, "minecraft"))
    found = found._replace(
        obs=found.obs._replace(mask=np.ones_like(found.obs.mask)),
        memory=found.memory._replace(pointer=np.zeros_like(found.memory.pointer)),
    )
    targets = np.exp(answers(agent, found).targets)
    assert (targets[:, LINES:] < 1e-6).all()
    assert np.allclose(targets.sum(axis=1), 1, atol=1e-5)


# Memory


@each
def test_only_agents_with_a_recurrent_state_carry_one(name, chosen):
    agent, found = small_agent(name, chosen), moments(name, chosen)
    recurrent = name in ("unstructured", "olsk", "olsk-e", "cofca-m")
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
        obs, memory, decision, response = found
        features = agent.forward(obs, memory)
        seen = evaluate_actions(agent, features, decision, response)
        hidden = agent.next_hidden(features, decision.action, response)
        return seen.log_prob + seen.entropy + seen.value + hidden.sum()

    # Chosen lines out of reach would drown everything in IMPOSSIBLE.
    scores = jax.vmap(one)(found)
    return jnp.where(scores > IMPOSSIBLE / 2, scores, 0.0).sum()


@quickly
def gradients(agents: Agent, found: Moments) -> Agent:
    """How much each parameter matters to any of several agents: in one of them a unit may be off whatever it sees."""
    each = jax.vmap(jax.grad(total), in_axes=(0, None))(agents, found)
    return jax.tree.map(lambda leaf: abs(leaf).max(axis=0), each)


SIGHT: dict[str, tuple[Any, int, int]] = {
    "cofca-d": (lambda agent: agent.lines.grus.inputs, 0, 3),
    "lstm": (lambda agent: agent.lines.cells.inputs, 1, 4),
    "stack": (lambda agent: agent.lines.cells.inputs, 0, 3),
}
"""Where the observation enters, the gate that has nothing to do with it yet, and how many gates there are."""


def never_reached(agent: Any, name: str) -> Agent:
    """Parameters that can have no gradient: moves there are no lines for, and CoFCA's staying, which is no choice; and
    near-sighted, what the observation says to a reset or forget gate: it is read when there is no state yet."""
    nothing = jax.tree.map(lambda leaf: np.zeros(leaf.shape, bool), agent)
    if name in SIGHT and agent.lines.near_sighted:
        inputs, gate, gates = SIGHT[name]
        weight = np.zeros(inputs(agent).weight.shape, bool)
        size = weight.shape[-1] // gates
        weight[:, agent.lines.embed.table.shape[1] :, gate * size : (gate + 1) * size] = True
        return eqx.tree_at(lambda agent: inputs(agent).weight, nothing, weight)
    if name == "cofca-r":
        return eqx.tree_at(lambda agent: agent.brackets.symbols.table, nothing, never_counted(agent.brackets.symbols))
    if name not in ("cofca", "olsk-e"):
        return nothing
    layer, columns = moves_of(agent), agent.gate_phi.phi.bias.size if name == "cofca" else 1
    farthest = layer.bias.size // columns // 2
    moves = np.repeat(np.arange(-farthest, farthest + 1), columns)
    dead = (abs(moves) > LINES - 1) | ((moves == 0) & (name == "cofca"))
    weight = np.tile(dead, (len(layer.weight), 1))
    if name == "cofca":
        # Who can move over all lines stands on the first, with nothing behind.
        weight[len(weight) // 2 :, moves == LINES - 1] = True
    marked = eqx.tree_at(lambda layer: (layer.weight, layer.bias), layer, (weight, dead))
    return eqx.tree_at(moves_of, nothing, marked)


def never_counted(symbols: Any) -> np.ndarray:
    """What the first line closes and the last one opens. Some symbols are always on the same line of the moments."""
    dead = np.zeros(symbols.table.shape, bool)
    returns = dead.shape[1] // 2
    for start, limit in zip(symbols.starts, spec("minecraft").symbols, strict=True):
        if (limit + 1) % LINES == 0:
            dead[start : start + limit + 1 : LINES, :returns] = True
            dead[start + LINES - 1 : start + limit + 1 : LINES, returns:] = True
    return dead


def moves_of(agent: Any) -> Any:
    """The layer that says how far to move."""
    return agent.xi if isinstance(agent, Cofca) else agent.gate_phi.phi


@each
def test_the_gradient_reaches_every_parameter(name, chosen):
    agents = [small_agent(name, chosen, seed) for seed in range(8)]
    if chosen == "starcraft" and name in ("cofca-s", "cofca", "cofca-d"):
        assert agents[0].lines.ask is not None, "what x tells about symbols is to be learned, too"
    # So many that every action also meets the responses after which the gate may open.
    found = jax.device_get(gradients(stack(agents), moments(name, chosen, number=960)))
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
def columns_and_coins(agent: Any, found: Moments) -> tuple[jax.Array, jax.Array, jax.Array]:
    """The scan of CoFCA-S or CoFCA-D, and its coins forward and backward."""
    features = agent.forward(found.obs, found.memory)
    columns = agent.movement(features, found.decision.action, found.response).columns
    # Without the column of those that wander.
    scans = columns[:, : agent.gate_phi.phi.bias.size]
    return scans, *jnp.split(features.B, [agent.coins.forward.bias.size], axis=1)


def placed(chosen: str, seed: int, start: int, pointer: int) -> Moments:
    """A chunk of random lines that starts somewhere among lines that are all the same."""
    found = jax.tree.map(lambda leaf: leaf[seed], moments("cofca-s", chosen, seed=1))
    rng = np.random.default_rng(seed)
    lines = np.ones((LONG, len(spec(chosen).symbols)), np.int8)
    lines[start : start + CHUNK] = np.stack([rng.integers(0, limit + 1, CHUNK) for limit in spec(chosen).symbols], 1)
    obs = found.obs._replace(lines=lines, mask=np.ones(LONG, np.uint8))
    return found._replace(obs=obs, memory=found.memory._replace(pointer=np.int32(pointer)))


@each_domain
@pytest.mark.parametrize(("name", "starts"), [("cofca-s", (0, 2, 4)), ("cofca-d", (1, 2, 3))])
def test_moving_a_chunk_and_the_pointer_together_leaves_the_scan_over_it_unchanged(name, starts, chosen):
    """Except for the lines that take what is left: the last ones visited."""
    agent = small_agent(name, chosen)
    for seed in range(5):
        seen = []
        for start in starts:
            scan = columns_and_coins(agent, placed(chosen, seed, start, start + AROUND))
            columns, forward, backward = jax.device_get(scan)
            seen.append((columns[start : start + CHUNK], forward[:AROUND], backward[:AROUND]))
        for other in seen[1:]:
            for one, moved in zip(seen[0], other, strict=True):
                assert np.allclose(one, moved, atol=1e-5)


@each_domain
def test_moving_a_chunk_without_the_pointer_changes_the_scan(chosen):
    agent = small_agent("cofca-s", chosen)
    _, forward, backward = columns_and_coins(agent, placed(chosen, 0, start=2, pointer=4))
    _, other_forward, other_backward = columns_and_coins(agent, placed(chosen, 0, start=3, pointer=4))
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
        moved = found._replace(obs=found.obs._replace(lines=np.minimum(other, spec(chosen).symbols).astype(np.int8)))
        before, after = (np.asarray(columns_and_coins(agent, each)[0]) for each in (found, moved))
        assert np.allclose(before[:, column], after[:, column], atol=1e-6)
        assert not np.allclose(before, after, atol=1e-4)


@pytest.mark.parametrize(("name", "sees_its_line"), [("cofca-s", True), ("cofca-d", False)])
def test_near_sighted_the_coin_of_a_line_ahead_is_decided_before_that_line_is_read(name: str, sees_its_line: bool):
    agent, found = small_agent(name, "minecraft"), placed("minecraft", 0, start=2, pointer=4)
    lines = np.asarray(found.obs.lines).copy()
    lines[6] = (lines[6] + 1) % (np.array(spec("minecraft").symbols) + 1)
    changed = found._replace(obs=found.obs._replace(lines=lines))
    # In the first column, which looks ahead.
    before, after = (np.asarray(columns_and_coins(agent, each)[0])[:, 0] for each in (found, changed))
    differs = ~np.isclose(before, after, atol=1e-6)
    assert differs[5:8].tolist() == [False, sees_its_line, True]


# By name


@pytest.mark.parametrize("preset", [PRESETS[TUNED], TINY], ids=[TUNED, "tiny"])
def test_an_unknown_agent_is_refused_in_one_line(preset):
    with pytest.raises(ValueError, match=r"unknown agent 'cofka'; expected one of cofca-s, .*, cofca-d") as caught:
        preset.agent("minecraft", "cofka")
    assert "\n" not in str(caught.value)


@each
def test_an_agent_is_a_function_of_its_key(name, chosen):
    def leaves(agent: Agent) -> list[np.ndarray]:
        return [np.asarray(leaf) for leaf in jax.tree.leaves(agent)]

    one, same, other = (
        leaves(small_agent(name, chosen)),
        leaves(made(chosen, name)),
        leaves(small_agent(name, chosen, 1)),
    )
    assert all(np.array_equal(*pair) for pair in zip(one, same, strict=True))
    assert not all(np.array_equal(*pair) for pair in zip(one, other, strict=True))
