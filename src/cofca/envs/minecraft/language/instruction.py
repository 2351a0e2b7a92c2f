"""Instructions as symbols: the lines there are, and how they form blocks."""

from collections.abc import Sequence
from enum import IntEnum
from itertools import product
from typing import NamedTuple

from cofca.envs.minecraft.symbols import (
    CONDITIONS,
    FIRST_CONDITION,
    RESOURCES,
    Condition,
    LineType,
    Thing,
    Verb,
)
from cofca.utils.errors import InstructionError, Place
from cofca.utils.spelling import either

Symbols = tuple[int, int, int]
"""A line as plain integers; every `Line` is one."""


class Line(NamedTuple):
    """One line of an instruction; `noun` is a condition code in an `if` or `while`."""

    type: LineType
    verb: int
    noun: int

    @property
    def condition(self) -> Condition:
        """What an `if` or `while` line asks."""
        return CONDITIONS[self.noun - FIRST_CONDITION]


Instruction = tuple[Line, ...]

OPENERS = (LineType.IF, LineType.WHILE)
_ENDS = (LineType.ELSE, LineType.ENDIF, LineType.ENDWHILE)
_CLOSERS = {
    LineType.IF: (LineType.ELSE, LineType.ENDIF),
    LineType.ELSE: (LineType.ENDIF,),
    LineType.WHILE: (LineType.ENDWHILE,),
}
"""What may end the body that a line of this type begins."""
_STATEMENT = "a subtask, if or while"

LINES: Instruction = (
    *(Line(LineType.SUBTASK, verb, noun) for verb, noun in product(Verb, RESOURCES)),
    *(Line(opener, 0, asked.code) for opener, asked in product(OPENERS, CONDITIONS)),
    *(Line(end, 0, 0) for end in _ENDS),
)
"""Every line there is."""
_KNOWN: frozenset[tuple[int, ...]] = frozenset(LINES)


def word(symbol: IntEnum) -> str:
    """The word for a line type, a verb or a thing."""
    return "merchants" if symbol is Thing.MERCHANT else symbol.name.lower()


def to_line(symbols: tuple[int, ...], place: Place) -> Line:
    """The line of three symbols; raises if there is no such line."""
    if symbols not in _KNOWN:
        what = "padding" if not any(symbols) else f"unknown symbols {symbols}"
        raise InstructionError(f"{what} where a line was expected", *place)
    return Line(LineType(symbols[0]), symbols[1], symbols[2])


def depths(instruction: Sequence[Symbols]) -> list[int]:
    """How many blocks each line is indented by; `else` and closers stand under their opener."""
    result, depth = [], 0
    for kind, _, _ in instruction:
        if kind in _ENDS:
            depth = max(depth - 1, 0)  # the renderers may be given less than a whole instruction
        result.append(depth)
        depth += kind in _CLOSERS
    return result


def block_matches(instruction: Instruction, places: Sequence[Place] | None = None) -> tuple[int, ...]:
    """For each line the index of the line it is paired with; raises if this is no whole instruction.

    An `if` is paired with its `else` or `endif`, an `else` with its `endif`, a `while` with its `endwhile`
    and back, all others with themselves. `places` says where the lines, and then the end, stand in a text.
    """
    size = len(instruction)
    places = places or [(number, 1) for number in (*range(1, size + 1), size or 1)]
    if not instruction:
        first_words = map(word, (*Verb, *OPENERS, *_ENDS))
        raise InstructionError(f"no lines at all; expected {either(first_words)}", *places[-1])
    lines = [to_line(symbols, place) for symbols, place in zip(instruction, places, strict=False)]
    blocks = _Blocks(lines, places)
    for index, line in enumerate(lines):
        if line.type in _ENDS:
            blocks.end_body(index)
        if line.type in _CLOSERS:
            blocks.bodies.append(index)
    if blocks.bodies:
        raise InstructionError(f"the instruction ends {blocks.innermost()}", *places[-1])
    return tuple(blocks.matches)


class _Blocks:
    """The pairs found so far, and the bodies still open."""

    def __init__(self, lines: Sequence[Line], places: Sequence[Place]) -> None:
        self.lines, self.places = lines, places
        self.matches = list(range(len(lines)))
        self.bodies: list[int] = []  # the lines that began them, the innermost last

    def end_body(self, index: int) -> None:
        """Pair a line with the one that began the innermost body."""
        if wrong := self._wrong_end(index):
            raise InstructionError(wrong, *self.places[index])
        body = self.bodies.pop()
        self.matches[body] = index
        if self.lines[index].type != LineType.ENDIF:
            self.matches[index] = body  # an `else` keeps its `if` until its `endif` comes

    def _wrong_end(self, index: int) -> str:
        """Why the innermost body may not end in this line; nothing if it may."""
        kind = self.lines[index].type
        if not self.bodies:
            return f"{word(kind)} outside its block; expected {_STATEMENT}"
        body = self.bodies[-1]
        begun = self.lines[body].type
        if kind not in _CLOSERS[begun]:
            return f"{'second else' if kind == begun else word(kind)} {self.innermost()}"
        if body == index - 1:
            return f"empty body of {word(begun)}; expected {_STATEMENT}"
        return ""

    def innermost(self) -> str:
        """The innermost block and what may come next in it, for error messages."""
        body = self.bodies[-1]
        block = self.matches[body]  # of an `else` its `if`, of the others themselves
        opened = f"the {word(self.lines[block].type)} opened in line {self.places[block][0]}"
        return f"inside {opened}; expected {either(map(word, _CLOSERS[self.lines[body].type]))}"
