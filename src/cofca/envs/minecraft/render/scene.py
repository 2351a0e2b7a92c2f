"""One moment of an episode in plain Python, and the words for its codes: all that the renderers know."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cofca.envs.minecraft.language.instruction import Symbols, word
from cofca.envs.minecraft.symbols import COUNTED, RESOURCES, WAIT, LineType, Primitive, Verb

DEEPEST = 8
"""Deeper blocks are indented no further, or the text would leave the picture."""


class Scene(NamedTuple):
    """What a picture of the world shows."""

    cells: NDArray[np.integer[Any]]
    """Code of the `Thing` in each cell, [height, width]."""
    worker: tuple[int, int]
    """Row and column."""
    inventory: tuple[int, int, int]
    """Iron, gold and wood held."""
    lines: tuple[Symbols, ...]
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
    """One of `cofca.envs.render.moment.STATUSES`."""
    pointer: int | None = None
    """Index of the line an agent's pointer is at; None if nobody's is shown."""


_ROLES = {
    **{word(kind): "keyword" for kind in LineType},
    **{word(verb): "verb" for verb in Verb},
    **{word(thing): thing.name.lower() for thing in COUNTED},
}


def role(text: str) -> str:
    """What a word of an instruction is: `keyword`, `verb`, `plain` or the name of the thing meant."""
    return _ROLES.get(text, "plain")


def command_text(command: int | None) -> str:
    """A command in words, such as `sell gold`."""
    if command is None:
        return "-"
    if not 0 <= command < WAIT:
        return "wait"
    verb, noun = divmod(command, len(RESOURCES))
    return f"{Verb(verb + 1).name} {RESOURCES[noun].name}".lower()


def facts(scene: Scene) -> dict[str, str]:
    """What is shown beside the map."""
    held = zip(RESOURCES, scene.inventory, strict=True)
    return {"inventory": ", ".join(f"{thing.name.lower()} {count}" for thing, count in held)}


def place(scene: Scene) -> tuple[float, float]:
    """The middle of the worker's cell, from the left and from the top, as shares of the map."""
    (row, column), (height, width) = scene.worker, scene.cells.shape
    return (column + 0.5) / width, (row + 0.5) / height


def primitive_text(primitive: int | None) -> str:
    """What the worker does, in words, such as `moves north-east`."""
    if primitive is None:
        return "-"
    if not 0 <= primitive < len(Primitive):
        return "stays"
    name = Primitive(primitive).name.lower().replace("_", "-")
    return f"{name}s" if primitive >= Primitive.STAY else f"moves {name}"
