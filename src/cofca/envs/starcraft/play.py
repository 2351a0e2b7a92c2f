"""What a person types to play: commands of two or three choices, whole or piece by piece."""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cofca.envs.starcraft.params import StarCraftParams
from cofca.envs.starcraft.symbols import (
    FIRST_BUILDING,
    FIRST_CELL,
    FIRST_PROBE,
    NOTHING,
    NUM_PROBES,
    Building,
    Unit,
    name,
)
from cofca.envs.starcraft.world import State

_BUILDINGS = {name(building).lower(): building for building in Building}
_UNITS = {name(unit).lower(): unit for unit in Unit}
EXPECTED = "probe 1 build pylon 2 3, probe 1 go 2 3, train adept 2 3 (row and column), or nothing"
_PROBE, _PLACE = rf"probe ([1-{NUM_PROBES}])", r"(?:row )?([0-9]{1,2}),? (?:column )?([0-9]{1,2})"


def play_help(params: StarCraftParams) -> str:
    """How to command Probes and buildings."""
    return (
        f"Rows and columns go from 1 to {params.size}. Type a command such as {EXPECTED}.\n"
        "A command may come in pieces: probe 1, then build pylon, then 2 3."
    )


def choices(state: State, params: StarCraftParams) -> str:
    """What can be chosen now, in words."""
    del params
    return choices_at(np.asarray(state.stage), np.asarray(state.buildings))


def choices_at(stage: NDArray[np.integer[Any]], buildings: NDArray[np.generic]) -> str:
    """The same from the stage and from where buildings stand."""
    probe, building, cell = stage.tolist()
    if cell:
        return f"train {', '.join(_UNITS)}; or nothing"
    if building:
        return "a row and a column; or nothing"
    if probe:
        return f"build {', '.join(_BUILDINGS)}; go and a row and a column; or nothing"
    rows, columns = np.nonzero(buildings)
    places = ", ".join(f"{row + 1} {column + 1}" for row, column in zip(rows, columns, strict=True))
    return f"probe 1 to {NUM_PROBES}; where a building stands, to train there: {places}; or nothing"


def read_command(answer: str, params: StarCraftParams) -> list[int]:
    """The choices of a command, or of a piece of one, also in the words in which they are shown."""
    if answer == "nothing":
        return [NOTHING]
    if answer in _BUILDINGS:
        return [FIRST_BUILDING + _BUILDINGS[answer] - 1]
    if answer in _UNITS:
        return [params.first_unit_choice + _UNITS[answer] - 1]
    order = rf"(?:{_PROBE})? ?(?:builds? (\w+))? ?(?:(?:go (?:to )?|goes to |at )?{_PLACE})?"
    if match := re.fullmatch(order, answer):
        probe, building, row, column = match.groups()
        found = [FIRST_PROBE + int(probe) - 1] if probe else []
        found += [FIRST_BUILDING + _known(building, _BUILDINGS, "building") - 1] if building else []
        found += [_cell(row, column, params)] if row else []
        if found:
            return found
    if match := re.fullmatch(rf"(?:{_PLACE} )?trains? (\w+)(?: (?:at )?{_PLACE})?", answer):
        *before, trained, row, column = match.groups()
        unit = params.first_unit_choice + _known(trained, _UNITS, "unit") - 1
        cells = [_cell(*place, params) for place in ((before[0], before[1]), (row, column)) if place[0]]
        if len(cells) < 2:
            return [*cells, unit]
    raise ValueError(f"unknown command {answer!r}; expected something like {EXPECTED}")


def _known(word: str, names: Mapping[str, int], kind: str) -> int:
    if word not in names:
        raise ValueError(f"unknown {kind} {word!r}; expected one of {', '.join(names)}")
    return names[word]


def _cell(row: str, column: str, params: StarCraftParams) -> int:
    if not (1 <= int(row) <= params.size and 1 <= int(column) <= params.size):
        raise ValueError(f"no cell in row {row}, column {column}; expected numbers from 1 to {params.size}")
    return FIRST_CELL + (int(row) - 1) * params.size + int(column) - 1
