"""Instructions as text and as symbols, and what they imply about the build forest."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cofca.envs.starcraft import (
    Building,
    Implied,
    Instruction,
    InstructionError,
    Unit,
    from_symbols,
    implied,
    parse,
    unparse,
)
from cofca.envs.starcraft.language.text import pad
from cofca.envs.starcraft.symbols import FIRST_UNIT, LAST_SYMBOL
from envs.languages import assert_read_or_refused, assert_refused, texts
from envs.starcraft.strategies import instructions

NEXUS, PYLON, GATEWAY, FORGE = (int(Building[name]) for name in ("NEXUS", "PYLON", "GATEWAY", "FORGE"))
ADEPT, ZEALOT = (FIRST_UNIT + Unit[name] - 1 for name in ("ADEPT", "ZEALOT"))

TEXT = """\
Build Pylon
Build Gateway
Train Zealot
Build Nexus
Train DarkTemplar
Build Pylon
Build Gateway
Build CyberneticsCore
Train WarpPrism"""

BUILDINGS = (
    "expected Assimilator, CyberneticsCore, DarkShrine, FleetBeacon, Forge, Gateway, Nexus, PhotonCannon, Pylon, "
    "RoboticsBay, RoboticsFacility, StarGate, TemplarArchives or TwilightCouncil"
)
UNITS = (
    "expected Adept, Carrier, Colossus, DarkTemplar, Disruptor, HighTemplar, Immortal, Observer, Oracle, Phoenix, "
    "Sentry, Stalker, Tempest, VoidRay, WarpPrism or Zealot"
)
BASE = "# a comment\nBuild Nexus\n\n"

WRONG_WORDS = [
    ("Build Pylo\n", 1, 7, f"unknown word 'pylo'; {BUILDINGS} (did you mean 'Pylon'?)"),
    (BASE + "  Train Zealt", 4, 9, f"unknown word 'zealt'; {UNITS} (did you mean 'Zealot'?)"),
    ("Biuld Nexus", 1, 1, "unknown word 'biuld'; expected Build or Train (did you mean 'Build'?)"),
    ("xyzzy", 1, 1, "unknown word 'xyzzy'; expected Build or Train"),
    ("\tBUILD\tadept", 1, 8, f"misplaced word 'Adept'; {BUILDINGS}"),
    (BASE + "Train Nexus", 4, 7, f"misplaced word 'Nexus'; {UNITS}"),
    ("Nexus", 1, 1, "misplaced word 'Nexus'; expected Build or Train"),
    ("Build Dark Shrine", 1, 7, f"unknown word 'dark'; {BUILDINGS}"),
    ("Build " + "x" * 1000, 1, 7, f"unknown word '{'x' * 20}...'; {BUILDINGS}"),
    ("Build \x00\u2029", 1, 7, rf"unknown word '\x00'; {BUILDINGS}"),
    (BASE + "Train Adept Adept", 4, 13, "surplus word 'Adept'; expected the end of the line"),
    ("Build Nexus now", 1, 13, "surplus word 'now'; expected the end of the line"),
    ("Build", 1, 6, f"the line ends early; {BUILDINGS}"),
    (BASE + " Train # Adept", 4, 7, f"the line ends early; {UNITS}"),
]
ORDER = "Build Pylon\nBuild Gateway\nTrain Zealot\n"
WRONG_ORDERS = [
    ("  Train Adept", 1, 3, "Adept has no building before it; expected Build and what trains it"),
    (ORDER + "Train Adept", 4, 1, "Adept has no building before it; expected Build and what trains it"),
    ("Build Nexus # base\n\n", 1, 12, "the instruction ends with Nexus; expected what it trains"),
    (ORDER + " Build Forge", 4, 13, "the instruction ends with Forge; expected what it trains"),
    (
        "\n" + ORDER + "Build Forge\n Build Gateway\nTrain Adept",
        6,
        2,
        "Gateway comes after Forge; expected after Pylon, as in line 3",
    ),
    (ORDER + "Build Gateway\nTrain Zealot", 4, 1, "Gateway comes first in its order; expected after Pylon"),
    (ORDER + "Build Gateway\nBuild Pylon\nTrain Adept", 4, 1, "Gateway comes first in its order"),
    (
        "Build Gateway\nTrain Adept\nBuild Pylon\n\tBuild Gateway\nTrain Adept",
        4,
        2,
        "Gateway comes after Pylon; expected first in its order, as in line 1",
    ),
    ("Build Pylon\nBuild Pylon\nTrain Adept", 2, 1, "Pylon comes after Pylon; expected first in its order"),
    (ORDER + "Build Pylon\n  Train Zealot", 5, 3, "Zealot comes after Pylon; expected after Gateway, as in line 3"),
    ("", 1, 1, "no lines at all; expected Build or Train"),
    (" \n# nothing\n\t", 1, 1, "no lines at all; expected Build or Train"),
]


@pytest.mark.parametrize(("text", "line", "column", "words"), WRONG_WORDS + WRONG_ORDERS)
def test_an_error_says_where_and_what_was_expected(text: str, line: int, column: int, words: str) -> None:
    assert_refused(parse, text, line, column, words)


def test_a_text_is_read_and_written() -> None:
    instruction = parse(TEXT)
    assert instruction == (9, 6, 30, 7, 18, 9, 6, 2, 29)
    assert unparse(instruction) == TEXT


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_layout_does_not_matter(newline: str) -> None:
    rows = ["# orders", "", *(f"\t{row.upper().replace(' ', '   ')}#!" for row in TEXT.splitlines()), " "]
    assert parse(newline.join(rows)) == parse(TEXT)


BEFORE = ("", "\n", "# Train Adept\n", " \t")
AFTER = ("", " ", "# Train Adept", "\n\n")


@given(instructions(), st.integers(0, 2**16))
def test_round_trip(instruction: Instruction, seed: int) -> None:
    text = unparse(instruction)
    assert parse(text) == instruction
    assert from_symbols(pad(instruction, 100)) == instruction
    choose = Random(seed).choice
    rows = [choose(BEFORE) + choose((row.lower(), row.upper())) + choose(AFTER) for row in text.split("\n")]
    assert unparse(parse("\n".join(rows))) == text


@given(instructions())
def test_what_is_implied_gives_back_every_order(instruction: Instruction) -> None:
    prerequisites, trainers = implied(instruction)
    lines: list[int] = []
    for line in instruction:
        if line >= FIRST_UNIT:
            chain = [trainers[Unit(line - FIRST_UNIT + 1)]]
            while (above := prerequisites[chain[0]]) is not None:
                chain.insert(0, above)
            lines += [*chain, line]
    assert tuple(lines) == instruction
    assert prerequisites.keys() == {Building(line) for line in instruction if line < FIRST_UNIT}
    assert trainers.keys() == {Unit(line - FIRST_UNIT + 1) for line in instruction if line >= FIRST_UNIT}


def test_what_a_text_implies() -> None:
    assert implied(parse(ORDER + "Build Nexus\nTrain Adept")) == Implied(
        {Building.PYLON: None, Building.GATEWAY: Building.PYLON, Building.NEXUS: None},
        {Unit.ZEALOT: Building.GATEWAY, Unit.ADEPT: Building.NEXUS},
    )


def test_a_line_too_many() -> None:
    assert len(parse(TEXT, max_lines=9)) == 9
    with pytest.raises(InstructionError, match=r"^line 6, column 3: one line too many; expected at most 4$"):
        parse("# orders\n" + TEXT.replace("Train D", "  Train D"), max_lines=4)
    with pytest.raises(InstructionError, match=r"^line 9, column 1: one line too many; expected at most 8$"):
        pad(parse(TEXT), 8)


@given(texts(TEXT, words_a_line=3))
def test_any_text_is_an_instruction_or_an_error(text: str) -> None:
    assert_read_or_refused(parse, unparse, text)


@pytest.mark.parametrize(
    ("instruction", "message"),
    [
        ((), "line 1, column 1: no lines at all; expected Build or Train"),
        ((NEXUS, ADEPT, ADEPT), "line 3, column 1: Adept has no building before it; expected Build"),
        ((NEXUS, ADEPT, PYLON), "line 3, column 1: the instruction ends with Pylon; expected what it trains"),
        ((PYLON, GATEWAY, ZEALOT, GATEWAY, ZEALOT), "line 4, column 1: Gateway comes first in its order; expected"),
        ((NEXUS, ADEPT, FORGE, ADEPT), "line 4, column 1: Adept comes after Forge; expected after Nexus, as in line 2"),
        ((NEXUS, ADEPT, 0), "line 3, column 1: unknown symbol 0 where a line was expected"),
        ((NEXUS, LAST_SYMBOL + 1), "line 2, column 1: unknown symbol 31 where a line was expected"),
        ((-1,), "line 1, column 1: unknown symbol -1 where a line was expected"),
    ],
)
def test_an_instruction_built_by_hand_is_checked(instruction: Instruction, message: str) -> None:
    for use in (implied, unparse, lambda lines: pad(lines, 9)):
        with pytest.raises(InstructionError, match=message):
            use(instruction)


def test_padding() -> None:
    array = pad((NEXUS, ADEPT), 4)
    assert array.dtype == np.int8
    assert array.tolist() == [7, 15, 0, 0]


@pytest.mark.parametrize(
    ("symbols", "message"),
    [
        ([7, 15, 0, 7, 15], "^line 3, column 1: padding where a line was expected$"),
        ([0, 7, 15], "^line 1, column 1: padding where a line was expected$"),
        ([7, 31], "^line 2, column 1: unknown symbol 31 where a line was expected$"),
        ([7, -1], "^line 2, column 1: unknown symbol -1 where a line was expected$"),
        ([7, 15, 9, 0], "^line 3, column 1: the instruction ends with Pylon; expected what it trains$"),
        ([0, 0], "^line 1, column 1: no lines at all"),
        ([[7], [15]], r"expected integers of shape \[lines\], got int64 \[2, 1\]"),
        ([7.0, 15.0], r"expected integers of shape \[lines\], got float64 \[2\]"),
        (7, r"expected integers of shape \[lines\], got int64 \[\]"),
    ],
)
def test_nonsense_symbols(symbols: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_symbols(np.array(symbols))
