"""A plain interpreter: which lines of an instruction run, given what there is on the map."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from cofca.envs.minecraft.language.instruction import Instruction, Line, block_matches
from cofca.envs.minecraft.language.text import unparse
from cofca.envs.minecraft.symbols import COUNTED, RESOURCES, LineType, Thing, Verb

Counts = dict[Thing, int]


class Run(NamedTuple):
    """What happened: indices of lines, from 0 and in order, and what there is at the end."""

    lines: tuple[int, ...]
    subtasks: tuple[int, ...]
    counts: Counts
    inventory: Counts


class InfeasibleError(ValueError):
    """Why an instruction cannot be carried out; names the line, from 1."""


def run(instruction: Instruction, counts: Mapping[Thing, int], *, max_loops: int = 10, spare_wood: int = 0) -> Run:
    """Carry out an instruction on counts alone; a thing that `counts` does not name is not there.

    Infeasible are a subtask whose needs are not met, a `while` found true more than `max_loops` times in all,
    and a walk that never ends. Subtasks leave the last `spare_wood` wood on the map; conditions count it.
    """
    matches = block_matches(instruction)
    counts = {thing: counts.get(thing, 0) for thing in COUNTED}
    inventory = dict.fromkeys(RESOURCES, 0)
    lines: list[int] = []
    subtasks: list[int] = []
    walk: set[int] = set()  # the lines met since the last subtask
    loops: Counter[int] = Counter()
    index = 0
    while index < len(instruction):
        line = instruction[index]
        if index in walk:
            raise InfeasibleError(f"line {index + 1}: met again before any subtask, so this never ends")
        walk.add(index)
        lines.append(index)
        if line.type == LineType.SUBTASK:
            if missing := _perform(line, counts, inventory, spare_wood):
                raise InfeasibleError(f"line {index + 1}: {unparse((line,))} needs {missing}")
            subtasks.append(index)
            walk.clear()
        elif line.type == LineType.WHILE and holds(line, counts):
            loops[index] += 1
            if loops[index] > max_loops:
                raise InfeasibleError(f"line {index + 1}: while found true more than {max_loops} times")
        index = _next_line(index, line, matches[index], counts)
    return Run(tuple(lines), tuple(subtasks), counts, inventory)


def control_lines(instruction: Instruction, index: int, counts: Mapping[Thing, int]) -> list[int]:
    """The control lines that the program counter meets from a line on, before its next subtask or the end."""
    matches = block_matches(instruction)
    met: list[int] = []
    while index < len(instruction) and instruction[index].type != LineType.SUBTASK and index not in met:
        met.append(index)
        index = _next_line(index, instruction[index], matches[index], counts)
    return met


def holds(line: Line, counts: Mapping[Thing, int]) -> bool:
    """Whether the condition of an `if` or `while` is true."""
    return counts[line.condition.more] > counts[line.condition.than]


def _next_line(index: int, line: Line, match: int, counts: Mapping[Thing, int]) -> int:
    """Where the program counter goes from a line."""
    if line.type == LineType.ENDWHILE:
        return match
    if line.type == LineType.ELSE or (line.type in (LineType.IF, LineType.WHILE) and not holds(line, counts)):
        return match + 1
    return index + 1


def _perform(line: Line, counts: Counts, inventory: Counts, spare_wood: int) -> str | None:
    """Change the counts as a subtask does, or say what it lacks."""
    noun = Thing(line.noun)
    spare = spare_wood if noun == Thing.WOOD else 0
    selling = line.verb == Verb.SELL
    if selling and not counts[Thing.MERCHANT]:
        return "a merchant"
    if selling and inventory[noun]:
        inventory[noun] -= 1
        return None
    if counts[noun] <= spare:
        return f"{noun.name.lower()} on the map" + (f" besides the {spare} to spare" if spare else "")
    if line.verb != Verb.INSPECT:
        counts[noun] -= 1
    if line.verb == Verb.MINE:
        inventory[noun] += 1
    return None
