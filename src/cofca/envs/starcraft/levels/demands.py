"""What is demanded of levels, as numbers that are traced: levels of another kind need no other program."""

from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Float32, Int32

from cofca.envs.starcraft.params import StarCraftParams


class Demands(NamedTuple):
    """Those parameters that only decide which levels there are."""

    shortest: Int32[Array, ""]
    longest: Int32[Array, ""]
    several_units: Float32[Array, ""]
    depth_cap: Int32[Array, ""]
    prerequisite_cap: Int32[Array, ""]


def demands_of(params: StarCraftParams) -> Demands:
    """What these parameters demand."""
    whole = map(jnp.int32, (*params.length, params.depth_cap, params.prerequisite_cap))
    shortest, longest, depth_cap, prerequisite_cap = whole
    return Demands(shortest, longest, jnp.float32(params.several_units), depth_cap, prerequisite_cap)
