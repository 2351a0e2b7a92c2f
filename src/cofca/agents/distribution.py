"""The joint distribution of all that an agent decides in a time step: action, gate and target."""

from functools import reduce
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int32

from cofca.agents.modules.scan import IMPOSSIBLE

CLOSED = -30.0
"""The logit of a gate that does not open."""


class Decision(NamedTuple):
    """What was decided."""

    action: Int32[Array, ""]
    gate: Bool[Array, ""]
    target: Int32[Array, ""]
    """The line the pointer moves to if the gate is open."""


class Movement(NamedTuple):
    """The distribution of gate and target: a mixture of columns, each a distribution over lines."""

    gate: Float[Array, ""]
    """The logit of opening."""
    columns: Float[Array, "lines columns"]
    """P: the log-probabilities of the lines in each column."""
    weights: Float[Array, " columns"]
    """φ: the log-probabilities of the columns."""

    @property
    def targets(self) -> Float[Array, " lines"]:
        """The log-probabilities of the lines. Columns are added one by one: so few are slow to sum on accelerators."""
        columns = jnp.unstack(self.columns + self.weights, axis=-1)
        largest = jax.lax.stop_gradient(reduce(jnp.maximum, columns))
        return largest + jnp.log(reduce(jnp.add, [jnp.exp(column - largest) for column in columns]))


class PointerPolicy(NamedTuple):
    """Where the pointer would go through a closed gate does not matter: the target is part of the probability only if
    the gate is open, and of the entropy as far as it is open."""

    logits: Float[Array, " actions"]
    movement: Movement

    @property
    def log_probs(self) -> Float[Array, " actions"]:
        """Of the actions. Whatever the networks compute in, probabilities need all digits."""
        return jax.nn.log_softmax(self.logits.astype(jnp.float32))

    def sample(self, action: Float[Array, ""], gate: Float[Array, ""], target: Float[Array, ""]) -> Decision:
        """Draw a decision with three uniform numbers."""
        opens = gate < jax.nn.sigmoid(self.movement.gate)
        return Decision(sample(action, self.logits), opens, sample(target, self.movement.targets))

    def mode(self) -> Decision:
        """The likeliest action, gate and target."""
        return Decision(mode(self.logits), self.movement.gate > 0, mode(self.movement.targets))

    def log_prob(self, decision: Decision) -> Float[Array, ""]:
        """Of all three."""
        gate = self.movement.gate.astype(jnp.float32)
        opened = jax.nn.log_sigmoid(gate) + self.movement.targets.astype(jnp.float32)[decision.target]
        move = jnp.where(decision.gate, opened, jax.nn.log_sigmoid(-gate))
        return self.log_probs[decision.action] + move

    def entropy(self, columns: bool = False) -> Float[Array, ""]:
        """Of all three; of the choice of a column instead of a target, if that is asked for."""
        gate = self.movement.gate.astype(jnp.float32)
        opened, closed = jax.nn.log_sigmoid(gate), jax.nn.log_sigmoid(-gate)
        open_ = jnp.exp(opened)
        gate_entropy = -(open_ * opened + (1 - open_) * closed)
        move = entropy((self.movement.weights if columns else self.movement.targets).astype(jnp.float32))
        return entropy(self.log_probs) + gate_entropy + jax.lax.stop_gradient(open_) * move


def mode(logits: Float[Array, " items"]) -> Int32[Array, ""]:
    """The likeliest item."""
    return jnp.argmax(logits).astype(jnp.int32)


def sample(uniform: Float[Array, ""], logits: Float[Array, " items"]) -> Int32[Array, ""]:
    """An item drawn with the probabilities of a softmax."""
    logits = logits.astype(jnp.float32)
    weights = jnp.exp(logits - logits.max())
    mass = jnp.cumsum(weights)
    # Never beyond the last possible item, however the sums are rounded.
    last = jnp.max(jnp.where(weights > 0, jnp.arange(weights.size), 0))
    return jnp.minimum(jnp.sum(mass <= uniform * mass[-1]), last).astype(jnp.int32)


def entropy(log_probs: Float[Array, " items"]) -> Float[Array, ""]:
    """Of a distribution; impossible items have no part in it."""
    possible = log_probs > IMPOSSIBLE / 2
    return -jnp.sum(jnp.where(possible, jnp.exp(log_probs) * log_probs, 0.0))
