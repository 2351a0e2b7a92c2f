"""The world and the episode, exactly as docs/starcraft-rules.md words them.

Clarity comes before speed: this is what the fast implementation is compared with.
Chance is not in here: the caller says what the enemy does.
"""

from collections import Counter
from collections.abc import Collection, Sequence

N_BUILDINGS, N_UNITS, N_PROBES = 14, 16, 3
ASSIMILATOR, NEXUS = 1, 7
PLAIN, MINERALS, GAS = 0, 1, 2

NEXT_LINE, SKIP, JUMP_BACK, UNIT_LOST, BUILDINGS_LOST = KINDS = (
    "next line",
    "skip",
    "jump back",
    "unit lost",
    "buildings lost",
)
RUNNING, SUCCEEDED, TIMED_OUT = "running", "succeeded", "timed out"

# What a choice is about, and the first choice about it (units follow the cells).
NOTHING, PROBE, BUILDING, CELL, UNIT = "nothing", "probe", "building", "cell", "unit"
FIRST_PROBE, FIRST_BUILDING, FIRST_CELL = 1, 4, 18

Place = tuple[int, int]  # row, column


def takes(terrain: int, building: int) -> bool:
    """Whether this building may stand on a cell of this terrain."""
    return terrain == PLAIN or (terrain == GAS and building == ASSIMILATOR)


def towards(start: int, goal: int) -> int:
    """The row (or column) one step from `start` on the way to `goal`."""
    return start + (goal > start) - (goal < start)


def line_to_do(lines: Sequence[int], units: Sequence[int], standing: Collection[int]) -> int:
    """The hidden line, from the units alive and the kinds of buildings that stand."""
    ordered = [0] * N_UNITS
    line = 0  # right after the last line so far that is a unit line or names a building that stands
    for number, symbol in enumerate(lines):
        if symbol > N_BUILDINGS:
            unit = symbol - N_BUILDINGS
            ordered[unit - 1] += 1
            if units[unit - 1] < ordered[unit - 1]:
                return line
            line = number + 1
        elif symbol in standing:
            line = number + 1
    return len(lines)


class Simulator:
    """One episode. All of its state is public."""

    def __init__(
        self,
        lines: Sequence[int],
        prerequisites: Sequence[int],
        trainers: Sequence[int],
        terrain: Sequence[Sequence[int]],
        buildings: Sequence[Sequence[int]],
        probe: Place,
        steps_per_line: int = 30,
    ) -> None:
        self.lines = [int(line) for line in lines if line != 0]
        self.prerequisites = [int(building) for building in prerequisites]
        self.trainers = [int(building) for building in trainers]
        self.terrain = [[int(code) for code in row] for row in terrain]
        self.required = Counter(line - N_BUILDINGS for line in self.lines if line > N_BUILDINGS)
        self.time_limit = steps_per_line * len(self.lines)

        self.buildings = [[int(code) for code in row] for row in buildings]
        self.probes = [(int(probe[0]), int(probe[1]))] * N_PROBES
        self.goals = list(self.probes)
        self.tasks = [0] * N_PROBES
        self.units = [0] * N_UNITS
        self.stage = [0, 0, 0]  # Probe, building, cell + 1
        self.ambushed = 0
        self.destroyed = self._nowhere()
        self.time = 0
        self.status = RUNNING
        self.transitions = dict.fromkeys(KINDS, 0)
        self.latest: set[str] = set()
        self.line = self._line_to_do()

    # Choices

    def mask(self) -> list[bool]:
        """Which choices the stage allows."""
        probe, building, cell = self.stage
        empty = not (probe or building or cell)
        occupied = [code != 0 for row in self.buildings for code in row]
        cells = occupied if empty else [probe != 0] * len(occupied)
        probes = [empty] * N_PROBES
        buildings = [probe != 0 and building == 0] * N_BUILDINGS
        units = [cell != 0] * N_UNITS
        return [True, *probes, *buildings, *cells, *units]

    def narrows(self, choice: int) -> bool:
        """Whether the choice would become or join the stage, and do nothing else."""
        return self.status == RUNNING and self._is_narrowing(self._read(choice)[0])

    def step(self, choice: int, ambush: int = 0, attack: Collection[Place] = ()) -> tuple[int, bool, bool]:
        """Make a choice; (reward, terminated, truncated).

        If the enemy may come, it destroys a unit numbered `ambush` (0: none) and what stands on the cells `attack`.
        """
        if self.status != RUNNING:
            return 0, self.status == SUCCEEDED, self.status == TIMED_OUT
        kind, number = self._read(choice)
        if self._is_narrowing(kind):
            self._narrow(kind, number)
            return 0, False, False
        self._command(kind, number)
        self.stage = [0, 0, 0]
        self._move_probes()
        self._progress(ambush, attack)
        return int(self.status == SUCCEEDED), self.status == SUCCEEDED, self.status == TIMED_OUT

    def _read(self, choice: int) -> tuple[str, int]:
        """What a choice is about and its number there; cells count from 0. What the mask does not allow is nothing."""
        mask = self.mask()
        if not (FIRST_PROBE <= choice < len(mask) and mask[choice]):
            return NOTHING, 0
        if choice < FIRST_BUILDING:
            return PROBE, choice - FIRST_PROBE + 1
        if choice < FIRST_CELL:
            return BUILDING, choice - FIRST_BUILDING + 1
        first_unit = FIRST_CELL + self._n_cells()
        if choice < first_unit:
            return CELL, choice - FIRST_CELL
        return UNIT, choice - first_unit + 1

    def _is_narrowing(self, kind: str) -> bool:
        """Whether an allowed choice of this kind only narrows."""
        return kind in (PROBE, BUILDING) or (kind == CELL and self.stage == [0, 0, 0])

    def _narrow(self, kind: str, number: int) -> None:
        if kind == PROBE:
            self.stage[0] = number
        elif kind == BUILDING:
            self.stage[1] = number
        else:
            self.stage[2] = number + 1

    # One time step

    def _command(self, kind: str, number: int) -> None:
        """Carry out the command that this choice completes, if it does and the command is valid."""
        probe, building, cell = self.stage
        if kind == CELL:
            goal = self._place(number)
            if building == 0 or self._may_build(building, goal):
                self.goals[probe - 1] = goal
                self.tasks[probe - 1] = building
        elif kind == UNIT:
            row, column = self._place(cell - 1)
            if self.buildings[row][column] == self.trainers[number - 1]:
                self.units[number - 1] += 1

    def _may_build(self, building: int, place: Place) -> bool:
        row, column = place
        needed = self.prerequisites[building - 1]
        return (
            (needed == 0 or any(needed in line for line in self.buildings))
            and self.buildings[row][column] == 0
            and takes(self.terrain[row][column], building)
        )

    def _move_probes(self) -> None:
        """Every Probe moves and may end its order; one without an order has its own place as its goal and no task."""
        for index, goal in enumerate(self.goals):
            row, column = self.probes[index]
            self.probes[index] = (towards(row, goal[0]), towards(column, goal[1]))
            if self.probes[index] == goal:
                self._arrive(index)

    def _arrive(self, index: int) -> None:
        task, place = self.tasks[index], self.probes[index]
        self.tasks[index] = 0
        if task != 0 and self._may_build(task, place):
            self.buildings[place[0]][place[1]] = task

    def _progress(self, ambush: int, attack: Collection[Place]) -> None:
        """What follows upon the Probes: success, or the enemy and perhaps the time limit; then the line to do."""
        self.time += 1
        self.ambushed = 0
        self.destroyed = self._nowhere()
        self.latest = set()
        if self._covered():
            self.status = SUCCEEDED
        else:
            self._enemy(ambush, attack)
            if self.time >= self.time_limit:
                self.status = TIMED_OUT
        self._update_line()

    def _covered(self) -> bool:
        """Whether the units alive cover the instruction."""
        return all(self.units[unit - 1] >= number for unit, number in self.required.items())

    def _enemy(self, ambush: int, attack: Collection[Place]) -> None:
        assert 0 <= ambush <= N_UNITS, f"there is no unit {ambush}"
        assert ambush == 0 or self.units[ambush - 1] > 0, f"no unit {ambush} is alive"
        for place in attack:
            assert self._may_destroy(place), f"nothing to destroy at {place}"
        if ambush != 0:
            self.units[ambush - 1] -= 1
            self.ambushed = ambush
            self._count(UNIT_LOST)
        for row, column in attack:
            self.buildings[row][column] = 0
            self.destroyed[row][column] = True
        if len(attack) > 0:
            self._count(BUILDINGS_LOST)

    def _may_destroy(self, place: Place) -> bool:
        row, column = place
        inside = 0 <= row < len(self.buildings) and 0 <= column < len(self.buildings[0])
        return inside and self.buildings[row][column] not in (0, NEXUS)

    def _update_line(self) -> None:
        before, self.line = self.line, self._line_to_do()
        if self.line == before + 1:
            self._count(NEXT_LINE)
        elif self.line > before:
            self._count(SKIP)
        elif self.line < before:
            self._count(JUMP_BACK)

    def _count(self, kind: str) -> None:
        self.transitions[kind] += 1
        self.latest.add(kind)

    # The map

    def _line_to_do(self) -> int:
        return line_to_do(self.lines, self.units, set().union(*self.buildings))

    def _n_cells(self) -> int:
        return len(self.terrain) * len(self.terrain[0])

    def _place(self, cell: int) -> Place:
        """The row and column of a cell, which are numbered row by row."""
        return divmod(cell, len(self.terrain[0]))

    def _nowhere(self) -> list[list[bool]]:
        """A grid that marks no cell."""
        return [[False] * len(row) for row in self.terrain]
