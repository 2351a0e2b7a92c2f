"""A level: everything random about the start of an episode."""

from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Int8, Int16, Key, UInt8

from cofca.envs.starcraft.symbols import FIRST_UNIT, Unit


class Program(NamedTuple):
    """An instruction in the form that compiled functions take."""

    lines: Int8[Array, " lines"]
    """The symbol of each line, padded with zeros."""
    length: Int16[Array, ""]
    occurrences: UInt8[Array, " lines"]
    """Of a unit line: how often that unit has been ordered up to here."""
    required: UInt8[Array, "16"]
    """How often each unit is ordered in all."""


class Level(NamedTuple):
    """A pure function of `key` and the parameters; an own instruction or map makes a level like any other."""

    key: Key[Array, ""]
    program: Program
    prerequisites: Int8[Array, "14"]
    """Of each building the one it needs; 0 for a root."""
    trainers: Int8[Array, "16"]
    """Of each unit the building that trains it."""
    terrain: Int8[Array, "height width"]
    buildings: Int8[Array, "height width"]
    nexus: Int8[Array, "2"]
    """Row and column of the Nexus where the Probes start."""


def make_program(lines: Int8[Array, " lines"], length: Int16[Array, ""]) -> Program:
    """Count the orders of an instruction."""
    earlier = jnp.tri(lines.shape[0], dtype=bool)
    ordered = (lines[:, None] == lines[None, :]) & earlier
    occurrences = jnp.where(lines >= FIRST_UNIT, ordered.sum(axis=1), 0)
    units = FIRST_UNIT + jnp.arange(len(Unit))
    required = (lines[:, None] == units).sum(axis=0)
    return Program(lines, length, occurrences.astype(jnp.uint8), required.astype(jnp.uint8))
