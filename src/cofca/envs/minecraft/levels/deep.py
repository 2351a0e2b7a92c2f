"""Sketches of instructions whose execution goes deep: blocks around one that is nested just so deep."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int8, Int16, Int32, Key

from cofca.envs.minecraft.levels import grammar
from cofca.envs.minecraft.levels.grammar import Open, legal, place
from cofca.envs.minecraft.params import FEWEST_SUBTASKS, MAX_EXECUTED_DEPTH, MinecraftParams
from cofca.envs.minecraft.program import Program
from cofca.envs.minecraft.symbols import CONDITIONS, FIRST_CONDITION, LineType
from cofca.utils.prng import below, draw_uniform

ANY, FALSE, TRUE = -1, 0, 1
"""What a condition must be when it is first asked."""

Vocabulary = Bool[Array, "12"]
"""Which of `CONDITIONS` if and while lines may have."""


class Demands(NamedTuple):
    """What levels are to be like. Traced: other demands need no other program."""

    lengths: Int32[Array, "2"]
    """Of the shortest and the longest instruction."""
    depth: Int32[Array, ""]
    """How deep execution goes, where it is asked for."""
    vocabulary: Vocabulary
    """Used where execution goes deep."""


def demands_of(params: MinecraftParams) -> Demands:
    """What these parameters ask for."""
    # Made by NumPy: nothing has to be compiled for it.
    vocabulary = np.array([condition in params.conditions for condition in CONDITIONS])
    lengths, depth = np.array([params.shortest, params.longest], np.int32), np.int32(params.executed_depth)
    return Demands(*map(jax.device_put, (lengths, depth, vocabulary)))


class Sketch(NamedTuple):
    """An instruction whose verbs, nouns and conditions may still change where they can't be carried out."""

    program: Program
    truths: Int8[Array, " lines"]
    """`ANY`, `FALSE` or `TRUE`: what the conditions must be so that execution goes where it should."""
    vocabulary: Vocabulary
    spare: Float[Array, " lines"]
    """Uniform in [0, 1): decides what takes the place of a line that can't be carried out."""


class Span(NamedTuple):
    """The lines of the deep block, from its opener to its closer."""

    first: Int32[Array, ""]
    last: Int32[Array, ""]


def length_and_side(key: Key[Array, ""], demands: Demands) -> tuple[Int32[Array, ""], Bool[Array, ""]]:
    """What every try of a key has in common: its length, and whether a jump crosses the deep block."""
    low, high = demands.lengths
    size, side = draw_uniform(jax.random.fold_in(key, 0), 2)
    return low + below(size, high - low + 1), side < 0.5


def sketch(
    key: Key[Array, ""],
    length: Int32[Array, ""],
    crosses: Bool[Array, ""],
    demands: Demands,
    params: MinecraftParams,
) -> Sketch:
    """An instruction with a block nested as deep as demanded, which a jump `crosses` or execution goes into."""
    words_key, shape_key = jax.random.split(key)
    words = grammar.draw(words_key, params)
    uniform = draw_uniform(shape_key, 2 + 3 * params.lines)
    size, start = uniform[:2]
    caps, conditions, spare = uniform[2:].reshape(3, params.lines)
    words = words._replace(conditions=draw_conditions(conditions, demands.vocabulary))
    # The rest is what is executed when the block is jumped over.
    shortest = 2 * demands.depth + 1
    lines = shortest + below(size, length - FEWEST_SUBTASKS - shortest + 1)
    first = below(start, length - lines + 1)
    caps = 1 + below(caps, demands.depth)
    shape = blocks(words.types, caps, length, demands.depth, Span(first, first + lines - 1))
    program = grammar.with_words(shape.types, shape.matches, words, length)
    return Sketch(program, wanted_truths(shape, crosses), demands.vocabulary, spare)


def draw_conditions(uniform: Float[Array, " lines"], vocabulary: Vocabulary) -> Int8[Array, " lines"]:
    """Codes of conditions, uniform in the vocabulary."""
    # Those of the vocabulary come first in this order.
    order = jnp.argsort(~vocabulary, stable=True)
    return (FIRST_CONDITION + order[below(uniform, vocabulary.sum())]).astype(jnp.int8)


class Shape(NamedTuple):
    """Line types, matches, and the way down."""

    types: Int8[Array, " lines"]
    matches: Int16[Array, " lines"]
    way: Int16[Array, " depth"]
    """The if, else and while lines that are open where the block is first as deep as it should be; -1 beyond them."""


def blocks(
    choices: Float[Array, " lines"],
    caps: Int32[Array, " lines"],
    length: Int32[Array, ""],
    depth: Int32[Array, ""],
    span: Span,
) -> Shape:
    """Line types drawn line by line, uniformly among the legal ones, with a block nested `depth` deep in the span.

    A block may be opened on a line if fewer are open than the line's cap: instructions then have blocks of all depths
    rather than a few deep ones that take up most of the lines.
    """

    def step(carry: tuple, at: tuple) -> tuple:
        stack, matches, way = carry
        line, choice, cap = at
        sought = (line >= span.first) & (way[0] < 0)
        may = _legal(stack, line, jnp.where(sought, depth, cap), length, span)
        may &= ~sought | still_deep_enough(stack, span.last - line, depth)
        nth = jnp.minimum((choice * may.sum()).astype(jnp.int32), may.sum() - 1)
        type_ = jnp.argmax(may & (jnp.cumsum(may) == nth + 1)).astype(jnp.int8)
        type_ = jnp.where(line < length, type_, LineType.PADDING).astype(jnp.int8)
        stack, matches = place(stack, matches, type_, line)
        arrived = sought & (stack.depth == depth)
        way = jnp.where(arrived & (jnp.arange(way.shape[0]) < depth), stack.lines, way)
        return (stack, matches, way), type_

    places = jnp.arange(choices.shape[0], dtype=jnp.int16)
    nowhere = jnp.full(MAX_EXECUTED_DEPTH, -1, jnp.int16)
    nothing = Open(jnp.int8(0), jnp.zeros(MAX_EXECUTED_DEPTH, jnp.int8), jnp.zeros_like(nowhere), jnp.bool(False))
    drawn: Int8[Array, " lines"]
    (_, matches, way), drawn = jax.lax.scan(step, (nothing, places, nowhere), (places, choices, caps))
    return Shape(drawn, matches, way)


def _legal(
    stack: Open, line: Int16[Array, ""], cap: Int32[Array, ""], length: Int32[Array, ""], span: Span
) -> Bool[Array, "7"]:
    """What may come next where blocks end before the span begins, and the span is one block."""
    within = (line >= span.first) & (line <= span.last)
    stop = jnp.where(line < span.first, span.first, jnp.where(within, span.last + 1, length))
    may = legal(stack, stop - line - 1, cap)
    codes = jnp.arange(len(LineType))
    opens = (codes == LineType.IF) | (codes == LineType.WHILE)
    closes = (codes == LineType.ENDIF) | (codes == LineType.ENDWHILE)
    may &= (line != span.first) | opens
    return may & ~(closes & within & (stack.depth == 1) & (line < span.last))


def still_deep_enough(stack: Open, left: Int32[Array, ""], depth: Int32[Array, ""]) -> Bool[Array, "7"]:
    """After which line types the `left` lines of the block suffice to open the missing blocks and to close them all."""
    codes = jnp.arange(len(LineType))
    opens = (codes == LineType.IF) | (codes == LineType.WHILE)
    closes = (codes == LineType.ENDIF) | (codes == LineType.ENDWHILE)
    missing = depth - (stack.depth + opens - closes)
    return left >= missing + 1 + depth


def wanted_truths(shape: Shape, crosses: Bool[Array, ""]) -> Int8[Array, " lines"]:
    """The conditions on the way down let execution in; where a jump crosses the block, the first keeps it out."""
    places = jnp.arange(shape.types.shape[0])
    on_way = (places[:, None] == shape.way).any(axis=1)
    is_if = shape.types == LineType.IF
    by_else = is_if & (shape.types[shape.matches] == LineType.ELSE) & on_way[shape.matches]
    outermost = places == shape.way[0]
    outermost |= by_else & outermost[shape.matches]
    asks = is_if | (shape.types == LineType.WHILE)
    inwards = jnp.where(by_else, FALSE, TRUE)
    wanted = jnp.where(crosses, asks & outermost, asks & (on_way | by_else))
    return jnp.where(wanted, jnp.where(crosses, 1 - inwards, inwards), ANY).astype(jnp.int8)
