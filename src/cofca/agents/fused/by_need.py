"""A GRU over the lines of many instructions on a CPU: none is read much further than it goes.

From the pointer an instruction has so many lines ahead and so many behind, together a third of what two GRUs read if
all are padded. So instructions are sorted by how many they have, and a block of them is read as far as its longest.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from cofca.utils.loops import largest, repeat_up_to

BLOCK = 640
"""Instructions at a time, at most: with fewer there is less for a second core to do, with more they are less alike."""
BLOCKS = 4
"""So many at least."""

Hidden = Float[Array, "each size"]
Outputs = Float[Array, "each outputs"]
Step = Callable[[Any, Hidden, Any, Int[Array, "each symbols"], Bool[Array, ""]], tuple[Hidden, Outputs]]
"""From weights, states, what is known of each instruction, a line of each, and whether it is the first."""


def read_by_need(
    step: Step, size: int, weights: Any, known: Any, lines: Int[Array, "lines rows symbols"], need: Int[Array, " rows"]
) -> Float[Array, "lines rows outputs"]:
    """The outputs at the first lines of each instruction, as many as it needs; beyond them they mean nothing."""
    rows = need.size
    blocks = max(math.ceil(rows / BLOCK), min(rows, BLOCKS))
    each = math.ceil(rows / blocks)
    order = jnp.argsort(need)
    place = jnp.argsort(order)

    def split(leaf: Array) -> Array:
        padded = jnp.pad(_moved(leaf, order, place), [(0, blocks * each - rows)] + [(0, 0)] * (leaf.ndim - 1))
        return padded.reshape(blocks, each, *leaf.shape[1:])

    by_block = split(lines.swapaxes(0, 1)).swapaxes(1, 2)
    outputs = _read(step, size, weights, jax.tree.map(split, known), by_block, largest(split(need).max(axis=1)))
    flat = outputs.swapaxes(1, 2).reshape(blocks * each, *outputs.shape[1::2])[:rows]
    return _moved(flat, place, order).swapaxes(0, 1)


@jax.custom_vjp
def _moved(leaf: Array, order: Int[Array, " rows"], place: Int[Array, " rows"]) -> Array:
    """Rows in another order; for their gradient they are put back, not scattered."""
    return leaf[order]


_moved.defvjp(lambda leaf, order, place: (leaf[order], place), lambda place, change: (change[place], None, None))


@partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def _read(step: Step, size: int, weights: Any, known: Any, lines: Array, counts: Int[Array, " blocks"]) -> Array:
    return _forward(step, size, weights, known, lines, counts)[0]


def _forward(step: Step, size: int, weights: Any, known: Any, lines: Array, counts: Array) -> tuple[Array, Any]:
    """The outputs, and what the way back needs: the states."""
    start = jnp.zeros((lines.shape[2], size), jax.tree.leaves(known)[0].dtype)
    output = jax.eval_shape(partial(step, weights), start, *_at((known, lines[0]), 0), True)[1]

    def read_block(block: Array, found: tuple[Array, Array]) -> tuple[Array, Array]:
        here, its_lines = _at((known, lines), block)

        def read_line(line: Array, carry: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
            hidden, states, outputs = carry
            hidden, output = step(weights, hidden, here, _at(its_lines, line), line == 0)
            return hidden, _put(states, hidden, block, line), _put(outputs, output, block, line)

        return repeat_up_to(lines.shape[1], counts[block], read_line, (start, *found))[1:]

    places = lines.shape[:2]
    nothing = jnp.zeros((*places, *start.shape), start.dtype), jnp.zeros((*places, *output.shape), output.dtype)
    states, outputs = jax.lax.fori_loop(0, len(counts), read_block, nothing)
    return outputs, (weights, known, lines, counts, states)


def _backward(step: Step, size: int, saved: Any, change: Array) -> tuple[Any, Any, None, None]:
    del size
    weights, known, lines, counts, states = saved

    def read_block(block: Array, carry: tuple[Any, Any]) -> tuple[Any, Any]:
        of_weights, of_known = carry
        here, its_lines, its_states, its_change = _at((known, lines, states, change), block)

        def back_a_line(done: Array, carry: tuple[Any, Array, Any]) -> tuple[Any, Array, Any]:
            line = counts[block] - 1 - done
            before = jnp.where(line > 0, _at(its_states, jnp.maximum(line - 1, 0)), 0)
            symbols, first = _at(its_lines, line), line == 0
            back = jax.vjp(lambda *of: step(of[0], of[1], of[2], symbols, first), weights, before, here)[1]
            of_weights, of_hidden, of_here = back((carry[1], _at(its_change, line)))
            return jax.tree.map(jnp.add, carry[0], of_weights), of_hidden, jax.tree.map(jnp.add, carry[2], of_here)

        nothing = jax.tree.map(jnp.zeros_like, (its_states[0], here))
        of_weights, _, of_here = repeat_up_to(lines.shape[1], counts[block], back_a_line, (of_weights, *nothing))
        return of_weights, jax.tree.map(lambda all, one: _put(all, one, block), of_known, of_here)

    nothing = jax.tree.map(jnp.zeros_like, (weights, known))
    return *jax.lax.fori_loop(0, len(counts), read_block, nothing), None, None


_read.defvjp(_forward, _backward)


def _at(tree: Any, place: Array | int) -> Any:
    return jax.tree.map(lambda leaf: jax.lax.dynamic_index_in_dim(leaf, place, keepdims=False), tree)


def _put(all: Array, one: Array, *place: Array) -> Array:
    return jax.lax.dynamic_update_slice(all, one.reshape((1,) * len(place) + one.shape), [*place, *[0] * one.ndim])
