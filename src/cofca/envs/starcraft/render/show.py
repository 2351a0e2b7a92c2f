"""From the arrays of a level or state to what a person reads and sees."""

import numpy as np
from jaxtyping import Array, Bool

from cofca.envs.render.moment import STATUSES
from cofca.envs.starcraft.language.text import from_symbols, unparse
from cofca.envs.starcraft.levels.level import Level, Program
from cofca.envs.starcraft.params import StarCraftParams
from cofca.envs.starcraft.progress import Units, satisfied, standing
from cofca.envs.starcraft.render.scene import Scene
from cofca.envs.starcraft.symbols import Stage
from cofca.envs.starcraft.world import Grid, State
from cofca.utils.compilation import quick_jit


def level_text(level: Level) -> str:
    """The instruction of a level."""
    return unparse(from_symbols(np.asarray(level.program.lines)))


def scene_of(state: State, params: StarCraftParams, action: int | None = None, response: int | None = None) -> Scene:
    """What the renderers show of a state, with the latest choice and whether time passed with it."""
    program = state.level.program
    length, line = int(program.length), int(state.line)
    done = np.asarray(_satisfied(program, state.buildings, state.units))
    return Scene(
        buildings=np.asarray(state.buildings),
        terrain=np.asarray(state.level.terrain),
        probes=_places(state.probes.places),
        goals=_places(state.probes.goals),
        tasks=tuple(np.asarray(state.probes.tasks).tolist()),
        destroyed=np.asarray(state.destroyed),
        ambushed=int(state.ambushed),
        units=tuple(np.asarray(state.units).tolist()),
        lines=from_symbols(np.asarray(program.lines)),
        satisfied=tuple(done[:length].tolist()),
        current=line if line < length else None,
        stage=Stage(*np.asarray(state.stage).tolist()),
        time=int(state.time),
        time_limit=params.steps_per_line * length,
        choice=action,
        passed=None if response is None else bool(response),
        status=STATUSES[int(state.status)],
    )


@quick_jit
def _satisfied(program: Program, buildings: Grid, units: Units) -> Bool[Array, " lines"]:
    return satisfied(program, standing(buildings), units)


def _places(pairs: object) -> tuple[tuple[int, int], ...]:
    return tuple((row, column) for row, column in np.asarray(pairs).tolist())
