"""The vocabulary: what each small integer of an instruction, a cell or a choice stands for."""

from enum import IntEnum
from typing import NamedTuple


class Building(IntEnum):
    """What Probes build; also the symbol of a line and the content of a cell, where 0 is nothing."""

    ASSIMILATOR = 1
    CYBERNETICS_CORE = 2
    DARK_SHRINE = 3
    FLEET_BEACON = 4
    FORGE = 5
    GATEWAY = 6
    NEXUS = 7
    PHOTON_CANNON = 8
    PYLON = 9
    ROBOTICS_BAY = 10
    ROBOTICS_FACILITY = 11
    STAR_GATE = 12
    TEMPLAR_ARCHIVES = 13
    TWILIGHT_COUNCIL = 14


class Unit(IntEnum):
    """What buildings train. A unit's symbol in a line is `FIRST_UNIT` + its number - 1."""

    ADEPT = 1
    CARRIER = 2
    COLOSSUS = 3
    DARK_TEMPLAR = 4
    DISRUPTOR = 5
    HIGH_TEMPLAR = 6
    IMMORTAL = 7
    OBSERVER = 8
    ORACLE = 9
    PHOENIX = 10
    SENTRY = 11
    STALKER = 12
    TEMPEST = 13
    VOID_RAY = 14
    WARP_PRISM = 15
    ZEALOT = 16


class Terrain(IntEnum):
    """What the ground of a cell is."""

    PLAIN = 0
    MINERALS = 1
    GAS = 2


NUM_BUILDINGS, NUM_UNITS, NUM_PROBES = len(Building), len(Unit), 3
FIRST_UNIT = NUM_BUILDINGS + 1
LAST_SYMBOL = NUM_BUILDINGS + NUM_UNITS
"""Lines are the symbols 1 to this; 0 is padding."""

NOTHING = 0
FIRST_PROBE = 1
FIRST_BUILDING = FIRST_PROBE + NUM_PROBES
FIRST_CELL = FIRST_BUILDING + NUM_BUILDINGS
"""The choices in order: nothing, Probes, buildings, cells, units. How many cells there are is a parameter."""


class Stage(NamedTuple):
    """What has been chosen of the command being put together, as plain integers; 0 is not chosen."""

    probe: int
    building: int
    cell: int
    """The cell's number plus one."""


def name(symbol: Building | Unit) -> str:
    """A building or unit as it is written, such as `DarkShrine`."""
    return "".join(part.capitalize() for part in symbol.name.split("_"))


def symbol(line: int) -> Building | Unit:
    """The building or unit of a line's symbol."""
    return Building(line) if line < FIRST_UNIT else Unit(line - FIRST_UNIT + 1)
