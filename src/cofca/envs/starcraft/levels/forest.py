"""The build forest: which building needs which, and which building trains which unit."""

from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Float, Int8, Int32, Key

from cofca.envs.starcraft.levels.demands import Demands
from cofca.envs.starcraft.symbols import NUM_BUILDINGS, NUM_UNITS
from cofca.utils.loops import fold
from cofca.utils.prng import below, draw_uniform, pick

Buildings = Int8[Array, "14"]


class Forest(NamedTuple):
    """Prerequisites, chains and trainers."""

    prerequisites: Buildings
    """Of each building the one it needs; 0 for a root."""
    depths: Buildings
    """How many buildings each one's chain has."""
    chains: Int8[Array, "14 14"]
    """The chain of each building, from the root down to itself, and zeros after that."""
    trainers: Int8[Array, "16"]


def draw_forest(key: Key[Array, ""], demands: Demands) -> Forest:
    """Shuffle the buildings; let each draw its prerequisite from those before it, or none."""
    uniform = draw_uniform(key, 2 * NUM_BUILDINGS + NUM_UNITS)
    shuffle, prerequisite, trainer = jnp.split(uniform, (NUM_BUILDINGS, 2 * NUM_BUILDINGS))
    order = jnp.argsort(shuffle).astype(jnp.int32)
    zeros = jnp.zeros(NUM_BUILDINGS, jnp.int8)
    nothing = Forest(zeros, zeros, jnp.zeros((NUM_BUILDINGS, NUM_BUILDINGS), jnp.int8), jnp.zeros(NUM_UNITS, jnp.int8))
    ranks = jnp.arange(NUM_BUILDINGS)
    grown = fold(lambda forest, now: _grow(forest, *now, demands), nothing, (order, prerequisite, ranks))
    return grown._replace(trainers=(1 + below(trainer, NUM_BUILDINGS)).astype(jnp.int8))


def _grow(
    forest: Forest,
    building: Int32[Array, ""],
    uniform: Float[Array, ""],
    rank: Int32[Array, ""],
    demands: Demands,
) -> Forest:
    """Plant the next building of the shuffle, counted from 0: on one that is there already, or as a root."""
    may_grow = (forest.depths > 0) & (forest.depths < demands.depth_cap) & (rank <= demands.prerequisite_cap)
    chosen = pick(uniform, jnp.append(jnp.bool(True), may_grow))
    below_it = jnp.where(chosen > 0, forest.depths[chosen - 1], 0)
    chain = jnp.where(jnp.arange(NUM_BUILDINGS) < below_it, forest.chains[chosen - 1], 0)
    chain = jnp.where(jnp.arange(NUM_BUILDINGS) == below_it, building + 1, chain).astype(jnp.int8)
    here = jnp.arange(NUM_BUILDINGS) == building
    return Forest(
        prerequisites=jnp.where(here, chosen, forest.prerequisites).astype(jnp.int8),
        depths=jnp.where(here, below_it + 1, forest.depths).astype(jnp.int8),
        chains=jnp.where(here[:, None], chain, forest.chains),
        trainers=forest.trainers,
    )
