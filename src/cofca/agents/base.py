"""The agent protocol: what training, evaluation and people know of an agent.

A time step has two halves, as in `cofca.envs.base`: the agent chooses an action, sees the response, and only then
decides whether to open its gate and where to move its pointer.
"""

from abc import abstractmethod
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, Int32, PRNGKeyArray

from cofca.agents.modules.scan import IMPOSSIBLE

CLOSED = -30.0
"""The logit of a gate that does not open."""


class Memory(NamedTuple):
    """What an agent carries from one time step to the next."""

    pointer: Int32[Array, ""]
    hidden: Float[Array, " hidden"]
    """Of length 0 for agents without a recurrent state."""
    before: Int32[Array, "2"]
    """The action before this one and its response, each plus one; zeros at the start."""


class Movement(NamedTuple):
    """How the pointer may move: the gate, and where to if it is open."""

    gate: Float[Array, ""]
    """The logit of opening."""
    targets: Float[Array, " lines"]
    """Log-probabilities of the lines."""


class Mixture(NamedTuple):
    """Distributions over lines, and how they are weighed."""

    columns: Float[Array, "lines columns"]
    """P: the log-probabilities of the lines in each column."""
    weights: Float[Array, " columns"]
    """φ: the log-probabilities of the columns."""


class Decision(NamedTuple):
    """All that an agent decides in a time step."""

    action: Int32[Array, ""]
    gate: Bool[Array, ""]
    target: Int32[Array, ""]
    """The line the pointer moves to if the gate is open."""


class Judgement(NamedTuple):
    """A decision weighed by an agent."""

    log_prob: Float[Array, ""]
    entropy: Float[Array, ""]
    value: Float[Array, ""]
    gate: Float[Array, ""]
    """The probability of opening the gate."""


class Agent(eqx.Module):
    """One agent; all methods are of one environment, and `jax.vmap` makes them many."""

    hidden_size: eqx.AbstractVar[int]
    """Length of the recurrent state; 0 where time steps can be judged apart from each other."""

    def initial_memory(self) -> Memory:
        """At the start of an episode."""
        return Memory(jnp.int32(0), jnp.zeros(self.hidden_size), jnp.zeros(2, jnp.int32))

    def prepared(self) -> "Agent":
        """The same agent with all worked out that depends on its parameters only. Then many time steps share it."""
        return self

    def look(self, obs: Any, memory: Memory) -> Any:
        """Everything that does not depend on the action."""
        return self.survey(self.recall(self.perceive(obs, memory), memory.hidden))

    @abstractmethod
    def perceive(self, obs: Any, memory: Memory) -> Any:
        """The part of it that does not depend on the recurrent state: no time step waits for another."""

    def perceive_all(self, obs: Any, memory: Memory) -> Any:
        """The same for all time steps and environments at once."""
        return jax.vmap(jax.vmap(self.perceive))(obs, memory)

    @abstractmethod
    def recall(self, percept: Any, hidden: Float[Array, " hidden"]) -> Any:
        """The rest of it: what was perceived, joined with the recurrent state."""

    def survey(self, view: Any) -> Any:
        """With what only movements need, where that is much to work out; by default as it is."""
        return view

    def survey_all(self, views: Any) -> Any:
        """The same for all time steps and environments at once."""
        return jax.vmap(jax.vmap(self.survey))(views)

    @abstractmethod
    def policy(self, view: Any) -> Float[Array, " actions"]:
        """The logits of the actions."""

    @abstractmethod
    def value(self, view: Any) -> Float[Array, ""]:
        """What reward is expected from here."""

    @abstractmethod
    def movement(self, view: Any, action: Int[Array, ""], response: Int[Array, ""]) -> Movement:
        """How the pointer may move after an action and its response."""

    def mixture(self, view: Any, action: Int[Array, ""], response: Int[Array, ""]) -> Mixture:
        """What the distribution of targets is made of; by default of itself."""
        return Mixture(self.movement(view, action, response).targets[:, None], jnp.zeros(1))

    def hidden(self, view: Any) -> Float[Array, " hidden"]:
        """The recurrent state that the next time step starts with."""
        del view
        return jnp.zeros(0)

    def remember(self, view: Any, memory: Memory, decision: Decision, response: Int[Array, ""]) -> Memory:
        """The memory of the next time step."""
        pointer = jnp.where(decision.gate, decision.target, memory.pointer)
        before = jnp.stack([decision.action, response]).astype(jnp.int32) + 1
        return Memory(pointer, self.hidden(view).astype(jnp.float32), before)


class Chances(NamedTuple):
    """Three uniform numbers that a time step's decision is sampled with. All of a rollout's are drawn at once."""

    action: Float[Array, ""]
    gate: Float[Array, ""]
    target: Float[Array, ""]


def draw_chances(key: PRNGKeyArray, shape: tuple[int, ...]) -> Chances:
    """Chances of this shape."""
    return Chances(*jax.random.uniform(key, (3, *shape)))


def choose_action(chances: Chances | None, logits: Float[Array, " actions"]) -> Int32[Array, ""]:
    """Sample an action; without chances take the likeliest."""
    return jnp.argmax(logits).astype(jnp.int32) if chances is None else sample(chances.action, logits)


def choose_move(chances: Chances | None, movement: Movement) -> tuple[Bool[Array, ""], Int32[Array, ""]]:
    """Sample gate and target; without chances take the likeliest."""
    if chances is None:
        return movement.gate > 0, jnp.argmax(movement.targets).astype(jnp.int32)
    return chances.gate < jax.nn.sigmoid(movement.gate), sample(chances.target, movement.targets)


def sample(uniform: Float[Array, ""], logits: Float[Array, " items"]) -> Int32[Array, ""]:
    """An item drawn with the probabilities of a softmax."""
    logits = logits.astype(jnp.float32)
    weights = jnp.exp(logits - logits.max())
    mass = jnp.cumsum(weights)
    # Never beyond the last possible item, however the sums are rounded.
    last = jnp.max(jnp.where(weights > 0, jnp.arange(weights.size), 0))
    return jnp.minimum(jnp.sum(mass <= uniform * mass[-1]), last).astype(jnp.int32)


def judge(agent: Agent, view: Any, obs: Any, decision: Decision, response: Int[Array, ""]) -> Judgement:
    """Weigh a decision that was made."""
    movement = agent.movement(view, decision.action, response)
    return weigh(masked(agent.policy(view), obs), movement, agent.value(view), decision)


def weigh(
    logits: Float[Array, " actions"], movement: Movement, value: Float[Array, ""], decision: Decision
) -> Judgement:
    """The joint log-probability and entropy of action, gate and movement.

    Where the pointer would go through a closed gate does not matter: it is part of the probability only if the gate is
    open, and of the entropy as far as it is open.
    """
    # Whatever the networks compute in, probabilities need all digits.
    actions = jax.nn.log_softmax(logits.astype(jnp.float32))
    movement = Movement(*(part.astype(jnp.float32) for part in movement))
    opened, closed = jax.nn.log_sigmoid(movement.gate), jax.nn.log_sigmoid(-movement.gate)
    gate = jnp.exp(opened)
    move = jnp.where(decision.gate, opened + movement.targets[decision.target], closed)
    gate_entropy = -(gate * opened + (1 - gate) * closed)
    move_entropy = jax.lax.stop_gradient(gate) * entropy(movement.targets)
    return Judgement(
        log_prob=actions[decision.action] + move,
        entropy=entropy(actions) + gate_entropy + move_entropy,
        value=value.astype(jnp.float32),
        gate=gate,
    )


def entropy(log_probs: Float[Array, " items"]) -> Float[Array, ""]:
    """The entropy of a distribution; impossible items have no part in it."""
    possible = log_probs > IMPOSSIBLE / 2
    return -jnp.sum(jnp.where(possible, jnp.exp(log_probs) * log_probs, 0.0))


def masked(logits: Float[Array, " actions"], obs: Any) -> Float[Array, " actions"]:
    """Only the actions that the observation's mask allows."""
    return jnp.where(obs.action_mask > 0, logits, IMPOSSIBLE) if hasattr(obs, "action_mask") else logits
