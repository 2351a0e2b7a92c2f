"""StarCraft: what an observation says of buildings and units."""

from typing import Any

import jax
import jax.numpy as jnp

from cofca.agents.modules.stock import Things
from cofca.envs.starcraft.symbols import FIRST_UNIT, LAST_SYMBOL, NUM_BUILDINGS


def things(obs: Any) -> Things:
    """Buildings are on the map; units are not, but an ambush is told. Symbol 0 is padding."""
    buildings = obs.grid[..., :NUM_BUILDINGS].sum(axis=(0, 1))
    seen = jnp.zeros(LAST_SYMBOL + 1).at[1:FIRST_UNIT].set(buildings)
    symbol = jnp.where(obs.ambushed > 0, FIRST_UNIT + obs.ambushed - 1, -1)
    return Things(seen, jax.nn.one_hot(symbol, LAST_SYMBOL + 1))
