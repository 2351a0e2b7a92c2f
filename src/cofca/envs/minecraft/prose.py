"""What an agent is told where it reads and writes text."""

from typing import Any

import numpy as np

from cofca.envs.domain import Prose
from cofca.envs.minecraft.env import CHANNELS, Observation
from cofca.envs.minecraft.language.instruction import word
from cofca.envs.minecraft.language.text import from_symbols, unparse
from cofca.envs.minecraft.levels.own import draw_map
from cofca.envs.minecraft.params import MinecraftParams
from cofca.envs.minecraft.play import play_help
from cofca.envs.minecraft.render.scene import command_text, primitive_text
from cofca.envs.minecraft.symbols import RESOURCES, Thing

WORKER = CHANNELS.index("worker")


def rules(params: MinecraftParams) -> str:
    """The rules, and how to command."""
    commands = ", ".join(map(command_text, range(params.num_commands)))
    nouns = ", ".join(map(word, RESOURCES))
    wait = "- wait: the worker stays where it is.\n" if params.wait else ""
    return f"""\
A worker on a map of {params.size} by {params.size} cells carries out your commands. Have it carry out the instruction.
{play_help(params)}

The commands are {commands}.
- mine X: the worker goes to X, and takes it off the map into its inventory.
- sell X: the worker goes to a merchant and sells one X of its inventory. If it has none, it first mines one.
- inspect X: the worker goes to X and looks at it. Nothing changes.
{wait}\
The worker moves to one of the eight cells around it, or mines, sells or inspects where it stands. Nobody passes a wall.
To cross water takes one wood of the inventory, and the water is gone; the worker fetches that wood by itself.
It stays where it is when the command can't be carried out.

The instruction is a program over the nouns {nouns}. Its lines are done from top to bottom.
- "if more A than B" and "while more A than B" compare the things on the map, not in the inventory, at the moment when
  the line is reached. As many is not more.
- After "endwhile" the condition of its "while" is asked again.
You succeed when all that the program asks for has been done in order. You fail as soon as something is mined or sold
that is not what the line to do now says; only wood may be mined at any time, and X for the line "sell X". To inspect is
never wrong. The time limit is {params.steps_per_line} steps for each line of the instruction. Nobody tells you which
line is to be done now: remember it."""


def observation(obs: Observation, params: MinecraftParams) -> str:
    """All that an observation holds."""
    del params
    grid = np.asarray(obs.grid)
    cells = grid[..., :WORKER] @ np.array(CHANNELS[:WORKER])
    worker = tuple(np.argwhere(grid[..., WORKER])[0].tolist())
    held = zip(RESOURCES, np.asarray(obs.inventory).tolist(), strict=True)
    return f"""\
Map:
{draw_map(cells, worker)}
Under the worker: {Thing(cells[worker]).name.lower()}
Inventory: {", ".join(f"{word(thing)} {count}" for thing, count in held)}
Instruction:
{unparse(from_symbols(obs.lines))}"""


def news(response: int, obs: Any) -> str:
    """What the worker has done."""
    del obs
    return f"the worker {primitive_text(response)}"


PROSE = Prose(rules, observation, news)
