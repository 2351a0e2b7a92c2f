"""How likely a decision was, and how uncertain: as the product of all three choices, or of those with an effect."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from cofca.agents.distribution import Decision, PointerPolicy, entropy


def joint(
    policy: PointerPolicy, decision: Decision, product: bool, columns: bool = False
) -> tuple[Float[Array, ""], Float[Array, ""]]:
    """The logarithm of a decision's probability, and the entropy of all decisions.

    The paper's is the product: the target counts even where a closed gate keeps the pointer where it is.
    """
    if not product:
        return policy.log_prob(decision), policy.entropy(columns)
    gate, targets = policy.movement.gate.astype(jnp.float32), policy.movement.targets.astype(jnp.float32)
    opened, closed = jax.nn.log_sigmoid(gate), jax.nn.log_sigmoid(-gate)
    gated = jnp.where(decision.gate, opened, closed)
    gate_entropy = -(jnp.exp(opened) * opened + jnp.exp(closed) * closed)
    log_prob = policy.log_probs[decision.action] + gated + targets[decision.target]
    return log_prob, entropy(policy.log_probs) + gate_entropy + entropy(targets)
