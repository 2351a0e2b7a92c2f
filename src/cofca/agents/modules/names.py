"""Actions that have the same names as the symbols of lines: *train an Adept* is chosen where the line says *Adept*."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.modules.layers import Linear
from cofca.envs.spec import Spec


class Naming(eqx.Module):
    """z says how much the action counts that the line names. So what is learned with one name holds for all."""

    weight: Linear
    named: tuple[int, ...] = eqx.field(static=True)
    """By symbol; -1 for none."""

    def __init__(self, key: PRNGKeyArray, hidden: int, spec: Spec) -> None:
        if spec.named is None:
            raise ValueError("names need actions that are called as lines are, which this domain does not have")
        self.weight = Linear(key, hidden, 1, 0.01)
        self.named = spec.named

    def __call__(
        self, logits: Float[Array, " actions"], here: Float[Array, " hidden"], symbols: Int[Array, "1"]
    ) -> Float[Array, " actions"]:
        """The logits, one of them changed."""
        chosen = jnp.asarray(np.array(self.named))[symbols[0]]
        return logits + self.weight(here) * jax.nn.one_hot(chosen, logits.size, dtype=logits.dtype)
