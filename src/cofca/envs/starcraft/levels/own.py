"""Levels of one's own: from a text, and a drawn map if there is one. What can't be done is refused with the reason."""

from dataclasses import replace

import jax
import numpy as np
from jaxtyping import Array, Int32, PRNGKeyArray

from cofca.envs.base import Status
from cofca.envs.starcraft.language.instruction import Instruction, implied, words
from cofca.envs.starcraft.language.text import pad, parse
from cofca.envs.starcraft.levels.level import Level, make_program
from cofca.envs.starcraft.levels.spawn import Map, spawn
from cofca.envs.starcraft.oracle import oracle
from cofca.envs.starcraft.params import StarCraftParams
from cofca.envs.starcraft.symbols import NUM_BUILDINGS, NUM_UNITS, Building, Terrain
from cofca.envs.starcraft.world import State, advance, start
from cofca.utils.compilation import jit_for_params, quick_jit
from cofca.utils.drawing import read_rows
from cofca.utils.errors import ImpossibleLevelError

LETTERS = {
    ".": (0, Terrain.PLAIN),
    **{letter: (building, Terrain.PLAIN) for letter, building in zip("ACDFOGNHPBRSTW", Building, strict=True)},
    "a": (Building.ASSIMILATOR, Terrain.GAS),
    "m": (0, Terrain.MINERALS),
    "g": (0, Terrain.GAS),
}
"""What each letter of a drawn map stands for."""
PROBES = "@"
"""The Nexus with the Probes."""


def own_level(key: PRNGKeyArray, text: str, params: StarCraftParams, drawing: str | None = None) -> Level:
    """The level of an instruction, on the drawn map or, without one, on a random map.

    The forest is what the text implies; buildings it does not name have no prerequisite, units it does not name are
    trained by a random building.
    """
    instruction = parse(text, max_lines=params.lines)
    prerequisites, trainers = _forest(key, instruction)
    program = _make_program(pad(instruction, params.lines), np.int16(len(instruction)))
    building_lines = sum(line <= NUM_BUILDINGS for line in instruction)
    place = _spawn(key, np.int32(building_lines), params) if drawing is None else read_map(drawing, params.size)
    level = Level(key, program, prerequisites, trainers, *place)
    peace = replace(params, ambush_probability=0.0, attack_probability=0.0)
    end = _play(level, peace)
    if end.status != Status.SUCCEEDED:
        raise ImpossibleLevelError(_why_not(instruction, end))
    return level


def read_map(drawing: str, size: int) -> Map:
    """A drawn map: one letter a cell, spaces between them allowed."""
    rows, row, column = read_rows(drawing, size, LETTERS, PROBES, "Nexus with the Probes")
    cells = [[LETTERS.get(letter, (Building.NEXUS, Terrain.PLAIN)) for letter in row] for row in rows]
    buildings, terrain = np.moveaxis(np.array(cells, np.int8), -1, 0)
    return Map(*map(jax.device_put, (terrain, buildings, np.array([row, column], np.int8))))


def draw_map(level: Level) -> str:
    """The map at the start of a level as text."""
    letters = {(int(building), int(ground)): letter for letter, (building, ground) in LETTERS.items()}
    cells = zip(np.asarray(level.buildings).tolist(), np.asarray(level.terrain).tolist(), strict=True)
    rows = [[letters[cell] for cell in zip(*row, strict=True)] for row in cells]
    row, column = np.asarray(level.nexus).tolist()
    rows[row][column] = PROBES
    return "\n".join("".join(row) for row in rows)


def _forest(key: PRNGKeyArray, instruction: Instruction) -> tuple[jax.Array, jax.Array]:
    known = implied(instruction)
    needs = [known.prerequisites.get(building) or 0 for building in Building]
    trainers = np.array(_any_trainers(key), np.int8)
    for unit, building in known.trainers.items():
        trainers[unit - 1] = building
    return jax.device_put(np.array(needs, np.int8)), jax.device_put(trainers)


@quick_jit
def _any_trainers(key: PRNGKeyArray) -> Int32[Array, " units"]:
    return jax.random.randint(key, (NUM_UNITS,), 1, NUM_BUILDINGS + 1)


_make_program, _spawn = quick_jit(make_program), jit_for_params(spawn)


@jit_for_params
def _play(level: Level, params: StarCraftParams) -> State:
    """How a level ends when the oracle plays it."""
    return jax.lax.while_loop(
        lambda state: state.status == Status.RUNNING,
        lambda state: advance(level.key, state, oracle(state), params)[0],
        start(level),
    )


def _why_not(instruction: Instruction, end: State) -> str:
    """Why the oracle fails even without enemies."""
    line, time = int(end.line), int(end.time)
    free = (end.buildings == 0) & (end.level.terrain == Terrain.PLAIN)
    if not free.any() and instruction[line] <= NUM_BUILDINGS:
        return f"no free cell is left for line {line + 1}: {' '.join(words(instruction[line]))}"
    return f"the oracle can't solve this in time: after {time} time steps it is still at line {line + 1}"
