"""Scripted agents that know what every line needs, but whose pointers are limited: what a limit costs by itself."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Int16, Int32, PRNGKeyArray

from cofca.envs.rollout import scripted
from cofca.envs.starcraft.oracle import under_way, work_on
from cofca.envs.starcraft.progress import line_to_do, satisfied, standing
from cofca.envs.starcraft.symbols import FIRST_UNIT, NOTHING
from cofca.envs.starcraft.world import State, distances


class Pointer(NamedTuple):
    """A line, and the time at which it was last looked at."""

    line: Int16[Array, ""]
    time: Int16[Array, ""]


class Pass(NamedTuple):
    """The line that was worked on, and the unit line it is on the way to."""

    line: Int16[Array, ""]
    goal: Int32[Array, ""]


def _begin_pointer(state: State) -> Pointer:
    return Pointer(jnp.int16(0), state.time)


def _plus_minus_one(key: PRNGKeyArray, state: State, pointer: Pointer) -> tuple[Int32[Array, ""], Pointer]:
    """Carry out every line the pointer comes to, needed or not, anywhere; then move one line nearer to the line to do.

    A command is completed when the unit is trained or the building stands; a line that can't be carried out costs
    a time step of doing nothing.
    """
    symbol = state.level.program.lines[jnp.minimum(pointer.line, state.level.program.length - 1)]
    completed = (state.time > pointer.time) & ~under_way(state, symbol)
    line = pointer.line + jnp.sign(state.line - pointer.line) * completed
    anywhere = jax.random.uniform(key, (state.probes.tasks.shape[0], *state.buildings.shape))
    return work_on(state, line, anywhere), Pointer(line.astype(jnp.int16), state.time)


def _plus_minus_one_idle(key: PRNGKeyArray, state: State, pointer: Pointer) -> tuple[Int32[Array, ""], Pointer]:
    """The same limit, used as well as can be: a line a time step, and nothing done where nothing is needed."""
    del key
    program = state.level.program
    line = pointer.line + jnp.sign(state.line - pointer.line) * (state.time > pointer.time)
    needless = satisfied(program, standing(state.buildings), state.units)[jnp.minimum(line, program.length - 1)]
    near = distances(state.probes, state.buildings.shape[0])
    choice = jnp.where(needless, NOTHING, work_on(state, line, near))
    return choice, Pointer(line.astype(jnp.int16), state.time)


def _begin_one_pass(state: State) -> Pass:
    return Pass(jnp.int16(0), _unit_line_from(state, jnp.int32(0)))


def _one_pass(key: PRNGKeyArray, state: State, memory: Pass) -> tuple[Int32[Array, ""], Pass]:
    """Build what the unit at `goal` needs, train it, go on to the next; never come back for one that was lost."""
    del key
    program, goal = state.level.program, memory.goal
    done = satisfied(program, standing(state.buildings), state.units)
    line = jnp.where(goal < program.length, line_to_do(program, done, goal), program.length)
    trained = (line == goal) & (state.stage[2] > 0)
    near = distances(state.probes, state.buildings.shape[0])
    goal = jnp.where(trained, _unit_line_from(state, goal + 1), goal)
    return work_on(state, line, near), Pass(line.astype(jnp.int16), goal)


def _rounds(key: PRNGKeyArray, state: State, memory: Pass) -> tuple[Int32[Array, ""], Pass]:
    """One pass after another, never asking what was lost: units trained again and again outnumber ambushes."""
    choice, after = _one_pass(key, state, memory)
    first = _unit_line_from(state, jnp.int32(0))
    return choice, after._replace(goal=jnp.where(after.goal < state.level.program.length, after.goal, first))


def _unit_line_from(state: State, first: Int32[Array, ""]) -> Int32[Array, ""]:
    program = state.level.program
    number = jnp.arange(program.lines.shape[0])
    later = (number >= first) & (program.lines >= FIRST_UNIT)
    return jnp.min(jnp.where(later, number, program.length)).astype(jnp.int32)


def _line(memory: Pointer | Pass) -> Int16[Array, ""]:
    return memory.line


REFERENCES = {
    "plus_minus_one": scripted(_begin_pointer, _plus_minus_one, pointer=_line),
    "plus_minus_one_idle": scripted(_begin_pointer, _plus_minus_one_idle, pointer=_line),
    "one_pass": scripted(_begin_one_pass, _one_pass, pointer=_line),
    "rounds": scripted(_begin_one_pass, _rounds, pointer=_line),
}
