"""What a person types to play: whole commands, each of which is two or three choices."""

import re
from collections.abc import Mapping

from cofca.starcraft.params import StarCraftParams
from cofca.starcraft.symbols import (
    FIRST_BUILDING,
    FIRST_CELL,
    FIRST_PROBE,
    NOTHING,
    NUM_PROBES,
    Building,
    Unit,
    name,
)

_BUILDINGS = {name(building).lower(): building for building in Building}
_UNITS = {name(unit).lower(): unit for unit in Unit}
EXPECTED = "probe 1 build pylon 2 3, probe 1 go 2 3, train adept 2 3 (row and column), or nothing"


def play_help(params: StarCraftParams) -> str:
    """How to command Probes and buildings."""
    return f"Rows and columns go from 1 to {params.size}. Type a command such as {EXPECTED}."


def read_command(answer: str, params: StarCraftParams) -> list[int]:
    """The choices of a command."""
    if answer == "nothing":
        return [NOTHING]
    probe = rf"probe ([1-{NUM_PROBES}])"
    place = r"([0-9]{1,2}) ([0-9]{1,2})"
    if match := re.fullmatch(rf"{probe} build (\w+) {place}", answer):
        building = _known(match[2], _BUILDINGS, "building")
        cell = _cell(match[3], match[4], params)
        return [FIRST_PROBE + int(match[1]) - 1, FIRST_BUILDING + building - 1, cell]
    if match := re.fullmatch(rf"{probe} go {place}", answer):
        return [FIRST_PROBE + int(match[1]) - 1, _cell(match[2], match[3], params)]
    if match := re.fullmatch(rf"train (\w+) {place}", answer):
        unit = _known(match[1], _UNITS, "unit")
        return [_cell(match[2], match[3], params), params.first_unit_choice + unit - 1]
    raise ValueError(f"unknown command {answer!r}; expected something like {EXPECTED}")


def _known(word: str, names: Mapping[str, int], kind: str) -> int:
    if word not in names:
        raise ValueError(f"unknown {kind} {word!r}; expected one of {', '.join(names)}")
    return names[word]


def _cell(row: str, column: str, params: StarCraftParams) -> int:
    if not (1 <= int(row) <= params.size and 1 <= int(column) <= params.size):
        raise ValueError(f"no cell in row {row}, column {column}; expected numbers from 1 to {params.size}")
    return FIRST_CELL + (int(row) - 1) * params.size + int(column) - 1
