"""Hypothesis strategies for the Minecraft-inspired domain."""

from collections.abc import Sequence

from hypothesis import strategies as st

from cofca.envs.minecraft.language.instruction import Instruction, Line
from cofca.envs.minecraft.symbols import CONDITIONS, COUNTED, RESOURCES, Condition, LineType, Thing, Verb

ELSE, ENDIF, ENDWHILE = (Line(end, 0, 0) for end in (LineType.ELSE, LineType.ENDIF, LineType.ENDWHILE))
SUBTASKS = st.builds(Line, st.just(LineType.SUBTASK), st.sampled_from(Verb), st.sampled_from(RESOURCES))


def counts(largest: int = 12) -> st.SearchStrategy[dict[Thing, int]]:
    """How many of each counted thing are on the map."""
    return st.fixed_dictionaries({thing: st.integers(0, largest) for thing in COUNTED})


@st.composite
def instructions(
    draw: st.DrawFn, max_depth: int = 5, max_lines: int = 30, conditions: Sequence[Condition] = CONDITIONS
) -> Instruction:
    """Valid instructions of at least one line."""
    asked = st.sampled_from([condition.code for condition in conditions])
    return tuple(_body(draw, asked, max_depth, max_lines))


def _body(draw: st.DrawFn, asked: st.SearchStrategy[int], depth: int, room: int) -> list[Line]:
    """One to `room` lines with at most `depth` blocks around each other."""
    lines = _statement(draw, asked, depth, room)
    while len(lines) < room and draw(st.booleans()):
        lines += _statement(draw, asked, depth, room - len(lines))
    return lines


def _statement(draw: st.DrawFn, asked: st.SearchStrategy[int], depth: int, room: int) -> list[Line]:
    """A subtask or a whole block."""
    kinds = [LineType.SUBTASK]
    if depth > 0 and room >= 3:
        kinds += [LineType.IF, LineType.WHILE]
    kind = draw(st.sampled_from(kinds))
    if kind == LineType.SUBTASK:
        return [draw(SUBTASKS)]
    lines = [Line(kind, 0, draw(asked)), *_body(draw, asked, depth - 1, room - 2)]
    if kind == LineType.WHILE:
        return [*lines, ENDWHILE]
    left = room - len(lines) - 2
    if left >= 1 and draw(st.booleans()):
        lines += [ELSE, *_body(draw, asked, depth - 1, left)]
    return [*lines, ENDIF]
