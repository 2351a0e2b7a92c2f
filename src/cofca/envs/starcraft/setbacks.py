"""What becomes of losses: how long until the pointer stands at the line to do again, and until the loss is repaired.

A *setback* is a time step in which the enemy moves the line to do back: without its ambush or attack `line_to_do` would
be further on. So a loss that matters is one that undoes what was done; a unit too many, a building off the way or a
unit ordered later than the one being worked for are lost without a setback.

The *lost line* was satisfied just before the enemy came, and is to be done again. After an ambush (or both) it is the
unit's, which comes before the unit that was to be trained; after an attack it is the one right before the line that was
to be done, a building without which that can't be done.

The setback is *pointed* at when a choice is first made with the pointer at the line to do, wherever that is by then,
and *repaired* when the lost line is satisfied again, even if the enemy undoes it in that same time step. Both
are counted in time steps from the end of the setback's: a pointer that moves before time passes takes 0, and
repairing takes at least 1. What has not happened by the end of the episode never does; nor is a setback pointed at
any more that was repaired. How long a loss *waited* is known of all of them: to its repair or to the end of the
episode.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, Int16, Int32

from cofca.envs.rollout import Watcher
from cofca.envs.starcraft.commands import interpret
from cofca.envs.starcraft.levels.level import Program
from cofca.envs.starcraft.params import StarCraftParams
from cofca.envs.starcraft.progress import first_uncovered, line_to_do, satisfied, standing
from cofca.envs.starcraft.symbols import FIRST_UNIT
from cofca.envs.starcraft.world import State, obey, walk

TIMES = 128
"""Times are counted one by one for medians; those from here on together."""


class Cause(IntEnum):
    """Of a setback."""

    AMBUSH = 0
    ATTACK = 1


class End(IntEnum):
    """What is waited for after a setback."""

    POINTED = 0
    REPAIRED = 1


class Notes(NamedTuple):
    """The setbacks of an episode. None is open twice: what is lost can't be lost again before it is repaired."""

    since: Int16[Array, " lines"]
    """When each line was lost; -1 where it is not to be repaired."""
    astray: Bool[Array, " lines"]
    """Whether the pointer has not stood at the line to do since."""
    setbacks: Int32[Array, "2"]
    """By cause."""
    times: Int32[Array, "2 2"]
    """All times together, by cause and end."""
    counts: Int16[Array, "2 2 times"]
    """How many of each time there were."""
    waited: Int32[Array, "2"]
    """Time steps in which losses waited, all together, by cause."""
    time: Int16[Array, ""]
    """Time steps of the episode so far; an agent makes several choices in one."""


def begin(state: State) -> Notes:
    """Nothing is lost yet."""
    lines = state.level.program.lines.shape
    zeros = jnp.zeros((len(Cause), len(End)), jnp.int32)
    counts = jnp.zeros((*zeros.shape, TIMES), jnp.int16)
    since, astray = jnp.full(lines, -1, jnp.int16), jnp.zeros(lines, bool)
    return Notes(since, astray, zeros[:, 0], zeros, counts, zeros[:, 0], state.time)


def see(
    notes: Notes, before: State, pointer: Int[Array, ""], choice: Int[Array, ""], after: State, params: StarCraftParams
) -> Notes:
    """The notes after a frame."""
    program = before.level.program
    pointed = (notes.since >= 0) & notes.astray & (pointer == before.line)
    notes = _ended(notes._replace(astray=notes.astray & ~pointed), program, End.POINTED, pointed, before.time)

    passed, done = after.time > before.time, _before_the_enemy(before, choice, params)
    waits = (notes.since >= 0) & passed
    repaired = waits & done
    notes = _ended(notes, program, End.REPAIRED, repaired, after.time)

    lost = lost_line(program, done, after) & passed
    return notes._replace(
        since=jnp.where(lost, after.time, jnp.where(repaired, -1, notes.since)).astype(jnp.int16),
        astray=notes.astray | lost,
        setbacks=notes.setbacks.at[_causes(program)].add(lost.astype(jnp.int32)),
        waited=notes.waited.at[_causes(program)].add(waits.astype(jnp.int32)),
        time=after.time,
    )


def lost_line(program: Program, done: Bool[Array, " lines"], after: State) -> Bool[Array, " lines"]:
    """The line that a setback takes, given what was satisfied before the enemy came; none if there is no setback."""
    left = satisfied(program, standing(after.buildings), after.units)
    goal, reached = first_uncovered(program, left), line_to_do(program, done)
    line = jnp.where(goal < first_uncovered(program, done), goal, reached - 1)
    return (jnp.arange(done.shape[0]) == line) & (after.line < reached)


def report(notes: Notes) -> dict[str, Any]:
    """The setbacks of many episodes by cause: how many there were, the times until each end, and how long losses
    waited on average."""
    setbacks, waited, times, counts = map(np.asarray, (notes.setbacks, notes.waited, notes.times, notes.counts))
    said: dict[str, Any] = {}
    for cause in Cause:
        own = setbacks[:, cause]
        ends = {end.name.lower(): _delays(own, times[:, cause, end], counts[:, cause, end]) for end in End}
        number = int(own.sum())
        wait = round(int(waited[:, cause].sum()) / number, 4) if number else None
        said[cause.name.lower()] = {"setbacks": number, **ends, "waited": wait}
    return said


SETBACKS = Watcher(begin, see, report)


def _before_the_enemy(before: State, choice: Int[Array, ""], params: StarCraftParams) -> Bool[Array, " lines"]:
    """The lines that are satisfied when the command has been carried out and the Probes have walked."""
    kinds = standing(before.buildings)
    probes, units, _ = obey(before, kinds, interpret(choice, before.stage, before.buildings, params))
    _, buildings = walk(probes, before.buildings, kinds, before.level)
    return satisfied(before.level.program, standing(buildings), units)


def _ended(notes: Notes, program: Program, end: End, ended: Bool[Array, " lines"], time: Int16[Array, ""]) -> Notes:
    causes, times = _causes(program), jnp.where(ended, time - notes.since, 0).astype(jnp.int32)
    place = causes, end, jnp.minimum(times, TIMES - 1)
    return notes._replace(
        times=notes.times.at[causes, end].add(times),
        counts=notes.counts.at[place].add(ended.astype(jnp.int16)),
    )


def _causes(program: Program) -> Int32[Array, " lines"]:
    """Why each line is lost, if it is."""
    return jnp.where(program.lines >= FIRST_UNIT, Cause.AMBUSH, Cause.ATTACK).astype(jnp.int32)


def _delays(
    setbacks: Int32[np.ndarray, " episodes"],
    times: Int32[np.ndarray, " episodes"],
    counts: Int16[np.ndarray, "episodes times"],
) -> dict[str, float | None]:
    """Mean and median of the times, the standard error of the mean, and the share of setbacks without an end.

    An episode's times depend on each other, so the error is that of a ratio of sums over episodes.
    """
    number, all_ = counts.sum(axis=1, dtype=np.int64), int(counts.sum(dtype=np.int64))
    never = round(1 - all_ / int(setbacks.sum()), 4) if setbacks.any() else None
    if not all_:
        return {"mean": None, "error": None, "median": None, "never": never}
    mean = times.sum(dtype=np.int64) / all_
    spread = np.sum((times - mean * number) ** 2) * len(number) / max(len(number) - 1, 1)
    median = np.searchsorted(np.cumsum(counts.sum(axis=0, dtype=np.int64)), all_ / 2)
    # A single episode tells nothing about others.
    error = round(float(np.sqrt(spread)) / all_, 4) if np.count_nonzero(number) > 1 else None
    return {"mean": round(float(mean), 4), "error": error, "median": int(median), "never": never}
