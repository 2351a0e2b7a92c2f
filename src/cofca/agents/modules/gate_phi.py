"""The gate g and the choice φ: what the agent makes of its own action before the pointer moves."""

import math

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.distribution import CLOSED, Movement
from cofca.agents.modules.layers import RELU_GAIN, Embedding, Linear
from cofca.agents.modules.scan import IMPOSSIBLE
from cofca.envs.spec import Spec
from cofca.utils.prng import by_name


class GatePhi(eqx.Module):
    """Both see z, the embedded action and its response, through one hidden layer."""

    action_embedding: Embedding
    move_hidden: Linear
    gate: Linear
    phi: Linear
    opens_after: tuple[bool, ...] = eqx.field(static=True)
    """The responses after which the gate may open."""

    def __init__(
        self, key: PRNGKeyArray, spec: Spec, hidden: int, embedding: int, columns: int, after_commands: bool = False
    ) -> None:
        """`columns` is what φ chooses from; `after_commands`, whether the gate opens only when one is carried out."""
        limits = spec.actions - 1, spec.responses - 1
        self.action_embedding = Embedding(by_name(key, "action_embedding"), limits, embedding)
        self.move_hidden = Linear(by_name(key, "move_hidden"), hidden + embedding, hidden, RELU_GAIN)
        self.gate = Linear(by_name(key, "gate"), hidden, 1, 0.01)
        self.phi = Linear(by_name(key, "phi"), hidden, columns, 0.01)
        self.opens_after = spec.conclusive if after_commands else (True,) * spec.responses

    def __call__(
        self, z: Float[Array, " hidden"], action: Int[Array, ""], response: Int[Array, ""]
    ) -> tuple[Float[Array, ""], Float[Array, " columns"]]:
        """The logit of opening the gate, and the logits u of the columns."""
        a = self.action_embedding(jnp.stack([action, response]))
        hidden = jax.nn.relu(self.move_hidden(jnp.concatenate([z, a])))
        gate = self.gate(hidden)[0]
        return jnp.where(jnp.array(self.opens_after)[response], gate, CLOSED), self.phi(hidden)


def wander(movement: Movement, share: float) -> Movement:
    """Let this share of moves go to any line in reach: where order hardly matters, short instructions teach none."""
    if not share:
        return movement
    within_reach = movement.columns.max(axis=-1) > IMPOSSIBLE / 2
    anywhere = jnp.where(within_reach, -jnp.log(within_reach.sum()), IMPOSSIBLE)
    columns = jnp.concatenate([movement.columns, anywhere[:, None]], axis=-1)
    weights = movement.weights.astype(jnp.float32) + math.log1p(-share)
    return Movement(movement.gate, columns, jnp.append(weights, math.log(share)))
