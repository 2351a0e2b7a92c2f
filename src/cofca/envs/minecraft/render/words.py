"""A time step in words: the command, what the worker made of it, and the conditions that were met."""

import numpy as np

from cofca.envs.base import Status
from cofca.envs.minecraft.errands import completes
from cofca.envs.minecraft.language.instruction import word
from cofca.envs.minecraft.language.interpreter import control_lines, holds
from cofca.envs.minecraft.language.text import from_symbols
from cofca.envs.minecraft.language.text import words as line_words
from cofca.envs.minecraft.params import MinecraftParams
from cofca.envs.minecraft.render.scene import command_text, primitive_text
from cofca.envs.minecraft.symbols import COUNTED, RESOURCES, LineType, Primitive, Thing
from cofca.envs.minecraft.world import State
from cofca.envs.render.words import Words, late_text
from cofca.utils.compilation import quick_jit

completed = quick_jit(completes)
"""Whether a time step completed the current subtask."""


def words(before: State, after: State, action: int, response: int, params: MinecraftParams) -> Words:
    """What happened between two states."""
    del params
    news = conditions(after, int(before.line) + 1) if completed(before, after) else []
    return Words(command_text(action), primitive_text(response), news, why=why(before, after, action, response))


def why(before: State, after: State, action: int, response: int) -> str:
    """Why the episode ended without success: what was done, and what was due."""
    if after.status == Status.OUT_OF_TIME:
        return late_text(int(after.line), line_text(after))
    if after.status != Status.FAILED:
        return ""
    verb, noun = _done(before, action, response)
    done, due = f"{verb} {noun}", line_text(before)
    if done == due:
        return "the program goes round and never comes to another subtask"
    past = {"mine": "mined", "sell": "sold"}[verb]
    return f"{past} {noun}, but line {int(before.line) + 1}, {due}, was to be done"


def _done(before: State, action: int, response: int) -> tuple[str, str]:
    """What the worker did: a verb and a noun."""
    row, column = before.worker.tolist()
    here, named = Thing(int(before.cells[row, column])), RESOURCES[action % len(RESOURCES)]
    return Primitive(response).name.lower(), word(named if response == Primitive.SELL else here)


def line_text(state: State) -> str:
    """The line to do."""
    return " ".join(line_words(from_symbols(np.asarray(state.level.program.lines))[int(state.line)]))


def first_words(state: State, params: MinecraftParams) -> list[str]:
    """The conditions that are met before the first subtask."""
    del params
    return conditions(state, 0)


def conditions(state: State, start: int) -> list[str]:
    """What each `if` and `while` on the way from a line to the next subtask turns out to be."""
    instruction = from_symbols(np.asarray(state.level.program.lines))
    cells = np.asarray(state.cells)
    counts = {thing: int((cells == thing).sum()) for thing in COUNTED}
    met = [(at, instruction[at]) for at in control_lines(instruction, start, counts)]
    return [
        f"line {at + 1}, {' '.join(line_words(line))}: {'yes' if holds(line, counts) else 'no'}"
        for at, line in met
        if line.type in (LineType.IF, LineType.WHILE)
    ]
