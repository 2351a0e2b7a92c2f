"""The map at the start: a Nexus, minerals and gas beside it, and a random endowment of buildings."""

from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, Int8, Int32, Key

from cofca.envs.starcraft.params import StarCraftParams
from cofca.envs.starcraft.symbols import NUM_BUILDINGS, Building, Terrain
from cofca.utils.prng import below, draw_uniform, pick


class Map(NamedTuple):
    """Ground, buildings, and where the Probes start."""

    terrain: Int8[Array, "height width"]
    buildings: Int8[Array, "height width"]
    nexus: Int8[Array, "2"]


def spawn(key: Key[Array, ""], building_lines: Int[Array, ""], params: StarCraftParams) -> Map:
    """A random map that leaves a free cell for every building line."""
    cells = params.cells
    uniform = draw_uniform(key, 4 + 2 * cells)
    nexus = below(uniform[0], cells)
    beside = _beside(nexus, params.size)
    minerals = pick(uniform[1], beside)
    gas = pick(uniform[2], beside & (jnp.arange(cells) != minerals))

    place = jnp.arange(cells)
    terrain = (place == minerals) * Terrain.MINERALS + (place == gas) * Terrain.GAS
    plain = (terrain == Terrain.PLAIN) & (place != nexus)
    room = plain.sum() - building_lines
    number = below(uniform[3], jnp.maximum(room, 0) + 1)
    noise, kinds = jnp.split(uniform[4:], 2)
    # Cells that may not be used come last in the random order.
    ranks = jnp.argsort(jnp.argsort(jnp.where(plain, noise, 2.0)))
    buildings = jnp.where(ranks < number, 1 + below(kinds, NUM_BUILDINGS), 0)
    buildings = jnp.where(place == nexus, Building.NEXUS, buildings)
    shape = params.size, params.size
    return Map(
        terrain=terrain.astype(jnp.int8).reshape(shape),
        buildings=buildings.astype(jnp.int8).reshape(shape),
        nexus=jnp.stack(jnp.divmod(nexus, params.size)).astype(jnp.int8),
    )


def _beside(cell: Int32[Array, ""], size: int) -> Bool[Array, " cells"]:
    """The cells a king's move away."""
    rows, columns = jnp.divmod(jnp.arange(size**2), size)
    row, column = jnp.divmod(cell, size)
    distance = jnp.maximum(abs(rows - row), abs(columns - column))
    return distance == 1
