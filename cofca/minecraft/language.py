"""The text language of instructions: text to symbols and back."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cofca.minecraft.symbols import (
    CONDITIONS,
    FIRST_CONDITION,
    RESOURCES,
    SYMBOLS_PER_LINE,
    Condition,
    LineType,
    Thing,
    Verb,
)


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
Place = tuple[int, int]
"""Line and column in a text, both from 1; a tab is one column."""


class InstructionError(ValueError):
    """What is wrong with an instruction, and where."""

    def __init__(self, message: str, line: int, column: int = 1) -> None:
        super().__init__(message, line, column)
        self.message, self.line, self.column = message, line, column

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


INDENT = "    "
_STATEMENT = "a subtask, if or while"
_ENDS = (LineType.ELSE, LineType.ENDIF, LineType.ENDWHILE)
_CLOSERS = {
    LineType.IF: (LineType.ELSE, LineType.ENDIF),
    LineType.ELSE: (LineType.ENDIF,),
    LineType.WHILE: (LineType.ENDWHILE,),
}
"""What may end the body that a line of this type begins."""


def _word(symbol: LineType | Verb | Thing) -> str:
    return "merchants" if symbol is Thing.MERCHANT else symbol.name.lower()


def _spellings() -> dict[Line, tuple[str, ...]]:
    """The words of every line there is."""
    spellings: dict[Line, tuple[str, ...]] = {}
    for verb, noun in product(Verb, RESOURCES):
        spellings[Line(LineType.SUBTASK, verb, noun)] = (_word(verb), _word(noun))
    for opener, asked in product((LineType.IF, LineType.WHILE), CONDITIONS):
        words = (_word(opener), "more", _word(asked.more), "than", _word(asked.than))
        spellings[Line(opener, 0, asked.code)] = words
    for closer in _ENDS:
        spellings[Line(closer, 0, 0)] = (_word(closer),)
    return spellings


_SPELLINGS = _spellings()
_LINES = {words: line for line, words in _SPELLINGS.items()}


def _either(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def parse(text: str, max_lines: int | None = None) -> Instruction:
    """Read an instruction; case, indentation, blank lines and `#` comments do not matter."""
    lines: list[Line] = []
    places: list[Place] = []
    end = (1, 1)
    for number, row in enumerate(re.split(r"\r\n?|\n", text), start=1):
        words = list(re.finditer(r"\S+", row.partition("#")[0]))
        if not words:
            continue
        places.append((number, words[0].start() + 1))
        _check_length(len(places), max_lines, places[-1])
        lines.append(_parse_line(words, number))
        end = (number, words[-1].end() + 1)
    instruction = tuple(lines)
    block_matches(instruction, [*places, end])
    return instruction


def unparse(instruction: Instruction) -> str:
    """Write an instruction in its one canonical form, which has no newline at the end."""
    block_matches(instruction)
    rows: list[str] = []
    depth = 0
    for line in instruction:
        depth -= line.type in _ENDS
        rows.append(INDENT * depth + " ".join(_SPELLINGS[line]))
        depth += line.type in _CLOSERS
    return "\n".join(rows)


def _check_length(length: int, max_lines: int | None, place: Place) -> None:
    if max_lines is not None and length > max_lines:
        raise InstructionError(f"one line too many; expected at most {max_lines}", *place)


def _parse_line(words: Sequence[re.Match[str]], number: int) -> Line:
    spelled = tuple(word.group().lower() for word in words)
    if spelled in _LINES:
        return _LINES[spelled]
    for index, word in enumerate(words):
        expected = _next_words(spelled[:index])
        if spelled[index] not in expected:
            raise InstructionError(_wrong_word(spelled, index, expected), number, word.start() + 1)
    message = f"the line ends early; expected {_either(_next_words(spelled))}"
    raise InstructionError(message, number, words[-1].end() + 1)


def _next_words(start: tuple[str, ...]) -> list[str]:
    """The words that may follow the start of a line."""
    size = len(start)
    return list(dict.fromkeys(w[size] for w in _LINES if len(w) > size and w[:size] == start))


def _wrong_word(spelled: tuple[str, ...], index: int, expected: Sequence[str]) -> str:
    word = spelled[index]
    # Cut, so that a message stays one readable line whatever the text is.
    quoted = repr(word if len(word) <= 20 else word[:20] + "...")
    if not expected:
        return f"surplus word {quoted}; expected the end of the line"
    if index == 4 and word == spelled[2]:  # more A than A
        return f"{quoted} compared with itself; expected {_either(expected)}"
    known = any(word in words for words in _LINES)
    guess = "".join(f" (did you mean {close!r}?)" for close in get_close_matches(word, expected, n=1))
    return f"{'misplaced' if known else 'unknown'} word {quoted}; expected {_either(expected)}{guess}"


def block_matches(instruction: Instruction, places: Sequence[Place] | None = None) -> tuple[int, ...]:
    """For each line the index of the line it is paired with; raises if this is no whole instruction.

    An `if` is paired with its `else` or `endif`, an `else` with its `endif`, a `while` with its `endwhile`
    and back, all others with themselves. `places` says where the lines, and then the end, stand in a text.
    """
    numbers = range(1, len(instruction) + 1)
    places = places or [(number, 1) for number in (*numbers, len(instruction) or 1)]
    if not instruction:
        raise InstructionError(f"no lines at all; expected {_either(_next_words(()))}", *places[-1])
    lines = [_line(symbols, place) for symbols, place in zip(instruction, places, strict=False)]
    matches = list(range(len(lines)))
    bodies: list[int] = []  # the lines that began the bodies still open

    def innermost() -> str:
        block, closers = matches[bodies[-1]], _CLOSERS[lines[bodies[-1]].type]
        opened = f"the {_word(lines[block].type)} opened in line {places[block][0]}"
        return f"inside {opened}; expected {_either(map(_word, closers))}"

    for index, (kind, _, _) in enumerate(lines):
        if kind in _ENDS:
            if not bodies:
                raise InstructionError(
                    f"{_word(kind)} outside its block; expected {_STATEMENT}", *places[index]
                )
            body = bodies[-1]
            begun = lines[body].type
            if kind not in _CLOSERS[begun]:
                what = "second else" if kind == begun else _word(kind)
                raise InstructionError(f"{what} {innermost()}", *places[index])
            if body == index - 1:
                raise InstructionError(f"empty body of {_word(begun)}; expected {_STATEMENT}", *places[index])
            bodies.pop()
            matches[body] = index
            if kind != LineType.ENDIF:
                matches[index] = body  # an `else` keeps its `if` until its `endif` comes
        if kind in _CLOSERS:
            bodies.append(index)
    if bodies:
        raise InstructionError(f"the instruction ends {innermost()}", *places[-1])
    return tuple(matches)


def _line(symbols: tuple[int, ...], place: Place) -> Line:
    if symbols not in _SPELLINGS:
        what = "padding" if not any(symbols) else f"unknown symbols {symbols}"
        raise InstructionError(f"{what} where a line was expected", *place)
    return Line(LineType(symbols[0]), symbols[1], symbols[2])


def pad(instruction: Instruction, max_lines: int) -> npt.NDArray[np.int8]:
    """The symbols of an instruction as an array [max_lines, 3], zero after the last line."""
    block_matches(instruction)
    _check_length(len(instruction), max_lines, (max_lines + 1, 1))
    symbols = np.zeros((max_lines, SYMBOLS_PER_LINE), np.int8)
    symbols[: len(instruction)] = instruction
    return symbols


def from_symbols(symbols: npt.ArrayLike) -> Instruction:
    """The instruction in an array [lines, 3] of symbols, without its padding."""
    array = np.asarray(symbols)
    if array.shape[1:] != (SYMBOLS_PER_LINE,) or not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"expected integers of shape [lines, 3], got {array.dtype} {list(array.shape)}")
    rows = [tuple(row) for row in array.tolist()]
    while rows and not any(rows[-1]):
        rows.pop()
    instruction = tuple(_line(row, (number, 1)) for number, row in enumerate(rows, start=1))
    block_matches(instruction)
    return instruction
