"""The text language of instructions: text to symbols and back."""

import numpy as np
import numpy.typing as npt

from cofca.envs.minecraft.language.instruction import LINES, Instruction, Symbols, block_matches, depths, to_line, word
from cofca.envs.minecraft.symbols import CONDITIONS, FIRST_CONDITION, SYMBOLS_PER_LINE, LineType, Thing, Verb
from cofca.utils.spelling import Spelling, check_length

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


def _compared_with_itself(spelled: tuple[str, ...], index: int) -> str | None:
    return "compared with itself" if index == 4 and spelled[4] == spelled[2] else None  # more A than A


_SPELLING = Spelling({words(line): line for line in LINES}, _compared_with_itself)


def parse(text: str, max_lines: int | None = None) -> Instruction:
    """Read an instruction; case, indentation, blank lines and `#` comments do not matter."""
    reading = _SPELLING.read(text, max_lines)
    block_matches(reading.lines, [*reading.places, reading.end])
    return reading.lines


def unparse(instruction: Instruction) -> str:
    """Write an instruction in its one canonical form, which has no newline at the end."""
    block_matches(instruction)
    rows = zip(depths(instruction), instruction, strict=True)
    return "\n".join(INDENT * depth + " ".join(words(line)) for depth, line in rows)


def pad(instruction: Instruction, max_lines: int) -> npt.NDArray[np.int8]:
    """The symbols of an instruction as an array [max_lines, 3], zero after the last line."""
    block_matches(instruction)
    check_length(len(instruction), max_lines, (max_lines + 1, 1))
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
