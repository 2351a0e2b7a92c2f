"""Parts of a sentence about a time step: the worker's move, what moves the pointer, and what is not done yet."""

import numpy as np

from cofca.envs.base import Status
from cofca.envs.minecraft.language.interpreter import holds
from cofca.envs.minecraft.language.text import from_symbols, words
from cofca.envs.minecraft.params import MinecraftParams
from cofca.envs.minecraft.render.scene import command_text, primitive_text
from cofca.envs.minecraft.render.words import completed
from cofca.envs.minecraft.symbols import COUNTED, LineType, Primitive
from cofca.envs.minecraft.world import State
from cofca.envs.render.words import Clauses

DONE = {"mine": "mined", "sell": "sold", "inspect": "inspected"}


def clauses(
    before: State, after: State, action: int, response: int, params: MinecraftParams, pointer: int, target: int
) -> Clauses:
    """What happened between two states, while the pointer went from one line to another."""
    del params
    lines = from_symbols(np.asarray(before.level.program.lines))
    line, due = lines[pointer], int(after.line)
    astray = f"line {due + 1} is to be done" if due != target and lines[target].type == LineType.SUBTASK else ""
    told = Clauses(_deed(command_text(action), response), astray=astray)
    if line.type in (LineType.IF, LineType.WHILE):
        cells = np.asarray(after.cells)
        counts = {thing: int((cells == thing).sum()) for thing in COUNTED}
        return told._replace(cause=f"the condition is {'true' if holds(line, counts) else 'false'}")
    if line.type != LineType.SUBTASK or pointer != int(before.line):
        return told
    verb, noun = words(line)
    if completed(before, after) and after.status != Status.FAILED:
        return told._replace(cause=f"the {noun} is {DONE[verb]}")
    return told._replace(pending=f"the {noun} is not {DONE[verb]} yet")


def _deed(command: str, response: int) -> str:
    if response == Primitive.STAY:
        return f"told to {command}, the worker stays"
    does = primitive_text(response)
    return f"the worker {does} to {command}" if response < Primitive.STAY else f"the worker {does} {command.split()[1]}"
