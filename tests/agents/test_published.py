"""The paper's agents: what each of their networks sees, and what it computes, against plain NumPy."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from envs.first_try import FirstTry
from tiny_preset import TINY_PAPER, TINY_STRICT

from agents.samples import Moments, moments, new, quickly, spec
from agents.test_encoders import applied, patch, relu
from agents.test_line_gru import plain_gru
from cofca.agents.distribution import Decision, Movement, PointerPolicy
from cofca.agents.product import joint
from cofca.envs.registry import domain
from cofca.testing import check_agent

NUMBER = 60
NAMES = tuple(TINY_PAPER.agents["minecraft"])
DOMAINS = "minecraft", "starcraft"
each = pytest.mark.parametrize("name", NAMES)
each_domain = pytest.mark.parametrize("chosen", DOMAINS)


@cache
def agent_of(name: str, chosen: str, strict: bool = False) -> Any:
    return new((TINY_STRICT if strict else TINY_PAPER).agents[chosen][name], chosen)


@cache
def moments_of(name: str, chosen: str) -> Moments:
    """With recurrent states as large as the agent's, and at least two lines."""
    found = moments("cofca-s", chosen, NUMBER)
    exists = np.maximum(found.obs.mask, np.arange(found.obs.mask.shape[1]) < 2).astype(found.obs.mask.dtype)
    hidden = np.random.default_rng(0).normal(size=(NUMBER, agent_of(name, chosen).hidden_size))
    return found._replace(obs=found.obs._replace(mask=exists), memory=found.memory._replace(hidden=np.float32(hidden)))


def number(found: Moments, at: int) -> Moments:
    return jax.tree.map(lambda leaf: jnp.asarray(leaf[at]), found)


# The contract


@each
@each_domain
def test_they_keep_the_contract(name: str, chosen: str) -> None:
    env = FirstTry() if chosen == "minecraft" else domain(chosen).environment()
    check_agent(TINY_PAPER.agents[chosen][name], env, domain(chosen).params(length=(2, 4)))


# Inputs


def outputs(agent: Any, moment: Moments) -> dict[str, jax.Array]:
    """What an agent computes in a time step. P is of the lines that the pointer may move to, u of its columns."""
    obs, memory, decision, response = moment
    features = agent.forward(obs, memory)
    movement = agent.movement(features, decision.action, response)
    return {
        "policy": agent.actor_critic(features)[0],
        "gate": movement.gate,
        "P": movement.columns,
        "u": movement.weights if movement.weights.size == 1 else chosen_columns(agent, features, moment),
        "h": agent.next_hidden(features, decision.action, response),
    }


def chosen_columns(agent: Any, features: Any, moment: Moments) -> jax.Array:
    """u itself: what a movement weighs columns by is renormalised."""
    inner = getattr(agent, "inner", agent)
    if inner is agent:
        return agent.gate_phi(features.z, moment.decision.action, moment.response)[1]
    return agent.movement(features, moment.decision.action, moment.response).weights


_outputs_of = quickly(jax.vmap(outputs, in_axes=(None, 0)))


def outputs_of(agent: Any, found: Moments) -> dict[str, np.ndarray]:
    return jax.device_get(_outputs_of(agent, found))


def other_symbol(found: Moments, line: np.ndarray, chosen: str) -> Moments:
    """Another first symbol at a line of each instruction."""
    at, lines = (np.arange(NUMBER), line), found.obs.lines.copy()
    lines[(*at, 0)] = (lines[at][:, 0] + 1) % (spec(chosen).symbols[0] + 1)
    return found._replace(obs=found.obs._replace(lines=lines))


def at_the_pointer(found: Moments, chosen: str) -> Moments:
    return other_symbol(found, found.memory.pointer, chosen)


def elsewhere(found: Moments, chosen: str) -> Moments:
    return other_symbol(found, (found.memory.pointer + 1) % found.obs.mask.sum(axis=1, dtype=np.int32), chosen)


def map_(found: Moments, chosen: str) -> Moments:
    del chosen
    return found._replace(obs=found.obs._replace(grid=1 - found.obs.grid))


def action(found: Moments, chosen: str) -> Moments:
    other = (found.decision.action + 1) % spec(chosen).actions
    return found._replace(decision=found.decision._replace(action=other))


def response(found: Moments, chosen: str) -> Moments:
    return found._replace(response=(found.response + 1) % spec(chosen).responses)


def before(found: Moments, chosen: str, which: int) -> Moments:
    most = (spec(chosen).actions, spec(chosen).responses)[which]
    now = found.memory.before.copy()
    now[:, which] = (now[:, which] + 1) % (most + 1)
    return found._replace(memory=found.memory._replace(before=now))


def action_before(found: Moments, chosen: str) -> Moments:
    return before(found, chosen, 0)


def response_before(found: Moments, chosen: str) -> Moments:
    return before(found, chosen, 1)


def hidden(found: Moments, chosen: str, places: slice) -> Moments:
    del chosen
    now = found.memory.hidden.copy()
    now[:, places] *= -1
    return found._replace(memory=found.memory._replace(hidden=now))


def seen_by(name: str, chosen: str, change: Callable[[Moments, str], Moments], strict: bool = False) -> set[str]:
    """The outputs that another input changes."""
    agent, found = agent_of(name, chosen, strict), moments_of(name, chosen)
    one, other = outputs_of(agent, found), outputs_of(agent, change(found, chosen))
    return {part for part in one if not np.array_equal(one[part], other[part])}


INPUTS = (at_the_pointer, elsewhere, map_, action, response, action_before, response_before)
ACTION = {action: "gate u", response: "gate u"}
SEEN = {
    ("cofca-s", "minecraft"): {at_the_pointer: "policy gate P u", elsewhere: "P", map_: "policy gate P u", **ACTION},
    ("cofca", "minecraft"): {at_the_pointer: "policy gate P u", elsewhere: "P", map_: "policy gate P u", **ACTION},
    ("unstructured", "minecraft"): {
        at_the_pointer: "policy h", elsewhere: "policy h", map_: "policy h", action_before: "policy h",
        response_before: "policy h",
    },
    ("olsk", "minecraft"): {
        at_the_pointer: "policy gate P h", map_: "policy gate P h", action: "gate P h", response: "gate P h",
    },
    ("cofca-s", "starcraft"): {
        at_the_pointer: "policy gate P u", elsewhere: "P", map_: "policy gate P u", action_before: "policy gate u h",
        **ACTION,
    },
    ("cofca", "starcraft"): {
        at_the_pointer: "policy gate P u", elsewhere: "P", map_: "policy gate P u", action_before: "policy gate u h",
        **ACTION,
    },
    ("unstructured", "starcraft"): {
        at_the_pointer: "policy h", elsewhere: "policy h", map_: "policy h", action_before: "policy h",
        response_before: "policy h",
    },
    ("olsk", "starcraft"): {
        at_the_pointer: "policy gate P h", map_: "policy gate P h", action: "gate P h", response: "gate P h",
        action_before: "policy gate P h",
    },
}  # fmt: skip
"""Which input reaches which output; an input that is not here reaches none."""


@pytest.mark.parametrize("change", INPUTS)
@pytest.mark.parametrize(("name", "chosen"), SEEN)
def test_networks_see_what_the_paper_says(name: str, chosen: str, change: Callable[[Moments, str], Moments]) -> None:
    expected = set(SEEN[name, chosen].get(change, "").split())
    assert seen_by(name, chosen, change) == expected
    if name == "olsk":
        assert seen_by("olsk-e", chosen, change) == expected


@pytest.mark.parametrize("name", ["olsk", "olsk-e"])
@each_domain
def test_olsk_s_policy_and_gate_do_not_see_h_and_phi_does(name: str, chosen: str) -> None:
    encoder: Any = agent_of(name, chosen).encoder
    own = slice(encoder.hidden_size, None)
    assert seen_by(name, chosen, partial(hidden, places=own)) == {"P", "h"}
    if chosen == "starcraft":
        assert seen_by(name, chosen, partial(hidden, places=slice(encoder.hidden_size))) == {"policy", "gate", "P", "h"}


@each
@each_domain
def test_who_is_not_answered_sees_no_response(name: str, chosen: str) -> None:
    for change in (response, response_before):
        assert seen_by(name, chosen, change, strict=True) == set()
    assert seen_by(name, chosen, action_before if name == "unstructured" else action, strict=True)


def test_who_is_not_answered_computes_what_others_do_after_the_first_response() -> None:
    found = moments_of("cofca-s", "minecraft")
    always = found._replace(response=np.zeros_like(found.response))
    strict, plain = (outputs_of(agent_of("cofca-s", "minecraft", strict), always) for strict in (True, False))
    assert all(np.array_equal(strict[part], plain[part]) for part in ("policy", "gate", "P"))


# Encoders


def test_minecraft_is_seen_through_two_convolutions_and_a_projected_inventory() -> None:
    encoder: Any = agent_of("cofca", "minecraft").encoder.encoder
    for at in range(5):
        obs = number(moments_of("cofca", "minecraft"), at).obs
        grid = np.asarray(obs.grid, np.float32)
        first, second = encoder.convolutions
        seen = np.zeros((4, 4, first.bias.size))
        for row, column in np.ndindex(3, 3):
            seen[row, column] = relu(applied(first, patch(grid, 2 * row, 2 * column)))
        expected = sum(relu(applied(second, patch(seen, row, column))) for row in (0, 2) for column in (0, 2))
        counts = applied(encoder.inventory, np.asarray(obs.inventory, np.float32))
        assert np.allclose(encoder(obs).x, np.concatenate([expected, counts]), atol=1e-4)


@pytest.mark.parametrize(
    ("name", "chosen"), [("cofca-s", "minecraft"), ("cofca-s", "starcraft"), ("olsk", "starcraft")]
)
def test_z_is_a_layer_on_x_the_line_and_the_actions(name: str, chosen: str) -> None:
    agent, found = agent_of(name, chosen), moments_of(name, chosen)
    outer, inner = agent.encoder, getattr(agent.encoder, "inner", agent.encoder)
    embed = agent.lines.embed if name == "cofca-s" else agent.embed
    for at in range(5):
        obs, memory, *_ = number(found, at)
        features = agent.core(agent.encode(obs, memory), memory.hidden)
        seen = [features.x, embed(obs.lines[memory.pointer])]
        if chosen == "starcraft":
            state, told = memory.hidden[: outer.hidden_size], outer.action_embedding(memory.before[:1])
            seen.append(plain_gru(outer.gru, np.asarray(state), np.asarray(told)))
        assert np.allclose(features.z, relu(applied(inner.join, np.concatenate(seen))), atol=1e-5)


@pytest.mark.parametrize("name", ["cofca-s", "unstructured"])
def test_starcraft_s_x_has_the_map_and_the_integers_only(name: str) -> None:
    """`test_encoders` compares the layers themselves with plain loops."""
    agent = agent_of(name, "starcraft")
    encoder: Any = agent.encoder if name == "unstructured" else agent.encoder.inner.encoder
    obs = number(moments_of(name, "starcraft"), 0).obs
    full = encoder.inner(obs).x
    assert encoder.size == full.size - 20 == encoder.inner.flat.bias.size + encoder.inner.integers.table.shape[1]
    assert np.array_equal(encoder(obs).x, full[:-20])


# Moving


def test_cofca_is_a_softmax_of_a_layer_on_the_last_outputs() -> None:
    agent, found = agent_of("cofca", "starcraft"), moments_of("cofca", "starcraft")
    got = np.exp(outputs_of(agent, found)["P"])
    for at in range(10):
        obs, memory, *_ = number(found, at)
        length, pointer = int(obs.mask.sum()), int(memory.pointer)
        lines, x = np.asarray(agent.lines.embed(obs.lines)), agent.encode(obs, memory).x
        ends = []
        for way, order in enumerate([range(pointer, length), range(pointer - 1, -1, -1)]):
            gru = jax.tree.map(lambda leaf, way=way: np.asarray(leaf[way]), agent.lines.grus)
            state = np.zeros(gru.recurrent.shape[0])
            for line in order:
                state = plain_gru(gru, state, np.concatenate([lines[line], x]))
            ends.append(state)
        logits = applied(agent.xi, np.concatenate(ends)).reshape(2 * agent.farthest + 1, -1)
        weights = np.zeros_like(got[at])
        for line in range(length):
            if line != pointer:
                weights[line] = np.exp(logits[line - pointer + agent.farthest])
        assert np.allclose(got[at], weights / weights.sum(axis=0), atol=1e-5)


@pytest.mark.parametrize(("name", "moves"), [("olsk", 1), ("olsk-e", 5)])
def test_olsk_is_a_gru_over_what_the_gate_sees(name: str, moves: int) -> None:
    agent, found = agent_of(name, "minecraft"), moments_of(name, "minecraft")
    got = outputs_of(agent, found)
    for at in range(10):
        obs, memory, decision, response = number(found, at)
        z = agent.forward(obs, memory).z
        a = agent.action_embedding(jnp.stack([decision.action, response]))
        seen = relu(applied(agent.move_hidden, np.concatenate([z, a])))
        h = plain_gru(agent.controller, np.asarray(memory.hidden), seen)
        u = applied(agent.phi, h)
        assert u.size == 2 * moves + 1
        there = [line for line in range(int(obs.mask.sum())) if abs(line - int(memory.pointer)) <= moves]
        weights = np.zeros(obs.mask.size)
        weights[there] = [np.exp(u[line - int(memory.pointer) + moves]) for line in there]
        assert np.allclose(np.exp(got["P"][at, :, 0]), weights / weights.sum(), atol=1e-5)
        assert np.allclose(got["h"][at], h, atol=1e-5)
        assert np.allclose(got["gate"][at], applied(agent.gate, seen)[0], atol=1e-5)


@pytest.mark.parametrize("name", ["cofca", "olsk-e"])
@each_domain
def test_moves_longer_than_in_training_have_weights_like_all_others(name: str, chosen: str) -> None:
    """Orthogonal, of the same gain for all moves."""
    agent = agent_of(name, chosen)
    layer = agent.xi if name == "cofca" else agent.phi
    assert not layer.bias.any()
    sizes = np.linalg.norm(layer.weight, axis=0)
    assert sizes.min() > 0.1
    rows = np.asarray(layer.weight) if layer.weight.shape[0] < layer.weight.shape[1] else np.asarray(layer.weight).T
    assert np.allclose(rows @ rows.T, np.eye(len(rows)), atol=1e-5)


def test_unstructured_memory_s_cell_sees_code_x_and_action() -> None:
    agent, found = agent_of("unstructured", "minecraft"), moments_of("unstructured", "minecraft")
    got = outputs_of(agent, found)
    for at in range(5):
        obs, memory, *_ = number(found, at)
        exists = np.asarray(obs.mask) > 0
        lines, code = np.asarray(agent.embed(obs.lines))[exists], []
        for way, order in enumerate([lines, lines[::-1]]):
            gru = jax.tree.map(lambda leaf, way=way: np.asarray(leaf[way]), agent.readers)
            state = np.zeros(gru.recurrent.shape[0])
            for line in order:
                state = plain_gru(gru, state, line)
            code.append(state)
        x = agent.encoder(obs).x
        inputs = np.concatenate([*code, x, agent.action_embedding(memory.before)])
        h = plain_gru(agent.memory, np.asarray(memory.hidden), inputs)
        z = relu(applied(agent.join, np.concatenate([h, x])))
        assert np.allclose(got["h"][at], h, atol=1e-5)
        assert np.allclose(got["policy"][at], applied(agent.head.act, z), atol=1e-5)


# The product


@pytest.mark.parametrize("product", [True, False])
def test_a_decision_is_as_likely_as_its_three_choices_together(product: bool) -> None:
    rng = np.random.default_rng(0)
    for gate in (True, False):
        policy, decision, (actions, opens, targets) = random_policy(rng, gate)
        log_prob, entropy = joint(policy, decision, product)
        action, _, target = (int(part) for part in decision)
        p_open = opens if gate else 1 - opens
        p_target = targets[target] if product or gate else 1.0
        assert np.isclose(np.exp(log_prob), actions[action] * p_open * p_target, rtol=1e-4)
        bits = [-(p * np.log(p)).sum() for p in (actions, np.array([opens, 1 - opens]), targets)]
        assert np.isclose(entropy, bits[0] + bits[1] + bits[2] * (1 if product else opens), rtol=1e-4)


def random_policy(rng: np.random.Generator, gate: bool) -> Any:
    """Log-probabilities as agents give them, and the probabilities they stand for."""

    def softmax(logits: np.ndarray) -> np.ndarray:
        return np.exp(logits) / np.exp(logits).sum(axis=0)

    logits, columns, weights, opens = rng.normal(size=9), rng.normal(size=(4, 2)), rng.normal(size=2), rng.normal()
    lines, phi = softmax(columns), softmax(weights)
    movement = Movement(jnp.float32(opens), jnp.float32(np.log(lines)), jnp.float32(np.log(phi)))
    decision = Decision(jnp.int32(3), jnp.bool_(gate), jnp.int32(2))
    return (
        PointerPolicy(jnp.float32(logits), movement),
        decision,
        (softmax(logits), 1 / (1 + np.exp(-opens)), lines @ phi),
    )


# What they are without


@each_domain
def test_a_line_is_the_sum_of_the_embeddings_of_its_symbols(chosen: str) -> None:
    embed = agent_of("cofca-s", chosen).lines.embed
    lines = np.asarray(moments_of("cofca-s", chosen).obs.lines)
    starts = np.cumsum([0, *(limit + 1 for limit in spec(chosen).symbols[:-1])])
    expected = np.asarray(embed.table)[starts + lines].sum(axis=-2)
    assert np.allclose(embed(jnp.asarray(lines)), expected, atol=1e-5)


@pytest.mark.parametrize("name", ["cofca-s", "cofca"])
@each_domain
def test_there_are_none_of_our_additions(name: str, chosen: str) -> None:
    agent = agent_of(name, chosen)
    assert agent.lines.ask is None
    assert not agent.lines.near_sighted
    assert all(agent.gate_phi.opens_after)
    assert len(agent.gate_phi.opens_after) == spec(chosen).responses
    if name == "cofca-s":
        assert not agent.coins.forward.bias.any()
        assert not agent.coins.backward.bias.any()


@each
@each_domain
def test_heads_are_linear(name: str, chosen: str) -> None:
    agent, found = agent_of(name, chosen), number(moments_of(name, chosen), 0)
    features = agent.forward(found.obs, found.memory)
    logits, value = agent.actor_critic(features)
    possible = np.ones(logits.size, bool) if chosen == "minecraft" else np.asarray(found.obs.action_mask) > 0
    assert np.allclose(np.asarray(logits)[possible], applied(agent.head.act, features.z)[possible], atol=1e-5)
    assert (np.asarray(logits)[~possible] < -1e8).all()
    assert np.allclose(value, applied(agent.critic, features.z)[0], atol=1e-5)
    if name in ("cofca-s", "cofca"):
        parts = agent.gate_phi
        told = parts.action_embedding(jnp.stack([found.decision.action, found.response]))
        seen = relu(applied(parts.move_hidden, np.concatenate([features.z, told])))
        gate, u = parts(features.z, found.decision.action, found.response)
        assert np.allclose(gate, applied(parts.gate, seen)[0], atol=1e-5)
        assert np.allclose(u, applied(parts.phi, seen), atol=1e-5)
