"""Decisions: how they are chosen, the time step in which they are made, and how they are evaluated again."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from agents.samples import EACH, Moments, answers, moments, quickly, small_agent
from cofca.agents.base import Agent
from cofca.agents.decide import Chances, Step, chances_of, decide, draw_chances, evaluate_actions
from cofca.agents.distribution import Decision, Movement, PointerPolicy, sample
from cofca.agents.modules.scan import IMPOSSIBLE

each = pytest.mark.parametrize(("name", "chosen"), EACH)
with_pointer = pytest.mark.parametrize(("name", "chosen"), [pair for pair in EACH if pair[0] != "unstructured"])
each_domain = pytest.mark.parametrize("chosen", ["minecraft", "starcraft"])

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
def sampled(chances: Chances, policy: PointerPolicy) -> Decision:
    return jax.vmap(lambda chance: policy.sample(*chance))(chances)


@pytest.mark.parametrize("which", range(3))
def test_gate_action_and_target_are_sampled_with_their_probabilities(which):
    seen = answers(small_agent("cofca-s", "minecraft"), moments("cofca-s", "minecraft"))
    logits, movement, targets = jax.tree.map(lambda leaf: leaf[which], (seen.logits, seen.movement, seen.targets))
    number, opens = 10_000, float(jax.nn.sigmoid(movement.gate))
    action, gate, target = sampled(draw_chances(jax.random.key(1), (number,)), PointerPolicy(logits, movement))
    for items, expected in (
        (np.int32(gate), np.array([1 - opens, opens])),
        (target, np.exp(targets)),
        (action, np.asarray(jax.nn.softmax(logits))),
    ):
        share = np.bincount(items, minlength=len(expected)) / number
        assert (abs(share - expected) <= 5 * np.sqrt(expected * (1 - expected) / number) + 1e-6).all()


def test_without_chances_the_likeliest_is_taken():
    found = moments("cofca-s", "minecraft")
    seen = answers(small_agent("cofca-s", "minecraft"), found)
    action, gate, target = quickly(jax.vmap(PointerPolicy.mode))(PointerPolicy(seen.logits, seen.movement))
    assert np.array_equal(gate, jax.nn.sigmoid(seen.movement.gate) > 0.5)
    assert np.array_equal(target, seen.targets.argmax(axis=1))
    assert np.array_equal(action, seen.logits.argmax(axis=1))


def test_the_action_has_a_key_of_its_own():
    """A movement that is drawn again leaves the action as it was."""
    one, other, third = (jax.random.split(jax.random.key(seed)) for seed in range(3))
    chances = [chances_of(jnp.stack([one[0], movement])) for movement in (other[1], third[1])]
    assert chances[0].action == chances[1].action
    assert chances[0].gate != chances[1].gate
    assert chances[0].target != chances[1].target


# A time step


def respond(action: jax.Array) -> jax.Array:
    """As many environments do, with a small type."""
    return (action % 2).astype(jnp.int8)


@quickly
@partial(jax.vmap, in_axes=(None, 0, 0, None))
def steps(agent: Agent, found: Moments, chances: Chances, greedy: jax.Array) -> tuple[Step, jax.Array, jax.Array]:
    """Sampled or greedy, the log-probability of the decision, and how it is evaluated later."""
    step = decide(agent, found.obs, found.memory, chances, respond, greedy)
    features = agent.forward(found.obs, found.memory)
    later = evaluate_actions(agent, features, step.decision, step.response)
    return step, step.log_prob, later.log_prob


@each_domain
@pytest.mark.parametrize("greedy", [False, True])
def test_a_time_step_is_an_action_its_response_and_a_movement_made_after_both(greedy, chosen):
    agent, found = small_agent("olsk", chosen), moments("olsk", chosen)
    chances = draw_chances(jax.random.key(0), found.response.shape)
    step, log_prob, later = jax.device_get(steps(agent, found, chances, jnp.bool_(greedy)))
    seen = answers(agent, found._replace(decision=step.decision, response=np.int32(step.response)))
    assert np.array_equal(step.response, step.decision.action % 2)
    policy = PointerPolicy(seen.logits, seen.movement)
    if greedy:
        expected = quickly(jax.vmap(PointerPolicy.mode))(policy)
    else:
        expected = quickly(jax.vmap(lambda policy, chances: policy.sample(*chances)))(policy, chances)
    for one, other in zip(step.decision, expected, strict=True):
        assert np.array_equal(one, other)
    for one, other in zip(jax.tree.leaves((step.value, step.memory)), [seen.value, *seen.after], strict=True):
        assert np.allclose(one, other, atol=1e-5)
    assert np.allclose(log_prob, later, atol=1e-5)
    assert np.allclose(log_prob, seen.evaluation.log_prob, atol=1e-5)


@pytest.mark.parametrize("greedy", [False, True])
def test_whether_it_is_greedy_may_be_known_before_or_after_compilation(greedy):
    agent, found = small_agent("olsk", "minecraft"), moments("olsk", "minecraft")
    chances = draw_chances(jax.random.key(0), found.response.shape)

    def before(found: Moments, chances: Chances) -> Decision:
        return decide(agent, found.obs, found.memory, chances, respond, greedy).decision

    after = steps(agent, found, chances, jnp.bool_(greedy))[0].decision
    for one, other in zip(quickly(jax.vmap(before))(found, chances), after, strict=True):
        assert np.array_equal(one, other)


# Evaluating


def log_softmax(logits: np.ndarray) -> np.ndarray:
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def plain_entropy(log_probs: np.ndarray) -> np.ndarray:
    probabilities = np.exp(log_probs)
    return -np.where(probabilities > 0, probabilities * log_probs, 0).sum(axis=-1)


@each
def test_an_evaluation_is_the_joint_log_probability_and_entropy(name, chosen):
    agent, found = small_agent(name, chosen), moments(name, chosen)
    seen, rows = answers(agent, found), np.arange(len(found.response))

    evaluation = seen.evaluation
    logits, gate, targets = (np.asarray(part, np.float64) for part in (seen.logits, seen.movement.gate, seen.targets))
    actions, opened, closed = log_softmax(logits), -np.log1p(np.exp(-gate)), -np.log1p(np.exp(gate))
    moved = np.where(found.decision.gate, opened + targets[rows, found.decision.target], closed)
    log_prob = actions[rows, found.decision.action] + moved
    assert np.allclose(evaluation.log_prob, log_prob, rtol=1e-5, atol=1e-5)
    gates = plain_entropy(np.stack([opened, closed], axis=-1))
    entropy = plain_entropy(actions) + gates + np.exp(opened) * plain_entropy(targets)
    assert np.allclose(evaluation.entropy, entropy, atol=1e-5)
    assert np.allclose(evaluation.gate, np.exp(opened), atol=1e-6)
    assert np.array_equal(evaluation.value, seen.value)


def test_the_entropy_may_be_that_of_the_choice_of_a_column():
    certain = jnp.array([[0.0, 0.0, IMPOSSIBLE], [IMPOSSIBLE, IMPOSSIBLE, 0.0]])
    movement = Movement(jnp.float32(30), certain, jnp.log(jnp.array([0.5, 0.25, 0.25])))
    policy = PointerPolicy(jnp.array([0.0, -1e9]), movement)
    # Two of three columns lead to the same line.
    assert np.isclose(policy.entropy(), 0.75 * np.log(4 / 3) + 0.25 * np.log(4), atol=1e-5)
    assert np.isclose(policy.entropy(columns=True), 1.5 * np.log(2), atol=1e-5)


@each
def test_targets_are_the_columns_weighed(name, chosen):
    seen = answers(small_agent(name, chosen), moments(name, chosen))
    columns, weights = np.exp(seen.movement.columns), np.exp(seen.movement.weights)
    assert np.allclose(columns.sum(axis=1), 1, atol=1e-5)
    assert np.allclose(weights.sum(axis=1), 1, atol=1e-5)
    assert np.allclose(np.exp(seen.targets), np.einsum("nlc,nc->nl", columns, weights), atol=1e-5)


@each
def test_only_choices_that_the_mask_allows_are_possible(name, chosen):
    found = moments(name, chosen)
    possible = np.asarray(answers(small_agent(name, chosen), found).logits) > IMPOSSIBLE / 2
    # Whatever Minecraft's commands are, all can be given.
    assert np.array_equal(possible, found.obs.action_mask > 0 if chosen == "starcraft" else np.ones_like(possible))
