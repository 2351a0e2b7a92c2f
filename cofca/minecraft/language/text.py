"""The text language of instructions: text to symbols and back."""

import re
from collections.abc import Sequence
from difflib import get_close_matches

import numpy as np
import numpy.typing as npt

from cofca.minecraft.language.instruction import (
    LINES,
    Instruction,
    InstructionError,
    Line,
    Place,
    Symbols,
    block_matches,
    depths,
    either,
    to_line,
    word,
)
from cofca.minecraft.symbols import CONDITIONS, FIRST_CONDITION, SYMBOLS_PER_LINE, LineType, Thing, Verb

INDENT = "    "


def words(line: Symbols) -> tuple[str, ...]:
    """The words of a line, such as `if`, `more`, `iron`, `than`, `gold`."""
    kind, verb, noun = line
    if kind == LineType.SUBTASK:
        return word(Verb(verb)), word(Thing(noun))
    if kind in (LineType.IF, LineType.WHILE):
        more, than = CONDITIONS[noun - FIRST_CONDITION]
        return word(LineType(kind)), "more", word(more), "than", word(than)
    return (word(LineType(kind)),)


_LINES = {words(line): line for line in LINES}


def parse(text: str, max_lines: int | None = None) -> Instruction:
    """Read an instruction; case, indentation, blank lines and `#` comments do not matter."""
    lines: list[Line] = []
    places: list[Place] = []
    end = (1, 1)
    for number, row in enumerate(re.split(r"\r\n?|\n", text), start=1):
        tokens = list(re.finditer(r"\S+", row.partition("#")[0]))
        if not tokens:
            continue
        places.append((number, tokens[0].start() + 1))
        _check_length(len(places), max_lines, places[-1])
        lines.append(_parse_line(tokens, number))
        end = (number, tokens[-1].end() + 1)
    instruction = tuple(lines)
    block_matches(instruction, [*places, end])
    return instruction


def unparse(instruction: Instruction) -> str:
    """Write an instruction in its one canonical form, which has no newline at the end."""
    block_matches(instruction)
    rows = zip(depths(instruction), instruction, strict=True)
    return "\n".join(INDENT * depth + " ".join(words(line)) for depth, line in rows)


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
    instruction = tuple(to_line(row, (number, 1)) for number, row in enumerate(rows, start=1))
    block_matches(instruction)
    return instruction


def _check_length(length: int, max_lines: int | None, place: Place) -> None:
    if max_lines is not None and length > max_lines:
        raise InstructionError(f"one line too many; expected at most {max_lines}", *place)


def _parse_line(tokens: Sequence[re.Match[str]], number: int) -> Line:
    spelled = tuple(token.group().lower() for token in tokens)
    if spelled in _LINES:
        return _LINES[spelled]
    for index, token in enumerate(tokens):
        expected = _next_words(spelled[:index])
        if spelled[index] not in expected:
            raise InstructionError(_wrong_word(spelled, index, expected), number, token.start() + 1)
    message = f"the line ends early; expected {either(_next_words(spelled))}"
    raise InstructionError(message, number, tokens[-1].end() + 1)


def _next_words(start: tuple[str, ...]) -> list[str]:
    """The words that may follow the start of a line."""
    size = len(start)
    return list(dict.fromkeys(line[size] for line in _LINES if len(line) > size and line[:size] == start))


def _wrong_word(spelled: tuple[str, ...], index: int, expected: Sequence[str]) -> str:
    wrong = spelled[index]
    # Cut, so that a message stays one readable line whatever the text is.
    quoted = repr(wrong if len(wrong) <= 20 else wrong[:20] + "...")
    if not expected:
        return f"surplus word {quoted}; expected the end of the line"
    if index == 4 and wrong == spelled[2]:  # more A than A
        return f"{quoted} compared with itself; expected {either(expected)}"
    known = any(wrong in line for line in _LINES)
    guess = "".join(f" (did you mean {close!r}?)" for close in get_close_matches(wrong, expected, n=1))
    return f"{'misplaced' if known else 'unknown'} word {quoted}; expected {either(expected)}{guess}"
