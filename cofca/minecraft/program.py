"""An instruction as a program that a compiled function can follow, and the walk of its counter."""

from enum import IntEnum
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, Int8, Int16, UInt32

from cofca.minecraft.symbols import CONDITIONS, COUNTED, FIRST_CONDITION, LineType


class Program(NamedTuple):
    """An instruction with its blocks matched. Lines from `length` on are padding."""

    lines: Int8[Array, "lines 3"]
    matches: Int16[Array, " lines"]
    """if: its else or endif; else: its endif; while: its endwhile; endwhile: its while; others: themselves."""
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

Counts = Int8[Array, "4"]
"""Numbers of iron, gold, wood and merchants in the environment."""

Truths = UInt32[Array, ""]
"""Bit i tells whether `CONDITIONS[i]` holds."""


class Hop(NamedTuple):
    """One move of the program counter over a control line."""

    line: Int[Array, ""]
    kinds: Bool[Array, "9"]
    entered: Bool[Array, ""]
    """The line is an if or while and its condition holds."""


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


def hop(program: Program, line: Int[Array, ""], truths: Truths) -> Hop:
    """Follow one control line. On a subtask line the result is the next line, with no kinds."""
    type_ = program.lines[line, 0]
    condition = jnp.maximum(program.lines[line, 2] - FIRST_CONDITION, 0).astype(jnp.uint32)
    match = program.matches[line]
    true = (truths >> condition) & 1 == 1
    is_if, is_else = type_ == LineType.IF, type_ == LineType.ELSE
    is_while, is_endwhile = type_ == LineType.WHILE, type_ == LineType.ENDWHILE
    skips = (is_if | is_while) & ~true | is_else
    after = jnp.where(skips, match + 1, jnp.where(is_endwhile, match, line + 1))
    has_else = program.lines[match, 0] == LineType.ELSE
    kind = jnp.select(
        [is_if & true, is_if, is_else, is_while & true, is_while, is_endwhile],
        [
            Transition.IF_ENTERED,
            Transition.IF_SKIPPED,
            Transition.ELSE_SKIPPED,
            Transition.WHILE_ENTERED,
            Transition.WHILE_SKIPPED,
            Transition.LOOP_BACK,
        ],
        default=len(Transition),
    )
    every = jnp.arange(len(Transition))
    flags = (every == kind) | (every == Transition.ELSE_ENTERED) & is_if & ~true & has_else
    return Hop(after.astype(line.dtype), flags, (is_if | is_while) & true)


def walk(
    program: Program, start: Int16[Array, ""], counts: Counts, needed: Bool[Array, ""], first: bool = False
) -> Walk:
    """Walk from `start` to the first subtask, if a walk is `needed`; `first` at the start of an episode."""
    truths = evaluate(counts)
    none = jnp.zeros(len(Transition), jnp.int16)

    def on_control_line(line: Int16[Array, ""], met: Int16[Array, ""]) -> Bool[Array, ""]:
        # No line can be met twice in a walk that ends, so `met` tells endless walks.
        at_subtask = program.lines[line, 0] == LineType.SUBTASK
        return needed & (line < program.length) & ~at_subtask & (met <= program.length)

    def body(carry: tuple) -> tuple:
        line, met, transitions = carry
        moving = on_control_line(line, met)
        after, kinds, _ = hop(program, line, truths)
        return (
            jnp.where(moving, after, line),
            met + moving,
            transitions + (moving & kinds),
        )

    def cond(carry: tuple) -> Bool[Array, ""]:
        line, met, _ = carry
        return on_control_line(line, met)

    line, met, transitions = jax.lax.while_loop(cond, body, (start, jnp.int16(0), none))
    endless = met > program.length
    is_next = (met == 0) & (line < program.length) & needed & (not first)
    transitions = transitions.at[Transition.NEXT_LINE].set(is_next.astype(jnp.int16))
    transitions = transitions.at[Transition.CHAIN].set((met >= CHAIN_LENGTH).astype(jnp.int16))
    return Walk(line, jnp.where(endless, none, transitions), endless)
