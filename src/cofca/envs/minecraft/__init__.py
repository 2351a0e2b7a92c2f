"""The Minecraft-inspired domain: instructions with if, else and while (explicit control flow)."""

from cofca.envs.base import Status
from cofca.envs.minecraft.env import Info, Minecraft, Observation
from cofca.envs.minecraft.language.instruction import Instruction, Line
from cofca.envs.minecraft.language.interpreter import InfeasibleError, run
from cofca.envs.minecraft.language.text import from_symbols, parse, unparse
from cofca.envs.minecraft.levels.generator import generate
from cofca.envs.minecraft.levels.level import Level
from cofca.envs.minecraft.levels.own import draw_map, own_level, read_map
from cofca.envs.minecraft.oracle import oracle
from cofca.envs.minecraft.params import MinecraftParams
from cofca.envs.minecraft.program import Program, Transition
from cofca.envs.minecraft.render.show import level_text, scene_of
from cofca.envs.minecraft.symbols import CONDITIONS, DEFAULT_CONDITIONS, Condition, LineType, Primitive, Thing, Verb
from cofca.envs.minecraft.worker import View, Worker, planner
from cofca.envs.minecraft.world import State
from cofca.utils.errors import ImpossibleLevelError, InstructionError, MapError

__all__ = [
    "CONDITIONS",
    "DEFAULT_CONDITIONS",
    "Condition",
    "ImpossibleLevelError",
    "InfeasibleError",
    "Info",
    "Instruction",
    "InstructionError",
    "Level",
    "Line",
    "LineType",
    "MapError",
    "Minecraft",
    "MinecraftParams",
    "Observation",
    "Primitive",
    "Program",
    "State",
    "Status",
    "Thing",
    "Transition",
    "Verb",
    "View",
    "Worker",
    "draw_map",
    "from_symbols",
    "generate",
    "level_text",
    "oracle",
    "own_level",
    "parse",
    "planner",
    "read_map",
    "run",
    "scene_of",
    "unparse",
]
