"""Instructions as text and as symbols."""

import copy

import numpy as np
import pytest
from hypothesis import given

from cofca.envs.minecraft.language.instruction import Instruction, Line, block_matches
from cofca.envs.minecraft.language.text import from_symbols, pad, parse, unparse
from cofca.envs.minecraft.symbols import LineType, Thing, Verb
from cofca.utils.errors import InstructionError
from envs.languages import assert_read_or_refused, assert_refused, texts
from envs.minecraft.examples import FIGURE
from envs.minecraft.strategies import ELSE, ENDIF, ENDWHILE, instructions

MINE_IRON = Line(LineType.SUBTASK, Verb.MINE, Thing.IRON)
IF = Line(LineType.IF, 0, 4)
WHILE = Line(LineType.WHILE, 0, 13)

STATEMENT = "expected a subtask, if or while"
FIRST_WORDS = "expected mine, sell, inspect, if, while, else, endif or endwhile"
NOUNS = "expected iron, gold or wood"
COUNTED = "expected iron, gold, wood or merchants"

WRONG_WORDS = [
    ("mine iron\n\n  sell ion", 3, 8, f"unknown word 'ion'; {NOUNS} (did you mean 'iron'?)"),
    ("mien iron", 1, 1, f"unknown word 'mien'; {FIRST_WORDS} (did you mean 'mine'?)"),
    ("\tMINE\tirn", 1, 7, f"unknown word 'irn'; {NOUNS} (did you mean 'iron'?)"),
    ("xyzzy", 1, 1, f"unknown word 'xyzzy'; {FIRST_WORDS}"),
    ("inspect merchants", 1, 9, f"misplaced word 'merchants'; {NOUNS}"),
    ("iron", 1, 1, f"misplaced word 'iron'; {FIRST_WORDS}"),
    ("if iron", 1, 4, "misplaced word 'iron'; expected more"),
    ("if more merchant than iron", 1, 9, f"unknown word 'merchant'; {COUNTED} (did you mean 'merchants'?)"),
    ("while more iron then gold", 1, 17, "unknown word 'then'; expected than (did you mean 'than'?)"),
    ("if more iron than silver", 1, 19, "unknown word 'silver'; expected gold, wood or merchants"),
    ("if more iron than iron", 1, 19, "'iron' compared with itself; expected gold, wood or merchants"),
    ("mine " + "x" * 1000, 1, 6, f"unknown word '{'x' * 20}...'; {NOUNS}"),
    ("mine \x00\u2029", 1, 6, rf"unknown word '\x00'; {NOUNS}"),
    ("mine", 1, 5, f"the line ends early; {NOUNS}"),
    ("mine  # iron", 1, 5, f"the line ends early; {NOUNS}"),
    ("  if", 1, 5, "the line ends early; expected more"),
    ("if more", 1, 8, f"the line ends early; {COUNTED}"),
    ("if more gold", 1, 13, "the line ends early; expected than"),
    ("while more gold than", 1, 21, "the line ends early; expected iron, wood or merchants"),
    ("mine iron now", 1, 11, "surplus word 'now'; expected the end of the line"),
    ("if more iron than gold mine iron", 1, 24, "surplus word 'mine'; expected the end of the line"),
    ("mine iron\nelse if", 2, 6, "surplus word 'if'; expected the end of the line"),
]

IF_TEXT = "# a comment\nif more iron than gold\n"
WHILE_TEXT = "while more iron than gold\n"
WRONG_BLOCKS = [
    (IF_TEXT + "  mine iron # !", 3, 12, "ends inside the if opened in line 2; expected else or endif"),
    (IF_TEXT + "mine iron\nelse\nsell wood\n", 5, 10, "ends inside the if opened in line 2; expected endif"),
    (WHILE_TEXT + "mine iron", 2, 10, "ends inside the while opened in line 1; expected endwhile"),
    (IF_TEXT, 2, 23, "ends inside the if opened in line 2; expected else or endif"),
    ("mine iron\n  else", 2, 3, f"else outside its block; {STATEMENT}"),
    ("endif", 1, 1, f"endif outside its block; {STATEMENT}"),
    (WHILE_TEXT + "mine iron\nendwhile\nendwhile", 4, 1, f"endwhile outside its block; {STATEMENT}"),
    (IF_TEXT + "mine iron\nelse\nmine iron\nelse", 6, 1, "second else inside the if opened in line 2"),
    (
        IF_TEXT + "mine iron\n  endwhile",
        4,
        3,
        "inside the if opened in line 2; expected else or endif",
    ),
    (IF_TEXT + "mine iron\nelse\nmine iron\nendwhile", 6, 1, "endwhile inside the if opened in line 2"),
    (WHILE_TEXT + "mine iron\nendif", 3, 1, "endif inside the while opened in line 1; expected endwhile"),
    (IF_TEXT + WHILE_TEXT + "mine iron\nelse", 5, 1, "else inside the while opened in line 3"),
    (IF_TEXT + "endif", 3, 1, f"empty body of if; {STATEMENT}"),
    (IF_TEXT + "else", 3, 1, f"empty body of if; {STATEMENT}"),
    (IF_TEXT + "mine iron\nelse\n\n  endif", 6, 3, f"empty body of else; {STATEMENT}"),
    (WHILE_TEXT + " endwhile", 2, 2, f"empty body of while; {STATEMENT}"),
    ("", 1, 1, f"no lines at all; {FIRST_WORDS}"),
    (" \n# nothing\n\t", 1, 1, f"no lines at all; {FIRST_WORDS}"),
]


@pytest.mark.parametrize(("text", "line", "column", "words"), WRONG_WORDS + WRONG_BLOCKS)
def test_an_error_says_where_and_what_was_expected(text: str, line: int, column: int, words: str) -> None:
    assert_refused(parse, text, line, column, words)


def test_the_figure_of_the_paper() -> None:
    instruction = parse(FIGURE)
    assert instruction[:3] == (Line(LineType.WHILE, 0, 4), MINE_IRON, ENDWHILE)
    assert instruction[3] == Line(LineType.IF, 0, 13)
    assert instruction[3].condition == (Thing.MERCHANT, Thing.IRON)
    assert unparse(instruction) == FIGURE
    assert block_matches(instruction) == (2, 1, 0, 6, 4, 5, 8, 7, 8)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_layout_does_not_matter(newline: str) -> None:
    rows = ["# the paper's figure", "", *(f"\t{row.upper().strip()}#!" for row in FIGURE.splitlines()), " "]
    assert parse(newline.join(rows)) == parse(FIGURE)


def test_a_line_too_many() -> None:
    assert len(parse(FIGURE, max_lines=9)) == 9
    with pytest.raises(InstructionError, match="line 5, column 5: one line too many; expected at most 4"):
        parse(FIGURE, max_lines=4)
    with pytest.raises(InstructionError, match="line 5, column 1: one line too many; expected at most 4"):
        pad(parse(FIGURE), 4)


def test_ten_thousand_nested_blocks() -> None:
    size = 10_000
    text = "if more iron than gold\n" * size + "mine iron\n" + "endif\n" * size
    instruction = parse(text)
    assert block_matches(instruction)[0] == 2 * size == len(instruction) - 1
    with pytest.raises(InstructionError, match="inside the if opened in line 1; expected else or endif"):
        parse(text.removesuffix("endif\n"))


@given(instructions())
def test_round_trip(instruction: Instruction) -> None:
    text = unparse(instruction)
    assert parse(text) == instruction
    assert unparse(parse(text)) == text
    assert from_symbols(pad(instruction, 40)) == instruction


@given(instructions())
def test_matches_pair_lines_of_one_block(instruction: Instruction) -> None:
    pairs = {"IF": ("ELSE", "ENDIF"), "ELSE": ("ENDIF",), "WHILE": ("ENDWHILE",), "ENDWHILE": ("WHILE",)}
    matches = block_matches(instruction)
    indents = [len(row) - len(row.lstrip()) for row in unparse(instruction).splitlines()]
    for index, match in enumerate(matches):
        kind = instruction[index].type.name
        assert instruction[match].type.name in pairs.get(kind, (kind,))
        assert indents[match] == indents[index]
        assert (match == index) == (kind not in pairs)
        between = range(min(index, match) + 1, max(index, match))
        assert all(indents[inner] > indents[index] for inner in between)


@given(texts(FIGURE, words_a_line=6))
def test_any_text_is_an_instruction_or_an_error(text: str) -> None:
    assert_read_or_refused(parse, unparse, text)


@pytest.mark.parametrize(
    ("instruction", "message"),
    [
        ((), "line 1, column 1: no lines at all"),
        ((IF, MINE_IRON), "line 2, column 1: the instruction ends inside the if opened in line 1"),
        ((MINE_IRON, WHILE, MINE_IRON, ENDIF), "line 4, column 1: endif inside the while opened in line 2"),
        ((IF, MINE_IRON, ELSE, ENDIF), "line 4, column 1: empty body of else"),
        ((ELSE,), "line 1, column 1: else outside its block"),
        ((MINE_IRON, Line(LineType.PADDING, 0, 0)), "line 2, column 1: padding where a line was expected"),
        ((Line(LineType.SUBTASK, 1, 4),), "line 1, column 1: unknown symbols"),
    ],
)
def test_an_instruction_built_by_hand_is_checked(instruction: Instruction, message: str) -> None:
    for use in (block_matches, unparse, lambda lines: pad(lines, 9)):
        with pytest.raises(InstructionError, match=message):
            use(instruction)


def test_padding() -> None:
    array = pad((IF, MINE_IRON, ENDIF), 4)
    assert array.dtype == np.int8
    assert array.tolist() == [[2, 0, 4], [1, 1, 1], [4, 0, 0], [0, 0, 0]]
    assert isinstance(from_symbols(array)[0].type, LineType)


@pytest.mark.parametrize(
    ("symbols", "message"),
    [
        ([[1, 1, 1], [0, 0, 0], [1, 1, 1]], "line 2, column 1: padding where a line was expected"),
        ([[1, 1, 1], [7, 0, 0]], r"line 2, column 1: unknown symbols \(7, 0, 0\)"),
        ([[1, 0, 1]], r"line 1, column 1: unknown symbols \(1, 0, 1\)"),
        ([[4, 0, 1]], r"line 1, column 1: unknown symbols \(4, 0, 1\)"),
        ([[2, 0, 16]], r"line 1, column 1: unknown symbols \(2, 0, 16\)"),
        ([[-1, 1, 1]], r"line 1, column 1: unknown symbols \(-1, 1, 1\)"),
        ([[2, 0, 4], [1, 1, 1]], "line 2, column 1: the instruction ends inside the if opened in line 1"),
        ([[0, 0, 0]], "line 1, column 1: no lines at all"),
        ([1, 1, 1], r"expected integers of shape \[lines, 3\], got int64 \[3\]"),
        ([[1.0, 1.0, 1.0]], r"expected integers of shape \[lines, 3\], got float64 \[1, 3\]"),
        (1, r"expected integers of shape \[lines, 3\], got int64 \[\]"),
    ],
)
def test_nonsense_symbols(symbols: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_symbols(np.array(symbols))


def test_an_error_survives_copying() -> None:
    error = InstructionError("no", 2, 3)
    assert str(copy.copy(error)) == str(error) == "line 2, column 3: no"
