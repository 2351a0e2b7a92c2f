"""The world and the episode, exactly as docs/minecraft-rules.md words them.

Clarity comes before speed: this is what the fast implementation is compared with.
"""

from collections.abc import Sequence

from envs.reference.minecraft.program import INSPECT, KINDS, MINE, RESOURCES, SELL, WOOD, Line, Program

# What a cell may hold besides a resource, whose cell code is its noun.
EMPTY, MERCHANT, WATER, WALL = 0, 4, 5, 6

WAIT = 9
# N, NE, E, SE, S, SW, W, NW as (rows down, columns right).
MOVES = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
STAY, DO_MINE, DO_SELL, DO_INSPECT = 8, 9, 10, 11

RUNNING, SUCCEEDED, FAILED, TIMED_OUT = "running", "succeeded", "failed", "timed out"

Event = tuple[int, int]  # verb, noun


def count(cells: Sequence[Sequence[int]]) -> list[int]:
    """The numbers of iron, gold, wood and merchants on the grid."""
    return [sum(row.count(thing) for row in cells) for thing in (*RESOURCES, MERCHANT)]


def decode(command: int) -> Event | None:
    """The (verb, noun) of a command; None for wait, which every integer outside 0-8 means."""
    return (command // 3 + 1, command % 3 + 1) if 0 <= command < WAIT else None


def in_order(event: Event, subtask: Event) -> bool:
    """Whether an event that does not complete the current subtask is allowed all the same."""
    verb, noun = event
    if verb == MINE:
        return noun == WOOD or subtask == (SELL, noun)
    return verb == INSPECT


class Simulator:
    """One episode. All of its state is public; `inventory` is [iron, gold, wood]."""

    def __init__(
        self,
        lines: Sequence[Line],
        cells: Sequence[Sequence[int]],
        worker: tuple[int, int],
        steps_per_line: int = 30,
    ) -> None:
        self.program = Program(lines)
        self.cells = [[int(cell) for cell in row] for row in cells]
        self.worker = (int(worker[0]), int(worker[1]))
        self.inventory = [0, 0, 0]
        self.line = 0
        self.time = 0
        self.time_limit = steps_per_line * len(lines)
        self.status = RUNNING
        self.transitions = dict.fromkeys(KINDS, 0)
        self.latest: set[str] = set()
        self._walk(0, after_subtask=False)

    def step(self, command: int, primitive: int) -> tuple[int, bool, bool]:
        """Carry out one primitive under a command; (reward, terminated, truncated)."""
        if self.status != RUNNING:
            return 0, self.status != TIMED_OUT, self.status == TIMED_OUT
        event = self._act(command, primitive)
        self.time += 1
        if self.line == len(self.program.lines):
            self.status = SUCCEEDED  # done since the start
        elif event is not None:
            self._judge(event)
        if self.status == RUNNING and self.time >= self.time_limit:
            self.status = TIMED_OUT
        succeeded = self.status == SUCCEEDED
        return int(succeeded), succeeded or self.status == FAILED, self.status == TIMED_OUT

    def _act(self, command: int, primitive: int) -> Event | None:
        """Change the world; the event, if the primitive was a mine, sell or inspect that did something."""
        if 0 <= primitive < STAY:
            self._move(*MOVES[primitive])
            return None
        row, column = self.worker
        here = self.cells[row][column]
        if primitive == DO_MINE and here in RESOURCES:
            self.cells[row][column] = EMPTY
            self.inventory[here - 1] += 1
            return MINE, here
        if primitive == DO_SELL and here == MERCHANT:
            return self._sell(command)
        if primitive == DO_INSPECT and here in RESOURCES:
            return INSPECT, here
        return None

    def _move(self, down: int, right: int) -> None:
        row, column = self.worker[0] + down, self.worker[1] + right
        if not (0 <= row < len(self.cells) and 0 <= column < len(self.cells[0])):
            return
        there = self.cells[row][column]
        if there == WALL or (there == WATER and self.inventory[WOOD - 1] == 0):
            return
        if there == WATER:
            self.inventory[WOOD - 1] -= 1
            self.cells[row][column] = EMPTY
        self.worker = (row, column)

    def _sell(self, command: int) -> Event | None:
        """Sell the command's noun to the merchant the worker stands on."""
        task = decode(command)
        if task is None or self.inventory[task[1] - 1] == 0:
            return None
        self.inventory[task[1] - 1] -= 1
        return SELL, task[1]

    def _judge(self, event: Event) -> None:
        """What an event means for the program: progress, nothing, or failure."""
        subtask = self.program.lines[self.line][1:]
        if event == subtask:
            self._walk(self.line + 1, after_subtask=True)
        elif not in_order(event, subtask):
            self.status = FAILED

    def _walk(self, start: int, after_subtask: bool) -> None:
        walk = self.program.walk(start, count(self.cells))
        kinds = list(self.program.kinds(walk, after_subtask))
        for kind in kinds:
            self.transitions[kind] += 1
        self.latest = set(kinds)
        if walk.stop is None:
            self.status = FAILED  # and `line` stays where it was
            return
        self.line = walk.stop
        if walk.stop == len(self.program.lines) and after_subtask:
            self.status = SUCCEEDED
