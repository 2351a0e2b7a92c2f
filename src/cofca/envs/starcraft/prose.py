"""What an agent is told where it reads and writes text."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cofca.envs.domain import Prose
from cofca.envs.starcraft.env import CHANNELS, Observation
from cofca.envs.starcraft.language.text import from_symbols, unparse
from cofca.envs.starcraft.params import StarCraftParams
from cofca.envs.starcraft.play import choices_at, play_help
from cofca.envs.starcraft.render.scene import stage_text
from cofca.envs.starcraft.symbols import NUM_BUILDINGS, NUM_PROBES, Building, Stage, Unit, name

MINERALS, GAS, FIRST_PROBE = NUM_BUILDINGS, NUM_BUILDINGS + 1, NUM_BUILDINGS + 2
DESTROYED = CHANNELS.index("destroyed")
"""Channels of the grid. Terrain is not looked up: as numbers it equals buildings."""


def rules(params: StarCraftParams) -> str:
    """The rules, and how to command."""
    return f"""\
You command {NUM_PROBES} Probes and the buildings on a map of {params.size} by {params.size} cells. Train the units \
that the instruction asks for.
{play_help(params)}

- probe P build B R C: Probe P goes to row R and column C and builds B when it is there. It goes one cell a time step,
  also diagonally, and goes on while you give other commands. The cell must be free. Nothing stands on minerals, and on
  gas only an Assimilator.
- probe P go R C: it goes there.
- train U R C: the building in row R and column C trains the unit U at once.
- nothing: a time step passes.
A whole command takes one time step, also one that can't be carried out: then nothing comes of it, and nobody says so.
A piece of a command takes no time.

The instruction is a list of orders, one after another: lines "Build B", then a line "Train U". The first building of an
order needs no other. Each of the next can only be built while the building in the line above stands. The last one is
what trains the unit; others can't. A building may serve many orders, and there may be several of a kind.
In each time step an enemy may come: with probability {params.ambush_probability:g} one of your units is lost, with
probability {params.attack_probability:g} some of the buildings are, but never a Nexus. Make again what is needed.
You succeed as soon as all lines "Train U" have a unit that is alive, at the same moment: a unit listed twice must be
there twice. The time limit is {params.steps_per_line} time steps for each line of the instruction. Units can't be seen
on the map, and nobody tells you which lines are done: remember them."""


def observation(obs: Observation, params: StarCraftParams) -> str:
    """All that an observation holds."""
    grid = np.asarray(obs.grid)
    stage = np.asarray(obs.stage)
    standing = [f"{name(Building(kind + 1))} {_place(at)}" for *at, kind in np.argwhere(grid[..., :NUM_BUILDINGS])]
    probes = grid[..., FIRST_PROBE : FIRST_PROBE + NUM_PROBES]
    where = [f"{number + 1} at {_places(probes[..., number])}" for number in range(NUM_PROBES)]
    return f"""\
Each place is a row and a column.
Buildings: {", ".join(standing)}
Minerals: {_places(grid[..., MINERALS])}
Gas: {_places(grid[..., GAS])}
Probes: {", ".join(where)}
Enemy in the last time step: {_losses(obs) or "-"}
Command so far: {stage_text(Stage(*stage.tolist()), params.size)}
You can choose: {choices_at(stage, grid[..., :NUM_BUILDINGS].sum(axis=-1))}
Instruction:
{unparse(from_symbols(np.asarray(obs.lines)[:, 0]))}"""


def news(response: int, obs: Any) -> str:
    """Whether time has passed, and what the enemy then did."""
    if not response:
        return "no time passed"
    losses = _losses(obs)
    return f"time passed; {losses}" if losses else "time passed"


def _losses(obs: Observation) -> str:
    destroyed = np.asarray(obs.grid)[..., DESTROYED]
    ambush = [f"{name(Unit(int(obs.ambushed)))} ambushed"] if obs.ambushed else []
    return "; ".join([*ambush, *([f"buildings destroyed at {_places(destroyed)}"] if destroyed.any() else [])])


def _places(plane: NDArray[np.integer[Any]]) -> str:
    return ", ".join(map(_place, np.argwhere(plane))) or "-"


def _place(at: Any) -> str:
    row, column = at
    return f"{row + 1} {column + 1}"


PROSE = Prose(rules, observation, news)
