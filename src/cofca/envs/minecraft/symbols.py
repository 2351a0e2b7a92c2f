"""The vocabulary: what each small integer of an instruction, a cell or an action stands for."""

from enum import IntEnum
from itertools import permutations
from typing import NamedTuple


class LineType(IntEnum):
    """First symbol of a line."""

    PADDING = 0
    SUBTASK = 1
    IF = 2
    ELSE = 3
    ENDIF = 4
    WHILE = 5
    ENDWHILE = 6


class Verb(IntEnum):
    """Second symbol of a subtask line; 0 in every other line."""

    MINE = 1
    SELL = 2
    INSPECT = 3


class Thing(IntEnum):
    """What a cell of the grid holds. Iron, gold and wood are also the nouns of subtasks."""

    NOTHING = 0
    IRON = 1
    GOLD = 2
    WOOD = 3
    MERCHANT = 4
    WATER = 5
    WALL = 6


RESOURCES = (Thing.IRON, Thing.GOLD, Thing.WOOD)
COUNTED = (*RESOURCES, Thing.MERCHANT)
"""What conditions compare, in the order in which counts are kept."""


class Condition(NamedTuple):
    """*More A than B*, strictly, counted in the environment."""

    more: Thing
    than: Thing

    @property
    def code(self) -> int:
        """Third symbol of an `if` or `while` line."""
        return FIRST_CONDITION + CONDITIONS.index(self)

    def __str__(self) -> str:
        return f"{self.more.name.lower()}>{self.than.name.lower()}"


FIRST_CONDITION = len(RESOURCES) + 1
CONDITIONS = tuple(Condition(more, than) for more, than in permutations(COUNTED, 2))
"""All twelve ordered pairs; the code of `CONDITIONS[i]` is `FIRST_CONDITION + i`."""


def read_conditions(text: str) -> tuple[Condition, ...]:
    """Conditions as they are set on the command line: `iron>gold,gold>merchant`, or `all`."""
    known = {str(condition): condition for condition in CONDITIONS}
    names = list(known) if text == "all" else text.split(",")
    if unknown := [name for name in names if name not in known]:
        raise ValueError(f"unknown condition {unknown[0]!r}; expected all, or some of {', '.join(known)}")
    return tuple(known[name] for name in names)


DEFAULT_CONDITIONS = (
    Condition(Thing.IRON, Thing.GOLD),
    Condition(Thing.GOLD, Thing.MERCHANT),
    Condition(Thing.MERCHANT, Thing.IRON),
)
"""A cycle of three. The paper's text shows two of them; the third closes the cycle."""


class Primitive(IntEnum):
    """What the worker can do in one time step."""

    NORTH = 0
    NORTH_EAST = 1
    EAST = 2
    SOUTH_EAST = 3
    SOUTH = 4
    SOUTH_WEST = 5
    WEST = 6
    NORTH_WEST = 7
    STAY = 8
    MINE = 9
    SELL = 10
    INSPECT = 11


MOVES = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
"""(row, column) change of the primitives 0 to 7."""

WAIT = len(Verb) * len(RESOURCES)
"""The command after the nine verb-noun commands: the worker stays."""


def command(verb: Verb, noun: Thing) -> int:
    """The action number of a verb-noun command."""
    return (verb - 1) * len(RESOURCES) + (noun - 1)


SYMBOLS_PER_LINE = 3
LINE_LIMITS = (len(LineType) - 1, len(Verb), FIRST_CONDITION + len(CONDITIONS) - 1)
"""Largest value of each symbol of a line."""
