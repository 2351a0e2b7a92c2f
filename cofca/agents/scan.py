r"""The Scan mechanism: where to move the pointer, by flipping a coin at one line after another.

From line p the lines are visited in the order p+1, p-1, p+2, p-2, ... and at each a coin is flipped that shows heads
with the probability :math:`\sigma(B_k)`, which depends on that line and not on how far away it is. The pointer moves to
the first heads:

.. math:: P_k = \sigma(B_k) \prod_{l \text{ before } k} (1 - \sigma(B_l))

Lines that do not exist are not visited, and the last one that does takes what probability is left.
"""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

IMPOSSIBLE = -1e9
"""The logarithm of no probability at all; finite, so that gradients stay numbers."""


def scan(
    forward: Float[Array, "distances columns"],
    backward: Float[Array, "distances columns"],
    pointer: Int[Array, ""],
    length: Int[Array, ""],
) -> Float[Array, "lines columns"]:
    """The logarithms of P, a distribution over all lines in each column.

    `forward[d - 1]` and `backward[d - 1]` are the logits B of the lines p + d and p - d, one distance less than lines.
    Where there is nowhere to go the pointer stays.
    """
    if not forward.shape[0]:
        return jnp.zeros((1, forward.shape[1]))
    distance = jnp.arange(1, forward.shape[0] + 1)
    logits = _interleave(forward, backward)
    exists = _interleave((pointer + distance < length)[:, None], (pointer - distance >= 0)[:, None])
    moves = jnp.arange(distance.size + 1) - pointer
    turn = jnp.where(moves > 0, 2 * moves - 2, -2 * moves - 1)
    return _by_line(_flipped(logits, exists), turn, ~exists.any())


def scan_one_way(
    logits: Float[Array, "distances columns"], pointer: Int[Array, ""], length: Int[Array, ""], step: int
) -> Float[Array, "lines columns"]:
    """The same in one direction: p + step, p + 2 step, ..., where a step is 1 or -1. No line behind is turned down."""
    if not logits.shape[0]:
        return jnp.zeros((1, logits.shape[1]))
    distance = jnp.arange(1, logits.shape[0] + 1)
    place = pointer + step * distance
    exists = ((place >= 0) & (place < length))[:, None]
    moves = step * (jnp.arange(distance.size + 1) - pointer)
    return _by_line(_flipped(logits, exists), moves - 1, ~exists.any())


def _flipped(logits: Float[Array, "visits columns"], exists: Bool[Array, "visits 1"]) -> Float[Array, "visits columns"]:
    """The logarithm of the probability that each line, in the order of visits, is the first to show heads."""
    logits = logits.astype(jnp.float32)
    last = jnp.max(jnp.where(exists[:, 0], jnp.arange(exists.shape[0]), -1))
    is_last = (jnp.arange(exists.shape[0]) == last)[:, None]
    heads = jnp.where(is_last, 0.0, jax.nn.log_sigmoid(logits))
    tails = jnp.where(exists, jax.nn.log_sigmoid(-logits), 0.0)
    before = jnp.cumsum(tails, axis=0) - tails
    return jnp.where(exists, heads + before, IMPOSSIBLE)


def _interleave(forward: Array, backward: Array) -> Array:
    """+1, -1, +2, -2, ..."""
    return jnp.stack([forward, backward], axis=1).reshape(-1, forward.shape[-1])


def _by_line(
    visited: Float[Array, "visits columns"], turn: Int[Array, " lines"], stays: Bool[Array, ""]
) -> Float[Array, "lines columns"]:
    """From the order of visits to the order of lines; to the pointer's own line only if it stays.

    `turn` says when a line is visited, from 0; it is -1 at the pointer's own line and less where there is no visit.
    """
    moved = jnp.where((turn < 0)[:, None], IMPOSSIBLE, visited[jnp.clip(turn, 0, visited.shape[0] - 1)])
    return jnp.where((turn == -1)[:, None] & stays, 0.0, moved)
