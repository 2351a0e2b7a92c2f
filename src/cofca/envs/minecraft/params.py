"""Every number of the Minecraft-inspired domain that somebody may want to change."""

from dataclasses import dataclass, replace
from typing import ClassVar

from cofca.envs.minecraft.boards import MAX_WIDTH
from cofca.envs.minecraft.program import MAX_LINES
from cofca.envs.minecraft.symbols import CONDITIONS, DEFAULT_CONDITIONS, Condition, read_conditions
from cofca.utils.parameters import require, settle, whole, whole_range

FEWEST_LINES = {1: (1, 3, 6, 11), 2: (1, 3, 5, 9)}
"""Fewest lines that hold 0, 1, 2, 3 kinds of control flow, without nesting (1) and with it (2)."""

FEWEST_SUBTASKS = 3
"""Of a level whose execution goes deep: with fewer, random play would often succeed."""
MAX_EXECUTED_DEPTH = 8
"""Levels of all depths up to this are made by one compiled program."""


@dataclass(frozen=True)
class MinecraftParams:
    """Parameters of levels and world. Frozen and hashable, so that compiled functions can be specialised to them."""

    length: tuple[int, int] = (1, 10)
    """Shortest and longest instruction, in lines."""
    max_lines: int | None = None
    """Number of lines in observations. By default that of the longest instruction."""
    max_depth: int = 1
    """Maximum nesting of if and while blocks. The paper's grammar has 1."""
    min_depth: int = 0
    """Nesting that every instruction reaches somewhere."""
    executed_depth: int = 0
    """Depth d that execution reaches: a subtask is executed inside d open blocks or, in half of the levels, a jump
    crosses a block nested d deep. No block is nested deeper, whatever `max_depth` is. 0: no requirement."""
    conditions: tuple[Condition, ...] = DEFAULT_CONDITIONS
    """The conditions of generated if and while lines."""
    control_flow_kinds: tuple[int, int] = (0, 3)
    """Minimum and maximum number of different kinds of control flow (if, if-else, while) in one instruction."""
    failing_block: tuple[int, int] | None = None
    """Jump experiment: minimum and maximum size of the body of a failing if or while, before one last subtask."""
    size: int = 6
    """Height and width of the grid."""
    max_objects_with_water: int = 30
    """Water is placed if there are at most this many objects."""
    populations_per_instruction: int = 50
    """Number of populations that are tried before a new instruction is drawn."""
    max_loops: int = 10
    """How often a while line may be found true in a level's correct execution."""
    false_while_rejection: float = 0.5
    """Probability of rejecting a population for which the first while that is met is false. It makes loops run."""
    reject_idle: bool = True
    """Whether to reject levels whose correct execution performs no subtask: they would succeed without any action."""
    steps_per_line: int = 30
    """The time limit is this many time steps for each line of the instruction."""
    wait: bool = False
    """Whether the agent has a tenth command, on which the worker stays."""

    READERS: ClassVar = {"conditions": read_conditions}
    """How fields are read that are not numbers."""

    def __post_init__(self) -> None:
        ranges = ("length", "control_flow_kinds", *(() if self.failing_block is None else ("failing_block",)))
        settle(self, **{name: whole_range(name, getattr(self, name)) for name in ranges})
        numbers = (
            "max_depth",
            "min_depth",
            "executed_depth",
            "size",
            "max_objects_with_water",
            "populations_per_instruction",
            "max_loops",
        )
        settle(self, **{name: whole(name, getattr(self, name)) for name in (*numbers, "steps_per_line")})
        settle(self, conditions=tuple(self.conditions))
        low, high = self.length
        require(1 <= low <= high, f"length must be a range from 1 upwards, not {low}-{high}")
        require(self.max_lines is None or self.max_lines >= self.longest, _too_few_lines(self))
        require(self.max_depth >= 0, f"max_depth must not be negative, not {self.max_depth}")
        require(
            bool(self.conditions) and set(self.conditions) <= set(CONDITIONS),
            "conditions must be some of cofca.envs.minecraft.CONDITIONS",
        )
        few, many = self.control_flow_kinds
        require(0 <= few <= many <= 3, f"control_flow_kinds must lie between 0 and 3, not {few}-{many}")
        fewest = FEWEST_LINES[min(max(self.max_depth, 1), 2)][few]
        require(
            self.failing_block is not None or low >= fewest,
            f"{few} kinds of control flow need at least {fewest} lines, but length starts at {low}",
        )
        deep = self.min_depth
        require(0 <= deep <= self.max_depth, f"min_depth must lie between 0 and max_depth, not {deep}")
        require(deep == 0 or self.failing_block is None, "a failing_block has no min_depth")
        require(low > 2 * deep, f"nesting {deep} deep needs at least {2 * deep + 1} lines, but length starts at {low}")
        self._check_executed_depth()
        require(few == 0 or self.max_depth > 0, "control flow needs a max_depth of at least 1")
        block = self.failing_block
        require(block is None or 1 <= block[0] <= block[1], f"failing_block must be a range from 1, not {block}")
        require(2 <= self.size <= MAX_WIDTH, f"size must lie between 2 and {MAX_WIDTH}, not {self.size}")
        require(self.populations_per_instruction >= 1, "populations_per_instruction must be at least 1")
        require(1 <= self.max_loops <= 100, f"max_loops must lie between 1 and 100, not {self.max_loops}")
        require(0 <= self.false_while_rejection < 1, "false_while_rejection must be at least 0 and under 1")
        require(self.steps_per_line >= 1, f"steps_per_line must be at least 1, not {self.steps_per_line}")
        require(self.lines <= MAX_LINES, f"an instruction may have at most {MAX_LINES} lines, not {self.lines}")
        require(self.steps_per_line * self.lines < 2**15, "the time limit must stay under 32768 steps")

    def _check_executed_depth(self) -> None:
        deep, low = self.executed_depth, self.length[0]
        require(
            0 <= deep <= MAX_EXECUTED_DEPTH, f"executed_depth must lie between 0 and {MAX_EXECUTED_DEPTH}, not {deep}"
        )
        ordinary = self.min_depth == 0 and self.failing_block is None and self.control_flow_kinds == (0, 3)
        require(
            deep == 0 or ordinary, "executed_depth goes with no min_depth, no failing_block and no control_flow_kinds"
        )
        require(
            deep == 0 or low >= lines_of_depth(deep),
            f"execution {deep} deep needs at least {lines_of_depth(deep)} lines, but length starts at {low}",
        )

    @property
    def shortest(self) -> int:
        """Lines of the shortest instruction these parameters generate."""
        return self.length[0] if self.failing_block is None else self.failing_block[0] + 3

    @property
    def longest(self) -> int:
        """Lines of the longest instruction these parameters generate."""
        return self.length[1] if self.failing_block is None else self.failing_block[1] + 3

    @property
    def of_any_kind(self) -> "MinecraftParams":
        """The same for all whose levels one compiled program makes, as long as there is room for as many lines: those
        that differ only in the lengths of instructions and, where execution goes deep, in depth and conditions."""
        block = None if self.failing_block is None else (self.lines - 3,) * 2
        room = replace(self, length=(self.lines,) * 2, max_lines=self.lines, failing_block=block)
        return replace(room, executed_depth=1, conditions=CONDITIONS) if self.executed_depth else room

    @property
    def playing(self) -> "MinecraftParams":
        """Only what matters while a level is played: the same for all that differ in which levels there are."""
        room, size, time = (1, self.lines), self.size, self.steps_per_line
        return MinecraftParams(length=room, size=size, steps_per_line=time, wait=self.wait)

    @property
    def lines(self) -> int:
        """Lines that observations have room for."""
        return self.longest if self.max_lines is None else self.max_lines

    @property
    def num_commands(self) -> int:
        """Commands the agent can choose from: three verbs times three nouns, and perhaps waiting."""
        return 10 if self.wait else 9


def lines_of_depth(depth: int) -> int:
    """Fewest lines of a level whose execution goes so deep: a nested block, and subtasks that are executed."""
    return 2 * depth + 1 + FEWEST_SUBTASKS


def _too_few_lines(params: MinecraftParams) -> str:
    return f"max_lines is {params.max_lines}, but instructions have up to {params.longest} lines"
