"""Random instructions: the generative grammar of the paper's appendix, nested to any depth."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int8, Int16, Int32, Key

from cofca.envs.minecraft.params import MinecraftParams
from cofca.envs.minecraft.program import Program, make_program
from cofca.envs.minecraft.symbols import RESOURCES, LineType, Verb
from cofca.utils.prng import below, draw_uniform


class Draws(NamedTuple):
    """The randomness of an instruction, one number of each kind a line."""

    types: Float[Array, " lines"]
    verbs: Int8[Array, " lines"]
    nouns: Int8[Array, " lines"]
    conditions: Int8[Array, " lines"]


def generate(key: Key[Array, ""], length: Int32[Array, ""], params: MinecraftParams) -> Program:
    """An instruction of exactly `length` lines."""
    draws = draw(key, params)
    if params.failing_block is None:
        types, matches = blocks(draws.types, length, params)
    else:
        types, matches = failing_block(draws.types[0] < 0.5, length, params)
    return with_words(types, matches, draws, length)


def with_words(
    types: Int8[Array, " lines"], matches: Int16[Array, " lines"], draws: Draws, length: Int32[Array, ""]
) -> Program:
    """Line types with the verbs, nouns and conditions that were drawn for their lines."""
    is_subtask = types == LineType.SUBTASK
    has_condition = (types == LineType.IF) | (types == LineType.WHILE)
    verbs = jnp.where(is_subtask, draws.verbs, 0)
    nouns = jnp.where(is_subtask, draws.nouns, jnp.where(has_condition, draws.conditions, 0))
    lines = jnp.stack([types, verbs, nouns], axis=-1).astype(jnp.int8)
    return make_program(lines, matches, length.astype(jnp.int16))


def draw(key: Key[Array, ""], params: MinecraftParams) -> Draws:
    """Verbs, nouns and conditions are uniform; `types` decide among the legal line types."""
    codes = jnp.array([condition.code for condition in params.conditions], jnp.int8)
    types, verbs, nouns, conditions = draw_uniform(key, 4 * params.lines).reshape(4, params.lines)
    return Draws(
        types=types,
        verbs=(1 + below(verbs, len(Verb))).astype(jnp.int8),
        nouns=(1 + below(nouns, len(RESOURCES))).astype(jnp.int8),
        conditions=codes[below(conditions, len(codes))],
    )


class Open(NamedTuple):
    """The blocks that are open while an instruction is drawn, innermost last."""

    depth: Int8[Array, ""]
    types: Int8[Array, " max_depth"]
    lines: Int16[Array, " max_depth"]
    """Where the open if, else or while stands."""
    empty: Bool[Array, ""]
    """Whether the innermost body has no line yet."""


def blocks(
    choices: Float[Array, " lines"], length: Int32[Array, ""], params: MinecraftParams
) -> tuple[Int8[Array, " lines"], Int16[Array, " lines"]]:
    """Line types and block matches, drawn line by line, uniformly among the legal types."""

    def step(carry: tuple, at: tuple) -> tuple:
        stack, matches = carry
        line, choice = at
        may = legal(stack, length - line - 1, params.max_depth)
        nth = jnp.minimum((choice * may.sum()).astype(jnp.int32), may.sum() - 1)
        type_ = jnp.argmax(may & (jnp.cumsum(may) == nth + 1)).astype(jnp.int8)
        type_ = jnp.where(line < length, type_, LineType.PADDING).astype(jnp.int8)
        stack, matches = place(stack, matches, type_, line)
        return (stack, matches), type_

    room = max(params.max_depth, 1)
    nothing = Open(jnp.int8(0), jnp.zeros(room, jnp.int8), jnp.zeros(room, jnp.int16), jnp.bool(False))
    places = jnp.arange(params.lines, dtype=jnp.int16)
    drawn: Int8[Array, " lines"]
    (_, matches), drawn = jax.lax.scan(step, (nothing, places), (places, choices))
    return drawn, matches


def legal(stack: Open, left: Int32[Array, ""], max_depth: int | Int32[Array, ""]) -> Bool[Array, "7"]:
    """Which line types may come next when `left` lines remain after it, by code."""
    depth = stack.depth
    inside = stack.types[jnp.maximum(depth - 1, 0)]
    can_close = (depth > 0) & ~stack.empty
    in_if, in_else, in_while = ((inside == t) for t in (LineType.IF, LineType.ELSE, LineType.WHILE))
    # Every open block still needs its closer, a block opened now a body and a closer more.
    opens = (depth < max_depth) & (left >= depth + 2)
    return jnp.stack(
        [
            jnp.bool(False),
            left >= depth,
            opens,
            can_close & in_if & (left >= depth + 1),
            can_close & (in_if | in_else),
            opens,
            can_close & in_while,
        ]
    )


def place(
    stack: Open, matches: Int16[Array, " lines"], type_: Int8[Array, ""], line: Int16[Array, ""]
) -> tuple[Open, Int16[Array, " lines"]]:
    """Put a line of this type at `line`: open or close its block and match the two ends."""
    opens = (type_ == LineType.IF) | (type_ == LineType.WHILE)
    turns = type_ == LineType.ELSE
    closes = (type_ == LineType.ENDIF) | (type_ == LineType.ENDWHILE)
    top = jnp.maximum(stack.depth - 1, 0)
    opener = stack.lines[top]
    places = jnp.arange(matches.shape[0])
    matches = jnp.where((turns | closes) & (places == opener), line, matches)
    matches = jnp.where((type_ == LineType.ENDWHILE) & (places == line), opener, matches)
    written = jnp.arange(stack.types.shape[0]) == jnp.where(opens, stack.depth, top)
    written = written & (opens | turns)
    stack = Open(
        depth=(stack.depth + opens - closes).astype(jnp.int8),
        types=jnp.where(written, type_, stack.types),
        lines=jnp.where(written, line, stack.lines),
        empty=jnp.where(type_ == LineType.PADDING, stack.empty, opens | turns),
    )
    return stack, matches


def failing_block(
    is_if: Bool[Array, ""], length: Int32[Array, ""], params: MinecraftParams
) -> tuple[Int8[Array, " lines"], Int16[Array, " lines"]]:
    """Jump experiment: an if or while over all lines but the last, which is a subtask behind it."""
    places = jnp.arange(params.lines, dtype=jnp.int16)
    end = (length - 2).astype(jnp.int16)
    types = jnp.where(places < length, jnp.int8(LineType.SUBTASK), jnp.int8(LineType.PADDING))
    types = jnp.where(places == 0, jnp.where(is_if, LineType.IF, LineType.WHILE), types)
    types = jnp.where(places == end, jnp.where(is_if, LineType.ENDIF, LineType.ENDWHILE), types)
    matches = jnp.where(places == 0, end, jnp.where((places == end) & ~is_if, 0, places))
    return types.astype(jnp.int8), matches


def count_kinds(program: Program) -> Int32[Array, ""]:
    """How many of the three kinds of control flow occur: if, if-else and while."""
    types = program.lines[:, 0]
    has_else = types[program.matches] == LineType.ELSE
    is_if = types == LineType.IF
    kinds = [(is_if & ~has_else).any(), (is_if & has_else).any(), (types == LineType.WHILE).any()]
    return jnp.stack(kinds).sum(dtype=jnp.int32)


def deepest(program: Program) -> Int32[Array, ""]:
    """How many blocks are open at once, where most are."""
    types = program.lines[:, 0]
    opens = (types == LineType.IF) | (types == LineType.WHILE)
    closes = (types == LineType.ENDIF) | (types == LineType.ENDWHILE)
    return jnp.cumsum(opens.astype(jnp.int32) - closes).max()
