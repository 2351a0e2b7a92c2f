"""One moment of an episode in plain Python, and the words for its codes: all that the renderers know."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cofca.minecraft.symbols import (
    CONDITIONS,
    FIRST_CONDITION,
    RESOURCES,
    WAIT,
    LineType,
    Primitive,
    Thing,
    Verb,
)

Line = tuple[int, int, int]

STATUSES = ("running", "success", "failed", "out of time")


class Scene(NamedTuple):
    """What a picture of the world shows."""

    cells: NDArray[np.integer[Any]]
    """Code of the `Thing` in each cell, [height, width]."""
    worker: tuple[int, int]
    """Row and column."""
    inventory: tuple[int, int, int]
    """Iron, gold and wood held."""
    lines: tuple[Line, ...]
    """The instruction, without padding."""
    current: int | None
    """Index of the current line; None when the program is done."""
    time: int
    time_limit: int
    command: int | None
    """The latest command; None before the first."""
    primitive: int | None
    """What the worker made of it."""
    status: str
    """One of `STATUSES`."""


class Word(NamedTuple):
    """A word of an instruction and what it is, so that a renderer can colour it."""

    text: str
    role: str
    """`keyword`, `verb`, `plain` or the name of the thing meant."""


def line_words(line: Line) -> list[Word]:
    """The words of a line."""
    kind, verb, third = line
    if kind == LineType.SUBTASK:
        return [Word(Verb(verb).name.lower(), "verb"), _thing(Thing(third))]
    words = [Word(LineType(kind).name.lower(), "keyword")]
    if kind in (LineType.IF, LineType.WHILE):
        more, than = CONDITIONS[third - FIRST_CONDITION]
        words += [Word("more", "plain"), _thing(more), Word("than", "plain"), _thing(than)]
    return words


def line_text(line: Line) -> str:
    """A line in words, such as `if more iron than gold`."""
    return " ".join(word.text for word in line_words(line))


def command_text(command: int | None) -> str:
    """A command in words, such as `sell gold`."""
    if command is None:
        return "-"
    if not 0 <= command < WAIT:
        return "wait"
    verb, noun = divmod(command, len(RESOURCES))
    return f"{Verb(verb + 1).name} {RESOURCES[noun].name}".lower()


def primitive_text(primitive: int | None) -> str:
    """What the worker does, in words, such as `moves north-east`."""
    if primitive is None:
        return "-"
    if not 0 <= primitive < len(Primitive):
        return "stays"
    name = Primitive(primitive).name.lower().replace("_", "-")
    return f"{name}s" if primitive >= Primitive.STAY else f"moves {name}"


def depths(lines: Sequence[Line]) -> list[int]:
    """How many blocks each line is indented by; `else` and closers stand under their opener."""
    result, depth = [], 0
    for kind, _, _ in lines:
        if kind in (LineType.ELSE, LineType.ENDIF, LineType.ENDWHILE):
            depth = max(depth - 1, 0)
        result.append(depth)
        if kind in (LineType.IF, LineType.ELSE, LineType.WHILE):
            depth += 1
    return result


def _thing(thing: Thing) -> Word:
    name = thing.name.lower()
    return Word(f"{name}s" if thing == Thing.MERCHANT else name, name)
