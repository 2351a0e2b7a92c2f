r"""The Scan mechanism: where to move the pointer, by flipping a coin at one line after another.

From line p the lines are visited in the order p+1, p-1, p+2, p-2, ... and at each a coin is flipped that shows heads
with the probability :math:`\sigma(B_k)`, which depends on that line and not on how far away it is. The pointer moves to
the first heads:

.. math:: P_k = \sigma(B_k) \prod_{l \text{ before } k} (1 - \sigma(B_l))

Lines that do not exist are not visited, and the last one that does takes what probability is left.
"""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

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
    logits = _interleave(forward, backward).astype(jnp.float32)
    exists = _interleave((pointer + distance < length)[:, None], (pointer - distance >= 0)[:, None])
    last = jnp.max(jnp.where(exists[:, 0], jnp.arange(exists.shape[0]), -1))
    is_last = (jnp.arange(exists.shape[0]) == last)[:, None]
    heads = jnp.where(is_last, 0.0, jax.nn.log_sigmoid(logits))
    tails = jnp.where(exists, jax.nn.log_sigmoid(-logits), 0.0)
    before = jnp.cumsum(tails, axis=0) - tails
    visited = jnp.where(exists, heads + before, IMPOSSIBLE)
    return _by_line(visited, pointer)


def _interleave(forward: Array, backward: Array) -> Array:
    """+1, -1, +2, -2, ..."""
    return jnp.stack([forward, backward], axis=1).reshape(-1, forward.shape[-1])


def _by_line(visited: Float[Array, "visits columns"], pointer: Int[Array, ""]) -> Float[Array, "lines columns"]:
    """From the order of visits to the order of lines; to the pointer's own line only if there is no other."""
    lines = visited.shape[0] // 2 + 1
    moves = jnp.arange(lines) - pointer
    place = jnp.where(moves > 0, 2 * moves - 2, -2 * moves - 1)
    stays = jnp.where((visited <= IMPOSSIBLE).all(axis=0), 0.0, IMPOSSIBLE)
    moved = visited[jnp.clip(place, 0, visited.shape[0] - 1)]
    return jnp.where((moves == 0)[:, None], stays, moved)
