"""Feasibility on the counts: an instruction executed on numbers of things alone, without a map."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from envs.reference.minecraft.program import INSPECT, MINE, SELL, WHILE, WOOD, Line, Program, Walk

NEED_NOT_MET = "need not met"
TOO_MANY_LOOPS = "too many loops"
ENDLESS_WALK = "endless walk"
NO_SUBTASK = "no subtask"


@dataclass
class Execution:
    """What an execution came to. The random rejection of a false first while is left to the caller."""

    reason: str | None = None  # why it is infeasible; None if it is feasible
    performed: list[int] = field(default_factory=list)  # the subtask lines, in order
    first_while: bool | None = None  # truth of the first while line met; None if none was


class Stock:
    """The things on the map and in the inventory."""

    def __init__(self, counts: Sequence[int]) -> None:
        self.map = list(counts)  # iron, gold, wood, merchants
        self.held = [0, 0, 0]

    def perform(self, verb: int, noun: int) -> bool:
        """Do a subtask if what it needs is there; whether it was."""
        thing = noun - 1
        if verb == MINE:
            return self._mine(thing)
        if verb == INSPECT:
            return self._usable(thing) > 0
        assert verb == SELL
        if self.map[3] == 0 or (self.held[thing] == 0 and not self._mine(thing)):
            return False
        self.held[thing] -= 1
        return True

    def _usable(self, thing: int) -> int:
        """How many of a thing on the map a subtask may need: one wood is spared for a bridge."""
        return self.map[thing] - 1 if thing == WOOD - 1 else self.map[thing]

    def _mine(self, thing: int) -> bool:
        if self._usable(thing) <= 0:
            return False
        self.map[thing] -= 1
        self.held[thing] += 1
        return True


def execute(lines: Sequence[Line], counts: Sequence[int], max_loops: int = 10) -> Execution:
    """Execute an instruction on `counts`, [iron, gold, wood, merchants]."""
    program = Program(lines)
    stock = Stock(counts)
    loops: Counter[int] = Counter()  # while line -> how often it was found true
    result = Execution()
    start = 0
    while True:
        walk = program.walk(start, stock.map)
        _note_whiles(program, walk, loops, result)
        if walk.stop is None:
            result.reason = ENDLESS_WALK
        elif any(times > max_loops for times in loops.values()):
            result.reason = TOO_MANY_LOOPS
        elif walk.stop == len(program.lines):
            result.reason = None if result.performed else NO_SUBTASK
        elif not stock.perform(*program.lines[walk.stop][1:]):
            result.reason = NEED_NOT_MET
        else:
            result.performed.append(walk.stop)
            start = walk.stop + 1
            continue
        return result


def _note_whiles(program: Program, walk: Walk, loops: Counter[int], result: Execution) -> None:
    """Count the whiles that a walk found true, and remember what the very first one was."""
    for line, truth in walk.met.items():
        if program.lines[line][0] == WHILE:
            loops[line] += bool(truth)
            if result.first_while is None:
                result.first_while = truth
