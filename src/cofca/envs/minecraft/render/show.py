"""From the arrays of a level or state to what a person reads and sees."""

import numpy as np

from cofca.envs.minecraft.language.text import from_symbols, unparse
from cofca.envs.minecraft.levels.level import Level
from cofca.envs.minecraft.params import MinecraftParams
from cofca.envs.minecraft.render.scene import Scene
from cofca.envs.minecraft.world import State
from cofca.envs.render.moment import STATUSES


def level_text(level: Level) -> str:
    """The instruction of a level."""
    return unparse(from_symbols(np.asarray(level.program.lines)))


def scene_of(state: State, params: MinecraftParams, action: int | None = None, response: int | None = None) -> Scene:
    """What the renderers show of a state, with the latest command and the worker's primitive."""
    program = state.level.program
    length, line = int(program.length), int(state.line)
    row, column = np.asarray(state.worker).tolist()
    iron, gold, wood = np.asarray(state.inventory).tolist()
    return Scene(
        cells=np.asarray(state.cells),
        worker=(row, column),
        inventory=(iron, gold, wood),
        lines=from_symbols(np.asarray(program.lines)),
        current=line if line < length else None,
        time=int(state.time),
        time_limit=params.steps_per_line * length,
        command=action,
        primitive=response,
        status=STATUSES[int(state.status)],
    )
