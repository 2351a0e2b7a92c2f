"""An instruction as a program that a compiled function can follow, and the walk of its counter."""

from enum import IntEnum
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int8, Int16, UInt32

from cofca.envs.minecraft.symbols import CONDITIONS, COUNTED, FIRST_CONDITION, LineType
from cofca.utils.loops import fold


class Program(NamedTuple):
    """An instruction with its blocks matched. Lines from `length` on are padding."""

    lines: Int8[Array, "lines 3"]
    matches: Int16[Array, " lines"]
    """if: its else or endif; else: its endif; while: its endwhile; endwhile: its while; others: themselves."""
    conditions: Int8[Array, " lines"]
    """Number of the condition that an if, a while or (its while's) an endwhile asks; 0 elsewhere."""
    length: Int16[Array, ""]


class Transition(IntEnum):
    """What a walk of the program counter can contain; results are split by these."""

    NEXT_LINE = 0
    IF_ENTERED = 1
    IF_SKIPPED = 2
    ELSE_ENTERED = 3
    ELSE_SKIPPED = 4
    WHILE_ENTERED = 5
    WHILE_SKIPPED = 6
    LOOP_BACK = 7
    CHAIN = 8


CHAIN_LENGTH = 3
"""A walk over at least this many control lines is a chain."""

JUMPS = (LineType.IF, LineType.ELSE, LineType.WHILE, LineType.ENDWHILE)

Counts = Int8[Array, "4"]
"""Numbers of iron, gold, wood and merchants in the environment."""

Truths = UInt32[Array, ""]
"""Bit i tells whether `CONDITIONS[i]` holds."""


COUNTED_KINDS = tuple(kind for kind in Transition if kind not in (Transition.NEXT_LINE, Transition.CHAIN))
"""The kinds that single lines bring; the other two are a matter of the whole walk."""

MET = 0
"""Takes the place of `NEXT_LINE` in a tally: how many control lines were met."""

FIELD_BITS, FIELDS_PER_WORD = 10, 3
TALLY_WORDS = -(-(len(COUNTED_KINDS) + 1) // FIELDS_PER_WORD)
MAX_LINES = 400
"""An endless walk is noticed after meeting two and a half times as many lines: a field must hold that number."""

Tally = tuple[UInt32[Array, ""], ...]
"""Counts of a walk, three to a word: a pass over the lines is several times faster than with one array for each."""


def add(tally: Tally, numbers: dict[int, Array]) -> Tally:
    """Count on; the keys are `MET` and `COUNTED_KINDS`."""
    words = list(tally)
    for kind, number in numbers.items():
        word, field = divmod(kind, FIELDS_PER_WORD)
        words[word] += number.astype(jnp.uint32) << (FIELD_BITS * field)
    return tuple(words)


def read(tally: Tally, kind: int) -> UInt32[Array, ""]:
    """One of the counts."""
    word, field = divmod(kind, FIELDS_PER_WORD)
    return (tally[word] >> (FIELD_BITS * field)) & (2**FIELD_BITS - 1)


class Walk(NamedTuple):
    """A walk of the program counter to the next subtask."""

    line: Int16[Array, ""]
    """Where it stopped; the program's length if the program is done."""
    transitions: Int16[Array, "9"]
    endless: Bool[Array, ""]
    """Nested blocks whose loop contains no subtask at these counts."""


def count(cells: Int8[Array, "height width"]) -> Counts:
    """Count what conditions compare."""
    return jnp.stack([(cells == thing).sum(dtype=jnp.int8) for thing in COUNTED])


def evaluate(counts: Counts) -> Truths:
    """Evaluate every condition at once."""
    holds = [counts[more - 1] > counts[than - 1] for more, than in CONDITIONS]
    bits = [bit.astype(jnp.uint32) << i for i, bit in enumerate(holds)]
    return sum(bits[1:], start=bits[0])


def make_program(lines: Int8[Array, "lines 3"], matches: Int16[Array, " lines"], length: Int16[Array, ""]) -> Program:
    """A program from its lines and their matches."""
    asked = jnp.where(lines[:, 0] == LineType.ENDWHILE, lines[matches, 2], lines[:, 2])
    return Program(lines, matches, jnp.maximum(asked - FIRST_CONDITION, 0).astype(jnp.int8), length)


def holds(truths: Truths, condition: Int8[Array, ""]) -> Bool[Array, ""]:
    """Whether the condition of this number holds."""
    return (truths >> condition.astype(jnp.uint32)) & 1 == 1


def walk(
    program: Program, start: Int16[Array, ""], counts: Counts, needed: Bool[Array, ""], first: bool = False
) -> Walk:
    """Walk from `start` to the first subtask, if a walk is `needed`; `first` at the start of an episode.

    The lines are passed in order, and each acts if the counter stands on it. One pass is enough unless the
    counter goes back to the head of a loop whose body begins with another block.
    """
    truths = evaluate(counts)
    numbers = jnp.arange(program.lines.shape[0], dtype=jnp.int16)
    columns = numbers, program.lines[:, 0], program.matches, program.conditions

    def unfinished(carry: tuple[Int16[Array, ""], Tally]) -> Bool[Array, ""]:
        # No line can be met twice in a walk that ends, so more lines met than there are tells an endless one.
        line, tally = carry
        on_control_line = (program.lines[line, 0] > LineType.SUBTASK) & (line < program.length)
        return needed & on_control_line & (read(tally, MET) <= program.length)

    def one_pass(carry: tuple[Int16[Array, ""], Tally]) -> tuple[Int16[Array, ""], Tally]:
        return fold(partial(_visit, truths, needed), carry, columns)

    begin = start, (jnp.uint32(0),) * TALLY_WORDS
    line, tally = jax.lax.while_loop(unfinished, one_pass, one_pass(begin))
    met = read(tally, MET)
    endless = met > program.length
    is_next = (met == 0) & (line < program.length) & needed & (not first)
    counted = [is_next, *(read(tally, kind) for kind in COUNTED_KINDS), met >= CHAIN_LENGTH]
    transitions = jnp.stack([number.astype(jnp.int16) for number in counted])
    return Walk(line, jnp.where(endless, 0, transitions).astype(jnp.int16), endless)


def _visit(
    truths: Truths, needed: Bool[Array, ""], carry: tuple[Int16[Array, ""], Tally], column: tuple[Array, ...]
) -> tuple[Int16[Array, ""], Tally]:
    """Pass one line: if the counter stands on it and it is a control line, follow it."""
    line, tally = carry
    number, type_, match, condition = column
    here = needed & (line == number)
    true = holds(truths, condition)
    is_if, is_else, is_while, is_endwhile = (here & (type_ == t) for t in JUMPS)
    moves = here & (type_ > LineType.SUBTASK)
    skips = (is_if | is_while) & ~true | is_else
    after = jnp.where(skips | is_endwhile & true, match, number) + 1
    tally = add(
        tally,
        {
            Transition.IF_ENTERED: is_if & true,
            Transition.IF_SKIPPED: is_if & ~true,
            # Who is about to stand behind an else has just jumped over the body of its if.
            Transition.ELSE_ENTERED: needed & (type_ == LineType.ELSE) & (line == number + 1),
            Transition.ELSE_SKIPPED: is_else,
            Transition.WHILE_ENTERED: (is_while | is_endwhile) & true,
            Transition.WHILE_SKIPPED: (is_while | is_endwhile) & ~true,
            Transition.LOOP_BACK: is_endwhile,
            # An endwhile leads to its while, which is met too.
            MET: moves.astype(jnp.uint32) + is_endwhile,
        },
    )
    return jnp.where(moves, after, line).astype(jnp.int16), tally
