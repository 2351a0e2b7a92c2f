r"""First return: where the block that a line opens is closed again, or where the one that it closes was opened.

Line k closes :math:`a_k` blocks, then opens :math:`b_k`. Between the two this many are open:

.. math:: L_k = \sum_{j < k} (b_j - a_j) - a_k

The return of line p is the nearest line that is no deeper than p. Depths may be fractions, so a coin decides: it is
flipped at one line after another, and shows heads with probability

.. math:: \sigma(K (1/2 - d_k)), \quad d_k = L_k - L_p

Ahead, the pointer lands behind the first heads; the coin of p itself comes first, with :math:`d_p = b_p`, so that a
line that opens nothing returns to the next one. Behind, the pointer lands on the first heads. The last line in reach
takes what probability is left. L is a prefix sum over lines that all pointers share: nothing is sequential.
"""

import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from cofca.agents.modules.scan import IMPOSSIBLE, before

ByLine = Float[Array, "lines returns"]


def first_return(
    a: ByLine, b: ByLine, sharpness: Float[Array, " returns"], p: Int[Array, ""], length: Int[Array, ""]
) -> Float[Array, "lines 2*returns"]:
    """The log-probabilities of where to land: of all returns ahead, then of all returns behind. `sharpness` is K.

    Where there is nowhere to go the pointer stays.
    """
    line = jnp.arange(a.shape[0])[:, None]
    own = line == p
    L = depths(a, b)
    d = L - jnp.sum(jnp.where(own, L, 0.0), axis=0)
    stop_ahead, stop_behind = (sharpness * (0.5 - depth) for depth in (jnp.where(own, b, d), d))
    stopped = first_heads(stop_ahead, (line >= p) & (line < length - 1), line == length - 2)
    ahead = jnp.roll(stopped, 1, axis=0).at[0].set(IMPOSSIBLE)
    behind = first_heads(stop_behind[::-1], (line < p)[::-1], (line == 0)[::-1])[::-1]
    stays = own & jnp.stack([p == length - 1, p == 0]).repeat(a.shape[1])
    return jnp.where(stays, 0.0, jnp.concatenate([ahead, behind], axis=1))


def depths(a: ByLine, b: ByLine) -> ByLine:
    """L: how many blocks are open at each line, between what it closes and what it opens."""
    return jnp.cumsum(b - a, axis=0) - b


def first_heads(logits: ByLine, asked: Bool[Array, "lines 1"], last: Bool[Array, "lines 1"]) -> ByLine:
    """The log-probabilities that the first heads among the lines that are asked, in order, are at each of them."""
    heads, tails = log_coin(logits)
    heads = jnp.where(last, 0.0, heads)
    return jnp.where(asked, heads + before(jnp.where(asked, tails, 0.0)), IMPOSSIBLE)


def log_coin(logits: Float[Array, "*coins"]) -> tuple[Float[Array, "*coins"], Float[Array, "*coins"]]:
    """The logarithms of heads and tails: of σ(x) and σ(-x), with one logarithm for both."""
    shared = jnp.log1p(jnp.exp(-abs(logits)))
    return jnp.minimum(logits, 0) - shared, jnp.minimum(-logits, 0) - shared
