"""Placing a population on the map: water, objects, worker and walls."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int8, Key

from cofca.minecraft import boards
from cofca.minecraft.levels.population import Population
from cofca.minecraft.params import MinecraftParams
from cofca.minecraft.symbols import Thing


def spawn(
    key: Key[Array, ""], population: Population, params: MinecraftParams
) -> tuple[Int8[Array, "size size"], Int8[Array, "2"]]:
    """The cells of the map and the place of the worker."""
    water_key, place_key = jax.random.split(key)
    size, number = params.size, population.number
    water = draw_water(water_key, size)
    fits = number + 1 + size <= size**2
    water &= fits & (number <= params.max_objects_with_water)

    # Objects take the first cells of a random order in which water comes last; the worker takes the next.
    scores = jax.random.uniform(place_key, (size**2,)) + water.ravel()
    order = jnp.argsort(scores)
    things = jnp.append(jnp.where(population.exists, population.kinds, Thing.NOTHING), Thing.NOTHING)
    objects = jnp.zeros(size**2, jnp.int8).at[order].set(things.astype(jnp.int8)).reshape(size, size)
    worker = jnp.stack(jnp.divmod(order[number], size)).astype(jnp.int8)

    water &= wood_reachable(objects, water, worker)
    rows, columns = jnp.indices((size, size))
    is_worker = (rows == worker[0]) & (columns == worker[1])
    walls = (rows % 2 == 0) & (columns % 2 == 0) & (objects == Thing.NOTHING) & ~water & ~is_worker
    cells = jnp.where(walls, Thing.WALL, jnp.where(water, Thing.WATER, objects))
    return cells.astype(jnp.int8), worker


def draw_water(key: Key[Array, ""], size: int) -> Bool[Array, "size size"]:
    """A full row or column."""
    index = jax.random.randint(key, (), 0, 2 * size)
    row = jnp.arange(2 * size) == index
    return row[:size, None] | row[None, size:]


def wood_reachable(
    objects: Int8[Array, "size size"], water: Bool[Array, "size size"], worker: Int8[Array, "2"]
) -> Bool[Array, ""]:
    """Whether the worker can get to wood without a bridge."""
    wave = boards.advance(boards.pack(objects == Thing.WOOD), boards.pack(~water), worker, water.shape[1])
    return boards.at(boards.spread(wave), worker) != 0
