"""The StarCraft-inspired domain: orders that must be redone when enemies undo them (implicit control flow)."""

from cofca.envs.base import Status
from cofca.envs.starcraft.env import CHANNELS, Info, Observation, StarCraft
from cofca.envs.starcraft.language.instruction import Implied, Instruction, implied
from cofca.envs.starcraft.language.text import from_symbols, parse, unparse
from cofca.envs.starcraft.levels.generator import generate
from cofca.envs.starcraft.levels.level import Level, Program
from cofca.envs.starcraft.levels.own import draw_map, own_level, read_map
from cofca.envs.starcraft.oracle import oracle
from cofca.envs.starcraft.params import StarCraftParams
from cofca.envs.starcraft.progress import Transition
from cofca.envs.starcraft.references import REFERENCES
from cofca.envs.starcraft.render.show import level_text, scene_of
from cofca.envs.starcraft.symbols import Building, Stage, Terrain, Unit
from cofca.envs.starcraft.world import Probes, State
from cofca.utils.errors import ImpossibleLevelError, InstructionError, MapError

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
