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
Sided = Float[Array, "distances columns"]
"""Something of the lines on one side of the pointer, the nearest first."""


def scan(
    forward: Sided, backward: Sided, pointer: Int[Array, ""], length: Int[Array, ""]
) -> Float[Array, "lines columns"]:
    """The logarithms of P, a distribution over all lines in each column.

    `forward[d - 1]` and `backward[d - 1]` are the logits B of the lines p + d and p - d, one distance less than lines.
    Where there is nowhere to go the pointer stays.
    """
    if not forward.shape[0]:
        return jnp.zeros((1, forward.shape[1]))
    ahead, behind = length - 1 - pointer, pointer
    heads, tails = coins(forward, ahead, ahead > behind)
    heads_behind, tails_behind = coins(backward, behind, behind >= ahead)
    # Before p + d all lines are visited that are nearer than d; before p - d, p + d as well.
    nearer = before(tails + tails_behind)
    return by_line(heads + nearer, heads_behind + nearer + tails, pointer, length == 1)


def coins(logits: Sided, there: Int[Array, ""], has_last: Bool[Array, ""]) -> tuple[Sided, Sided]:
    """The logarithms of heads and tails on a side with so many lines, which may have the last line of all."""
    logits = logits.astype(jnp.float32)
    distance = jnp.arange(1, logits.shape[0] + 1)[:, None]
    heads = jnp.where((distance == there) & has_last, 0.0, jax.nn.log_sigmoid(logits))
    exists = distance <= there
    return jnp.where(exists, heads, IMPOSSIBLE), jnp.where(exists, jax.nn.log_sigmoid(-logits), 0.0)


def before(tails: Sided) -> Sided:
    """At each distance the sum over those that are less."""
    return jnp.cumsum(jnp.pad(tails[:-1], ((1, 0), (0, 0))), axis=0)


def by_line(
    ahead: Sided, behind: Sided, pointer: Int[Array, ""], stays: Bool[Array, ""]
) -> Float[Array, "lines columns"]:
    """From distances to lines; to the pointer's own line only if it stays."""
    own = jnp.broadcast_to(jnp.where(stays, 0.0, IMPOSSIBLE), (1, ahead.shape[1]))
    around = jnp.concatenate([behind[::-1], own, ahead])
    return jax.lax.dynamic_slice_in_dim(around, behind.shape[0] - pointer, ahead.shape[0] + 1)
