"""The StarCraft-inspired domain: orders that must be redone when enemies undo them (implicit control flow)."""

from cofca.environment import Status
from cofca.errors import ImpossibleLevelError, InstructionError, MapError
from cofca.starcraft.env import CHANNELS, Info, Observation, StarCraft
from cofca.starcraft.language.instruction import Implied, Instruction, implied
from cofca.starcraft.language.text import from_symbols, parse, unparse
from cofca.starcraft.levels.generator import generate
from cofca.starcraft.levels.level import Level, Program
from cofca.starcraft.levels.own import draw_map, own_level, read_map
from cofca.starcraft.oracle import oracle
from cofca.starcraft.params import StarCraftParams
from cofca.starcraft.progress import Transition
from cofca.starcraft.references import REFERENCES
from cofca.starcraft.render.show import level_text, scene_of
from cofca.starcraft.symbols import Building, Stage, Terrain, Unit
from cofca.starcraft.world import Probes, State

__all__ = [
    "CHANNELS",
    "REFERENCES",
    "Building",
    "Implied",
    "ImpossibleLevelError",
    "Info",
    "Instruction",
    "InstructionError",
    "Level",
    "MapError",
    "Observation",
    "Probes",
    "Program",
    "Stage",
    "StarCraft",
    "StarCraftParams",
    "State",
    "Status",
    "Terrain",
    "Transition",
    "Unit",
    "draw_map",
    "from_symbols",
    "generate",
    "implied",
    "level_text",
    "oracle",
    "own_level",
    "parse",
    "read_map",
    "scene_of",
    "unparse",
]
