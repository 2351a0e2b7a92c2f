"""A level: everything random about the start of an episode."""

from typing import NamedTuple

from jaxtyping import Array, Int8, Key

from cofca.envs.minecraft.program import Program


class Level(NamedTuple):
    """A pure function of `key` and the parameters; an own instruction or map makes a level like any other."""

    key: Key[Array, ""]
    program: Program
    cells: Int8[Array, "height width"]
    """What each cell holds, as `Thing`."""
    worker: Int8[Array, "2"]
    """Row and column."""
