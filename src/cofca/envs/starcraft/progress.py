"""Progress through an instruction: which lines are satisfied, and which is to be done next."""

from enum import IntEnum

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int8, Int16, Int32

from cofca.envs.starcraft.levels.level import Program
from cofca.envs.starcraft.symbols import FIRST_UNIT

Standing = Int32[Array, ""]
"""The kinds of building that stand, as bits. Bit 0 is always set: what needs nothing has what it needs."""
Units = Int16[Array, "16"]


class Transition(IntEnum):
    """What can happen to the line to do in a time step, and why."""

    NEXT_LINE = 0
    SKIP = 1
    JUMP_BACK = 2
    UNIT_LOST = 3
    BUILDINGS_LOST = 4


def standing(buildings: Int8[Array, "height width"]) -> Standing:
    """Which kinds of building stand somewhere."""
    bits = jnp.left_shift(jnp.int32(1), buildings.astype(jnp.int32))
    return jax.lax.reduce(bits, jnp.int32(1), jax.lax.bitwise_or, (0, 1))


def stands(kinds: Standing, building: Int8[Array, "*shape"] | Int32[Array, "*shape"]) -> Bool[Array, "*shape"]:
    """Whether a building of this kind stands; true for 0, no building at all."""
    return (kinds >> building.astype(jnp.int32)) & 1 > 0


def satisfied(program: Program, kinds: Standing, units: Units) -> Bool[Array, " lines"]:
    """The lines whose building stands or whose unit is covered; padding is."""
    alive = units[jnp.maximum(program.lines - FIRST_UNIT, 0)]
    return jnp.where(program.lines >= FIRST_UNIT, alive >= program.occurrences, stands(kinds, program.lines))


def first_uncovered(program: Program, done: Bool[Array, " lines"]) -> Int32[Array, ""]:
    """The first unit line that is not covered; the program's length if there is none."""
    number = jnp.arange(program.lines.shape[0])
    return jnp.min(jnp.where((program.lines >= FIRST_UNIT) & ~done, number, program.length)).astype(jnp.int32)


def line_to_do(program: Program, done: Bool[Array, " lines"], goal: Int32[Array, ""] | None = None) -> Int16[Array, ""]:
    """The line a perfect pointer stands on, given which lines are satisfied.

    It is on the way to the unit line `goal`, by default the first that is not covered: right after the last line before
    the goal that is a unit's or names a building that stands.
    """
    number = jnp.arange(program.lines.shape[0])
    is_unit = program.lines >= FIRST_UNIT
    if goal is None:
        goal = first_uncovered(program, done)
    before = (number < goal) & (is_unit | done)
    return jnp.max(jnp.where(before, number + 1, 0)).astype(jnp.int16)
