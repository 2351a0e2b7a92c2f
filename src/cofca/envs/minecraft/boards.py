"""Breadth-first waves over the grid as bits: one word a row, three bits a cell, so three waves run at once.

The rows are separate scalars rather than one array, so that under `vmap` each is one long vector; a wave then
costs a few shifts a row instead of a few operations a cell and neighbour.
"""

import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, UInt32

from cofca.utils.loops import repeat

BITS = 3
MAX_WIDTH = 32 // BITS

Waves = tuple[UInt32[Array, ""], ...]
"""One word a row. Bit `BITS * c + w` of row r tells whether wave w covers the cell in row r, column c."""


def pack(flags: Bool[Array, "height width"] | UInt32[Array, "height width"]) -> Waves:
    """Waves from flags: bit w of a cell's number says whether wave w covers the cell."""
    height, width = flags.shape
    words = flags.astype(jnp.uint32) << (BITS * jnp.arange(width, dtype=jnp.uint32))
    rows = words.sum(axis=1, dtype=jnp.uint32)
    return tuple(rows[row] for row in range(height))


def spread(waves: Waves) -> Waves:
    """Each wave one king's move further. Bits beyond the last column are the caller's to mask."""
    wide = [row | row << BITS | row >> BITS for row in waves]
    edge = jnp.uint32(0)
    above, below = [edge, *wide[:-1]], [*wide[1:], edge]
    return tuple(a | b | c for a, b, c in zip(above, wide, below, strict=True))


def at(waves: Waves, cell: Int[Array, "2"]) -> UInt32[Array, ""]:
    """Which waves cover the cell, as bits."""
    word = jnp.uint32(0)
    for number, row in enumerate(waves):
        word |= jnp.where(cell[0] == number, row, 0)
    return (word >> (BITS * cell[1].astype(jnp.uint32))) & (2**BITS - 1)


def advance(start: Waves, passable: Waves, cell: Int[Array, "2"], width: int) -> Waves:
    """Let each wave run over its passable cells until it is at most one move from the cell, or can't go on."""
    every_cell = jnp.uint32(sum(1 << BITS * column for column in range(width)))

    def grow(waves: Waves) -> Waves:
        further = spread(waves)
        running = ~(at(further, cell) * every_cell)
        rows = zip(waves, further, passable, strict=True)
        return tuple(row | next_ & free & running for row, next_, free in rows)

    begin = tuple(row & free for row, free in zip(start, passable, strict=True))
    return repeat(grow, begin, longest_path(len(start), width) - 1)


def longest_path(height: int, width: int) -> int:
    """A bound on the moves of any shortest path.

    Of the four cells of a 2×2 block it can contain only two: with three it could be cut short.
    """
    return 2 * (-(-height // 2)) * (-(-width // 2)) - 1
