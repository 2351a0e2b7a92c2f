"""What every line closes and opens, learned from its symbols."""

import math

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.modules.layers import Embedding

START = -1.0
"""The mean logit of a and b at the start: lines close and open little, and still learn."""
SPREAD = 0.3
"""Of what single symbols add to it."""
SOFT, HARD = 5.0, 1e4
"""K, the sharpness, at the start and in the end."""
FINE, STEEP = 2048, 16
"""A hard logit is a whole number up to the first, times the second: half precision holds it, and its sigmoid is 0 or 1
unless it is among the few smallest."""


class Brackets(eqx.Module):
    """a and b = σ(what a line's symbols add up to), for each return its own. Blocks are not given, they are found."""

    symbols: Embedding
    """The logits of all a, then those of all b."""
    log_sharpness: Float[Array, " returns"]

    def __init__(self, key: PRNGKeyArray, limits: tuple[int, ...], returns: int) -> None:
        """`limits` are the largest symbols of a line."""
        made = Embedding(key, limits, 2 * returns)
        self.symbols = eqx.tree_at(lambda made: made.table, made, SPREAD * made.table + START / len(limits))
        self.log_sharpness = jnp.full(returns, math.log(SOFT), jnp.float32)

    def __call__(
        self, lines: Int[Array, "*lines symbols"]
    ) -> tuple[Float[Array, "*lines returns"], Float[Array, "*lines returns"], Float[Array, " returns"]]:
        """a, b and K. Sums over many lines need all digits."""
        a, b = jnp.split(jax.nn.sigmoid(self.symbols(lines).astype(jnp.float32)), 2, axis=-1)
        return a, b, jnp.exp(self.log_sharpness.astype(jnp.float32))

    def hardened(self) -> "Brackets":
        """The same, rounded: every a and b is 0 or 1, and every coin is certain. Twice is as good as once."""
        soft = self.symbols.table
        hard = STEEP * jnp.round(FINE * soft / abs(soft).max(axis=-2, keepdims=True))
        parts = hard, jnp.full_like(self.log_sharpness, math.log(HARD))
        return eqx.tree_at(lambda made: (made.symbols.table, made.log_sharpness), self, parts)
