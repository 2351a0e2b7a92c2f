"""Instructions as symbols, and what they imply: the part of the build forest that their orders need."""

from collections.abc import Sequence
from typing import NamedTuple

from cofca.envs.starcraft.symbols import FIRST_UNIT, LAST_SYMBOL, Building, Unit, name, symbol
from cofca.utils.errors import InstructionError, Place

Instruction = tuple[int, ...]
"""A symbol for each line: a building or a unit."""


class Implied(NamedTuple):
    """What an instruction tells about prerequisites and trainers."""

    prerequisites: dict[Building, Building | None]
    """Of every building named; None for a root."""
    trainers: dict[Unit, Building]
    """Of every unit named."""


def words(line: int) -> tuple[str, str]:
    """The words of a line, such as `Build`, `Nexus`."""
    return ("Build" if line < FIRST_UNIT else "Train"), name(symbol(line))


def implied(instruction: Sequence[int], places: Sequence[Place] | None = None) -> Implied:
    """What an instruction implies; raises where it can't be right.

    `places` says where the lines, and then the end, stand in a text.
    """
    places = places or [(number, 1) for number in (*range(1, len(instruction) + 1), len(instruction) or 1)]
    if not instruction:
        raise InstructionError("no lines at all; expected Build or Train", *places[-1])
    found = _Found(places)
    above: Building | None = None
    for index, line in enumerate(instruction):
        if not 1 <= line <= LAST_SYMBOL:
            raise InstructionError(f"unknown symbol {line} where a line was expected", *places[index])
        thing = symbol(line)
        found.add(index, thing, above)
        above = thing if isinstance(thing, Building) else None
    if above is not None:
        raise InstructionError(f"the instruction ends with {name(above)}; expected what it trains", *places[-1])
    return found.implied


class _Found:
    """What the lines so far imply, and which line said it first."""

    def __init__(self, places: Sequence[Place]) -> None:
        self.implied = Implied({}, {})
        self._places = places
        self._said: dict[Building | Unit, int] = {}

    def add(self, index: int, thing: Building | Unit, above: Building | None) -> None:
        """A line, and the building right above it in the same order."""
        if isinstance(thing, Building):
            self._agree(index, thing, above, self.implied.prerequisites)
        elif above is None:
            message = f"{name(thing)} has no building before it; expected Build and what trains it"
            raise InstructionError(message, *self._places[index])
        else:
            self._agree(index, thing, above, self.implied.trainers)

    def _agree(self, index: int, thing: Building | Unit, above: Building | None, known: dict) -> None:
        if known.setdefault(thing, above) != above:
            first = self._places[self._said[thing]][0]
            message = f"{name(thing)} comes {_after(above)}; expected {_after(known[thing])}, as in line {first}"
            raise InstructionError(message, *self._places[index])
        self._said.setdefault(thing, index)


def _after(above: Building | None) -> str:
    return "first in its order" if above is None else f"after {name(above)}"
