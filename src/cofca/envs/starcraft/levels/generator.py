"""Levels from keys, in bulk."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int32, Key

from cofca.envs.starcraft.levels.demands import Demands, demands_of
from cofca.envs.starcraft.levels.forest import Forest, draw_forest
from cofca.envs.starcraft.levels.level import Level, make_program
from cofca.envs.starcraft.levels.orders import Orders, draw_orders
from cofca.envs.starcraft.levels.spawn import spawn
from cofca.envs.starcraft.params import SEVERAL, SHORTEST, StarCraftParams
from cofca.envs.starcraft.symbols import FIRST_UNIT
from cofca.utils.prng import below


class Attempt(NamedTuple):
    """A try at a level: a forest and orders from it."""

    number: Int32[Array, ""]
    forest: Forest
    orders: Orders


def generate(keys: Key[Array, " levels"], params: StarCraftParams) -> Level:
    """One level for each key."""
    return _generate(keys, demands_of(params), params.playing)


@partial(jax.jit, static_argnames="params")
def _generate(keys: Key[Array, " levels"], demands: Demands, params: StarCraftParams) -> Level:
    return jax.vmap(partial(level, demands=demands, params=params))(keys)


def level(key: Key[Array, ""], demands: Demands, params: StarCraftParams) -> Level:
    """The level of a key: tries are made until the instruction is long enough and, where it shall, orders several
    units."""
    length_key, map_key, tries_key = jax.random.split(key, 3)
    several = jax.random.uniform(jax.random.fold_in(length_key, SEVERAL)) < demands.several_units
    shortest = jnp.maximum(demands.shortest, jnp.where(several, SEVERAL, SHORTEST))
    target = shortest + below(jax.random.uniform(length_key), demands.longest - shortest + 1)

    def attempt(number: Int32[Array, ""]) -> Attempt:
        forest_key, orders_key = jax.random.split(jax.random.fold_in(tries_key, number))
        forest = draw_forest(forest_key, demands)
        return Attempt(number, forest, draw_orders(orders_key, forest, target, params.lines))

    def fails(tried: Attempt) -> Bool[Array, ""]:
        units = (tried.orders.lines >= FIRST_UNIT).sum()
        return (tried.orders.length < shortest) | (several & (units < 2))

    _, forest, orders = jax.lax.while_loop(fails, lambda now: attempt(now.number + 1), attempt(jnp.int32(0)))
    program = make_program(orders.lines, orders.length.astype(jnp.int16))
    building_lines = ((program.lines > 0) & (program.lines < FIRST_UNIT)).sum()
    return Level(key, program, forest.prerequisites, forest.trainers, *spawn(map_key, building_lines, params))
