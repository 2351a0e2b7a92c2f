"""The programs written by hand: as many and as varied as they should be, and each can be carried out."""

import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from cofca.envs.minecraft import CONDITIONS, ImpossibleLevelError, Instruction, LineType, parse
from cofca.envs.minecraft.language.instruction import depths
from cofca.envs.minecraft.symbols import Condition

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
from helpers.handwritten import PARAMS, Handwritten, level_of, read_programs

PROGRAMS = read_programs()
PARSED = [parse(program.text, max_lines=PARAMS.lines) for program in PROGRAMS]


def conditions(instruction: Instruction) -> set[Condition]:
    return {line.condition for line in instruction if line.type in (LineType.IF, LineType.WHILE)}


def has_loop_in_loop(instruction: Instruction) -> bool:
    opened = 0
    for line in instruction:
        opened += (line.type == LineType.WHILE) - (line.type == LineType.ENDWHILE)
        if opened > 1:
            return True
    return False


def chained_elses(instruction: Instruction) -> int:
    """How many else lines have an if right behind them."""
    return sum(one.type == LineType.ELSE and other.type == LineType.IF for one, other in pairwise(instruction))


def test_there_are_two_hundred_and_no_two_are_the_same():
    assert len(PROGRAMS) == len({program.title for program in PROGRAMS}) == len(set(PARSED)) == 200
    assert all(3 <= len(instruction) <= 60 for instruction in PARSED)


def test_every_condition_is_in_at_least_ten():
    number = Counter(condition for instruction in PARSED for condition in conditions(instruction))
    assert all(number[condition] >= 10 for condition in CONDITIONS)


def test_they_are_varied():
    assert sum(max(depths(instruction)) >= 3 for instruction in PARSED) >= 60
    assert sum(map(has_loop_in_loop, PARSED)) >= 20
    assert sum(chained_elses(instruction) >= 2 for instruction in PARSED) >= 15
    drawn = [program.drawing for program in PROGRAMS if program.drawing]
    assert len(drawn) >= 20
    assert all(sum(letter in "igwm" for letter in drawing) <= 10 for drawing in drawn)


@pytest.mark.parametrize("program", PROGRAMS[::25] + PROGRAMS[141:143], ids=lambda program: program.title)
def test_the_oracle_carries_them_out(program: Handwritten):
    level = level_of(program)
    assert int(level.program.length) == len(parse(program.text))


def test_a_program_that_can_t_be_carried_out_is_refused():
    drawn = next(program for program in PROGRAMS if program.drawing)
    with pytest.raises(ImpossibleLevelError, match="wood on the map"):
        level_of(drawn._replace(text="mine wood"))
