"""Sets of cells as bits, one word a row: a breadth-first wave is then a few shifts."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, UInt32

Board = UInt32[Array, "*batch height"]
"""Bit c of word r tells whether the cell in row r, column c is in the set."""


def pack(cells: Bool[Array, "*batch height width"]) -> Board:
    """The set of the true cells."""
    bits = jnp.arange(cells.shape[-1], dtype=jnp.uint32)
    return (cells.astype(jnp.uint32) << bits).sum(axis=-1, dtype=jnp.uint32)


def single(cell: Int[Array, "2"], height: int) -> UInt32[Array, " height"]:
    """The set of one cell."""
    row = jnp.arange(height) == cell[0]
    return row.astype(jnp.uint32) << cell[1].astype(jnp.uint32)


def spread(board: Board) -> Board:
    """The cells at most one king's move away. Bits beyond the last column are the caller's to mask."""
    wide = board | board << 1 | board >> 1
    edge = jnp.zeros_like(wide[..., :1])
    above = jnp.concatenate([wide[..., 1:], edge], axis=-1)
    below = jnp.concatenate([edge, wide[..., :-1]], axis=-1)
    return wide | above | below


def flood(start: Board, passable: Board) -> Board:
    """All cells that can be reached from `start` over passable cells."""

    def grow(carry: tuple[Board, Board]) -> tuple[Board, Board]:
        _, reached = carry
        return reached, spread(reached) & passable

    def growing(carry: tuple[Board, Board]) -> Bool[Array, ""]:
        before, reached = carry
        return (before != reached).any()

    _, reached = jax.lax.while_loop(growing, grow, (jnp.zeros_like(start), start))
    return reached
