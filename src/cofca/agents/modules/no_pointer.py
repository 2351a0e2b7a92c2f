"""The movement of agents without a pointer."""

import jax.numpy as jnp

from cofca.agents.distribution import CLOSED, Movement
from cofca.agents.modules.scan import IMPOSSIBLE


def no_movement(lines: int) -> Movement:
    """The gate stays closed, at the first line."""
    columns = jnp.where(jnp.arange(lines) == 0, 0.0, IMPOSSIBLE)[:, None]
    return Movement(jnp.float32(CLOSED), columns, jnp.zeros(1))
