"""Placing a population on the map: water, objects, worker and walls."""

import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int8

from cofca.envs.minecraft import boards
from cofca.envs.minecraft.levels.population import Draws, populate
from cofca.envs.minecraft.params import MinecraftParams
from cofca.envs.minecraft.symbols import Thing
from cofca.utils.prng import below


def spawn(draws: Draws, params: MinecraftParams) -> tuple[Int8[Array, "size size"], Int8[Array, "2"]]:
    """The cells of the map and the place of the worker."""
    population = populate(draws)
    size, number = params.size, population.number
    fits = number + 1 + size <= size**2
    water = draw_water(draws.water, size) & fits & (number <= params.max_objects_with_water)

    # Objects take the first cells of a random order in which water comes last; the worker takes the next.
    order = jnp.argsort(draws.places + water.ravel())
    things = jnp.append(jnp.where(population.exists, population.kinds, Thing.NOTHING), Thing.NOTHING)
    objects = jnp.zeros(size**2, jnp.int8).at[order].set(things.astype(jnp.int8)).reshape(size, size)
    worker = jnp.stack(jnp.divmod(order[number], size)).astype(jnp.int8)

    water &= wood_reachable(objects, water, worker)
    rows, columns = jnp.indices((size, size))
    is_worker = (rows == worker[0]) & (columns == worker[1])
    walls = (rows % 2 == 0) & (columns % 2 == 0) & (objects == Thing.NOTHING) & ~water & ~is_worker
    cells = jnp.where(walls, Thing.WALL, jnp.where(water, Thing.WATER, objects))
    return cells.astype(jnp.int8), worker


def draw_water(uniform: Float[Array, ""], size: int) -> Bool[Array, "size size"]:
    """A full row or column."""
    line = jnp.arange(2 * size) == below(uniform, 2 * size)
    return line[:size, None] | line[None, size:]


def wood_reachable(
    objects: Int8[Array, "size size"], water: Bool[Array, "size size"], worker: Int8[Array, "2"]
) -> Bool[Array, ""]:
    """Whether the worker can get to wood without a bridge."""
    wave = boards.advance(boards.pack(objects == Thing.WOOD), boards.pack(~water), worker, water.shape[1])
    return boards.at(boards.spread(wave), worker) != 0
