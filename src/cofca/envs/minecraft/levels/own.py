"""Levels of one's own: from a text, and a drawn map if there is one. What can't be done is refused with the reason."""

from collections import Counter

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int, PRNGKeyArray

from cofca.envs.base import Status
from cofca.envs.minecraft.language import interpreter
from cofca.envs.minecraft.language.instruction import Instruction, block_matches
from cofca.envs.minecraft.language.text import pad, parse, unparse
from cofca.envs.minecraft.levels.level import Level
from cofca.envs.minecraft.levels.population import Draws, draw, feasible, populate
from cofca.envs.minecraft.levels.spawn import spawn
from cofca.envs.minecraft.oracle import play, solves
from cofca.envs.minecraft.params import MinecraftParams
from cofca.envs.minecraft.program import Program, make_program
from cofca.envs.minecraft.symbols import COUNTED, Thing
from cofca.envs.minecraft.world import State
from cofca.utils.compilation import jit_for_params, quick_jit
from cofca.utils.drawing import read_rows
from cofca.utils.errors import ImpossibleLevelError

POPULATIONS, MAPS = 1024, 64
"""How many populations are tried for a text, and how many maps of those that are feasible."""

LETTERS = dict(zip(".igwm~#", Thing, strict=True))
WORKER = "@"


def own_level(key: PRNGKeyArray, text: str, params: MinecraftParams, drawing: str | None = None) -> Level:
    """The level of an instruction, on the drawn map or, without one, in a random world it can be carried out in."""
    instruction = parse(text, max_lines=params.lines)
    program = compile_program(instruction, params.lines)
    if drawing is None:
        return _find_world(key, instruction, program, params)
    cells, worker = read_map(drawing, params.size)
    level = Level(key, program, jax.device_put(cells), jax.device_put(worker))
    end = _play(level, params)
    if end.status != Status.SUCCEEDED:
        raise ImpossibleLevelError(_why_not(instruction, cells, int(end.line), int(end.time)))
    return level


def compile_program(instruction: Instruction, lines: int) -> Program:
    """The instruction as the compiled functions take it, padded to so many lines."""
    matches = np.arange(lines, dtype=np.int16)
    matches[: len(instruction)] = block_matches(instruction)
    return _make_program(pad(instruction, lines), matches, np.int16(len(instruction)))


_make_program = quick_jit(make_program)


def read_map(drawing: str, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Cells and worker of a drawn map: one letter of `. i g w m ~ # @` a cell, spaces between them allowed."""
    rows, row, column = read_rows(drawing, size, LETTERS, WORKER, "worker")
    cells = [[LETTERS.get(letter, Thing.NOTHING) for letter in row] for row in rows]
    return np.array(cells, np.int8), np.array([row, column], np.int8)


def draw_map(cells: np.ndarray, worker: tuple[int, int]) -> str:
    """The map as text; what the worker stands on is not shown."""
    letters = {thing: letter for letter, thing in LETTERS.items()}
    rows = [[letters[Thing(int(cell))] for cell in row] for row in cells]
    rows[worker[0]][worker[1]] = WORKER
    return "\n".join("".join(row) for row in rows)


@jit_for_params
def _play(level: Level, params: MinecraftParams) -> State:
    return play(level, params)


@jit_for_params
def _populations(key: PRNGKeyArray, program: Program, params: MinecraftParams) -> tuple:
    def one(key: PRNGKeyArray) -> tuple:
        draws = draw(key, params)
        population = populate(draws)
        return draws, feasible(program, population, draws.coin, params), population.counts

    return jax.vmap(one)(jax.random.split(key, POPULATIONS))


@jit_for_params
def _first_solved(
    key: PRNGKeyArray, program: Program, draws: Draws, which: Int[Array, " maps"], params: MinecraftParams
) -> tuple:
    """The first of these worlds that the oracle solves, and whether there is one."""
    chosen = jax.tree.map(lambda leaf: leaf[which], draws)
    levels = jax.vmap(lambda world: Level(key, program, *spawn(world, params)))(chosen)
    solved = solves(levels, params)
    return jax.tree.map(lambda leaf: leaf[jnp.argmax(solved)], levels), solved.any()


def _find_world(key: PRNGKeyArray, instruction: Instruction, program: Program, params: MinecraftParams) -> Level:
    """The first random world in which the oracle solves the instruction."""
    draws, possible, counts = _populations(key, program, params)
    found = np.flatnonzero(np.asarray(possible))
    if not found.size:
        raise ImpossibleLevelError(_why_never(instruction, np.asarray(counts), params))
    level, solved = _first_solved(key, program, draws, np.resize(found, MAPS), params)
    if not solved:
        raise ImpossibleLevelError(f"the oracle solved this in none of {MAPS} random worlds in time")
    return level


def _why_never(instruction: Instruction, counts: np.ndarray, params: MinecraftParams) -> str:
    """The commonest reason why random worlds don't do."""
    reasons: Counter[str] = Counter()
    for row in counts:
        try:
            run = interpreter.run(
                instruction,
                dict(zip(COUNTED, row.tolist(), strict=True)),
                max_loops=params.max_loops,
                spare_wood=1,
            )
            if not run.subtasks:
                reasons["no subtask would be performed"] += 1
        except interpreter.InfeasibleError as error:
            reasons[str(error)] += 1
    commonest = reasons.most_common(1)[0][0]
    return f"this can't be carried out in any of {len(counts)} random worlds; most often {commonest}"


def _why_not(instruction: Instruction, cells: np.ndarray, line: int, time: int) -> str:
    """Why the oracle fails on a drawn map."""
    counts = {thing: int((cells == thing).sum()) for thing in COUNTED}
    try:
        interpreter.run(instruction, counts, max_loops=cells.size)
    except interpreter.InfeasibleError as error:
        return f"this can't be carried out on this map: {error}"
    stuck = unparse((instruction[line],)) if line < len(instruction) else "the end"
    return f"the oracle can't solve this on this map: after {time} steps it is still at line {line + 1}: {stuck}"
