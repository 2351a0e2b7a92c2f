"""Every number of the StarCraft-inspired domain that somebody may want to change."""

from dataclasses import dataclass, replace

from cofca.envs.starcraft.symbols import FIRST_CELL, NUM_BUILDINGS, NUM_UNITS
from cofca.utils.parameters import require, settle, whole, whole_range

SHORTEST = 2
"""Lines of the shortest instruction there is: a building and a unit."""
SEVERAL = 2 * SHORTEST
"""Lines of the shortest that orders several units."""
MAX_LINES = 400
MAX_SIZE = 10


@dataclass(frozen=True)
class StarCraftParams:
    """Parameters of levels and world. Frozen and hashable, so that compiled functions can be specialised to them."""

    length: tuple[int, int] = (1, 5)
    """Shortest and longest instruction, in lines. No instruction is shorter than 2."""
    max_lines: int | None = None
    """Number of lines in observations. By default that of the longest instruction."""
    max_depth: int | None = None
    """Maximum number of buildings in a chain of prerequisites. By default there is no maximum."""
    max_prerequisites: int | None = None
    """Maximum number of buildings that have a prerequisite. By default there is no maximum."""
    several_units: float = 0.0
    """Share of levels that are drawn again until they order several units. Short instructions seldom order several,
    and only these show what to do after a unit."""
    size: int = 6
    """Height and width of the grid."""
    ambush_probability: float = 0.1
    """Probability, each time step, that a unit is ambushed."""
    attack_probability: float = 0.1
    """Probability, each time step, that buildings are attacked."""
    steps_per_line: int = 30
    """The time limit is this many time steps for each line of the instruction."""

    def __post_init__(self) -> None:
        settle(self, length=whole_range("length", self.length))
        settle(self, size=whole("size", self.size), steps_per_line=whole("steps_per_line", self.steps_per_line))
        optional = ("max_lines", "max_depth", "max_prerequisites")
        given = {name: getattr(self, name) for name in optional if getattr(self, name) is not None}
        settle(self, **{name: whole(name, value) for name, value in given.items()})
        low, high = self.length
        require(1 <= low <= high, f"length must be a range from 1 upwards, not {low}-{high}")
        require(high >= SHORTEST, f"no instruction is shorter than {SHORTEST} lines, but length ends at {high}")
        require(
            self.max_lines is None or self.max_lines >= high,
            f"max_lines is {self.max_lines}, but instructions have up to {high} lines",
        )
        require(self.max_depth is None or self.max_depth >= 1, f"max_depth must be at least 1, not {self.max_depth}")
        require(
            self.max_prerequisites is None or self.max_prerequisites >= 0,
            f"max_prerequisites must not be negative, not {self.max_prerequisites}",
        )
        require(
            self.several_units == 0 or high >= SEVERAL,
            f"no instruction of fewer than {SEVERAL} lines orders several units, but length ends at {high}",
        )
        # Only orders of one building and its unit: every length is then even, and a target of `low` lines must be met.
        flat = self.depth_cap == 1 or self.prerequisite_cap == 0
        require(
            not flat or low == 1 or low % 2 == 0,
            f"without prerequisites every instruction has an even number of lines, but length starts at {low}",
        )
        # Beside Nexus, minerals and gas there must be room for the 13 other buildings.
        require(4 <= self.size <= MAX_SIZE, f"size must lie between 4 and {MAX_SIZE}, not {self.size}")
        for name in ("several_units", "ambush_probability", "attack_probability"):
            require(0 <= getattr(self, name) <= 1, f"{name} must lie between 0 and 1, not {getattr(self, name)}")
        require(self.steps_per_line >= 1, f"steps_per_line must be at least 1, not {self.steps_per_line}")
        require(self.lines <= MAX_LINES, f"an instruction may have at most {MAX_LINES} lines, not {self.lines}")
        require(self.steps_per_line * self.lines < 2**15, "the time limit must stay under 32768 steps")

    @property
    def lines(self) -> int:
        """Lines that observations have room for."""
        return self.length[1] if self.max_lines is None else self.max_lines

    @property
    def playing(self) -> "StarCraftParams":
        """Only what matters while a level is played: the same for all that differ in which levels there are."""
        anything = replace(self, max_depth=None, max_prerequisites=None, several_units=0.0)
        return replace(anything, length=(1, self.lines), max_lines=self.lines)

    @property
    def cells(self) -> int:
        """Cells of the grid."""
        return self.size**2

    @property
    def first_unit_choice(self) -> int:
        """The choice of the first unit: units come after the cells."""
        return FIRST_CELL + self.cells

    @property
    def num_choices(self) -> int:
        """Choices there are in all."""
        return self.first_unit_choice + NUM_UNITS

    @property
    def depth_cap(self) -> int:
        """Most buildings in a chain."""
        return NUM_BUILDINGS if self.max_depth is None else min(self.max_depth, NUM_BUILDINGS)

    @property
    def prerequisite_cap(self) -> int:
        """Most buildings that have a prerequisite."""
        most = NUM_BUILDINGS - 1
        return most if self.max_prerequisites is None else min(self.max_prerequisites, most)
