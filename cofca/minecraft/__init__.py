"""The Minecraft-inspired domain: instructions with if, else and while (explicit control flow)."""

from cofca.environment import Status
from cofca.errors import ImpossibleLevelError, InstructionError, MapError
from cofca.minecraft.env import Info, Minecraft, Observation
from cofca.minecraft.language.instruction import Instruction, Line
from cofca.minecraft.language.interpreter import InfeasibleError, run
from cofca.minecraft.language.text import from_symbols, parse, unparse
from cofca.minecraft.levels.generator import generate
from cofca.minecraft.levels.level import Level
from cofca.minecraft.levels.own import draw_map, own_level, read_map
from cofca.minecraft.oracle import oracle
from cofca.minecraft.params import MinecraftParams
from cofca.minecraft.program import Program, Transition
from cofca.minecraft.render.show import level_text, scene_of
from cofca.minecraft.symbols import CONDITIONS, PAPER_CONDITIONS, Condition, LineType, Primitive, Thing, Verb
from cofca.minecraft.worker import View, Worker, planner
from cofca.minecraft.world import State

__all__ = [
    "CONDITIONS",
    "PAPER_CONDITIONS",
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
