"""The text language of instructions: text to symbols and back."""

import numpy as np
import numpy.typing as npt

from cofca.envs.starcraft.language.instruction import Instruction, implied, words
from cofca.envs.starcraft.symbols import LAST_SYMBOL
from cofca.utils.errors import InstructionError
from cofca.utils.spelling import Spelling, check_length

_SPELLING = Spelling({words(line): line for line in range(1, LAST_SYMBOL + 1)})


def parse(text: str, max_lines: int | None = None) -> Instruction:
    """Read an instruction; case, indentation, blank lines and `#` comments do not matter."""
    reading = _SPELLING.read(text, max_lines)
    implied(reading.lines, [*reading.places, reading.end])
    return reading.lines


def unparse(instruction: Instruction) -> str:
    """Write an instruction in its one canonical form, which has no newline at the end."""
    implied(instruction)
    return "\n".join(" ".join(words(line)) for line in instruction)


def pad(instruction: Instruction, max_lines: int) -> npt.NDArray[np.int8]:
    """The symbols of an instruction as an array [max_lines], zero after the last line."""
    implied(instruction)
    check_length(len(instruction), max_lines, (max_lines + 1, 1))
    symbols = np.zeros(max_lines, np.int8)
    symbols[: len(instruction)] = instruction
    return symbols


def from_symbols(symbols: npt.ArrayLike) -> Instruction:
    """The instruction in an array [lines] of symbols, without its padding."""
    array = np.asarray(symbols)
    if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"expected integers of shape [lines], got {array.dtype} {list(array.shape)}")
    rows = array.tolist()
    while rows and not rows[-1]:
        rows.pop()
    if 0 in rows:
        raise InstructionError("padding where a line was expected", rows.index(0) + 1)
    instruction = tuple(rows)
    implied(instruction)
    return instruction
