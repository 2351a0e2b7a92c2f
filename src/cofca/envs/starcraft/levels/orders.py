"""Instructions: orders of units, each the chain of its trainer and then the unit itself."""

from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Float, Int8, Int32, Key

from cofca.envs.starcraft.levels.forest import Forest
from cofca.envs.starcraft.symbols import FIRST_UNIT
from cofca.utils.loops import fold
from cofca.utils.prng import draw_uniform, pick


class Orders(NamedTuple):
    """The lines so far, padded with zeros."""

    lines: Int8[Array, " lines"]
    length: Int32[Array, ""]


def draw_orders(key: Key[Array, ""], forest: Forest, target: Int32[Array, ""], lines: int) -> Orders:
    """Order random units as long as one fits into the target's lines, which are not more than `lines`."""
    nothing = Orders(jnp.zeros(lines, jnp.int8), jnp.int32(0))
    # No order is shorter than two lines. A number does not depend on how many are drawn with it.
    uniform = draw_uniform(key, lines // 2)
    return fold(lambda orders, now: _order(orders, now, forest, target), nothing, uniform)


def _order(orders: Orders, uniform: Float[Array, ""], forest: Forest, target: Int32[Array, ""]) -> Orders:
    """Append the order of a random unit that fits; where none does, nothing happens."""
    depths = forest.depths[forest.trainers - 1]
    fits = depths + 1 <= target - orders.length
    unit = pick(uniform, fits)
    trainer, depth = forest.trainers[unit], depths[unit].astype(jnp.int32)
    place = jnp.arange(orders.lines.shape[0]) - orders.length
    chain = forest.chains[trainer - 1][jnp.clip(place, 0, depth - 1)]
    order = jnp.where(place == depth, FIRST_UNIT + unit, chain)
    lines = jnp.where(fits.any() & (place >= 0) & (place <= depth), order, orders.lines)
    return Orders(lines.astype(jnp.int8), orders.length + fits.any() * (depth + 1))
