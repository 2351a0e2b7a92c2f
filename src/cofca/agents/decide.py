"""One time step of an agent: PPO, evaluation, `follow` and the viewer all take it.

It has two halves, as in `cofca.envs.base`: the agent chooses an action, sees the response, and only then decides
whether to open its gate and where to move its pointer.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, Key, PRNGKeyArray

from cofca.agents.base import Agent, Memory
from cofca.agents.distribution import Decision, PointerPolicy, mode, sample
from cofca.agents.product import joint

Respond = Callable[[Int[Array, ""]], Int[Array, ""]]
"""From an action to its response: the environment's."""


class Chances(NamedTuple):
    """Three uniform numbers that a decision is sampled with. All of a rollout's are drawn at once."""

    action: Float[Array, "*batch"]
    gate: Float[Array, "*batch"]
    target: Float[Array, "*batch"]


def draw_chances(key: PRNGKeyArray, shape: tuple[int, ...]) -> Chances:
    """Chances of this shape."""
    return Chances(*jax.random.uniform(key, (3, *shape)))


class Step(NamedTuple):
    """What was decided, and why."""

    decision: Decision
    response: Int[Array, ""]
    policy: PointerPolicy
    value: Float[Array, ""]
    memory: Memory
    """Of the next time step."""

    @property
    def log_prob(self) -> Float[Array, ""]:
        """Of the decision."""
        return self.policy.log_prob(self.decision)


def decide(
    agent: Agent, obs: Any, memory: Memory, chances: Chances, respond: Respond, greedy: Bool[Array, ""] | bool = False
) -> Step:
    """Choose an action, see the response, move the pointer."""
    features = agent.forward(obs, memory)
    logits, value = agent.actor_critic(features)
    action = _either(greedy, mode(logits), sample(chances.action, logits))
    response = respond(action)
    policy = PointerPolicy(logits, agent.movement(features, action, response))
    decision = _either(greedy, policy.mode(), policy.sample(*chances))
    hidden = agent.next_hidden(features, action, response)
    return Step(decision, response, policy, value, remember(memory, decision, response, hidden))


class Evaluation(NamedTuple):
    """A decision as the agent sees it now."""

    log_prob: Float[Array, ""]
    entropy: Float[Array, ""]
    value: Float[Array, ""]
    gate: Float[Array, ""]
    """The probability of opening the gate."""


def evaluate_actions(
    agent: Agent,
    features: Any,
    decision: Decision,
    response: Int[Array, ""],
    product: bool = False,
    columns: bool = False,
) -> Evaluation:
    """Evaluate a decision that was made."""
    logits, value = agent.actor_critic(features)
    policy = PointerPolicy(logits, agent.movement(features, decision.action, response))
    gate = jax.nn.sigmoid(policy.movement.gate.astype(jnp.float32))
    return Evaluation(*joint(policy, decision, product, columns), value.astype(jnp.float32), gate)


def remember(
    memory: Memory, decision: Decision, response: Int[Array, "*batch"], hidden: Float[Array, "*batch hidden"]
) -> Memory:
    """The memory of the next time step."""
    pointer = jnp.where(decision.gate, decision.target, memory.pointer)
    before = jnp.stack([decision.action, response.astype(jnp.int32)], axis=-1) + 1
    return Memory(pointer, hidden.astype(jnp.float32), before)


def chances_of(keys: Key[Array, "2"]) -> Chances:
    """For a single time step: one key for the action, one for the movement."""
    return draw_chances(keys[1], ())._replace(action=draw_chances(keys[0], ()).action)


def _either(greedy: Bool[Array, ""] | bool, likeliest: Any, sampled: Any) -> Any:
    if isinstance(greedy, bool):
        return likeliest if greedy else sampled
    return jax.tree.map(partial(jnp.where, greedy), likeliest, sampled)
