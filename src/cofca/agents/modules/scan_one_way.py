"""The Scan in one direction, for CoFCA-D: a jump ahead never asks a line behind, however many there are."""

import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from cofca.agents.modules.scan import IMPOSSIBLE, before, by_line, coins


def scan_one_way(
    logits: Float[Array, "distances columns"], pointer: Int[Array, ""], length: Int[Array, ""], step: int
) -> Float[Array, "lines columns"]:
    """The same in one direction: p + step, p + 2 step, ..., where a step is 1 or -1. No line behind is turned down."""
    if not logits.shape[0]:
        return jnp.zeros((1, logits.shape[1]))
    there = length - 1 - pointer if step > 0 else pointer
    heads, tails = coins(logits, there, jnp.bool_(True))
    visited, nothing = heads + before(tails), jnp.full(logits.shape, IMPOSSIBLE)
    ahead, behind = (visited, nothing) if step > 0 else (nothing, visited)
    return by_line(ahead, behind, pointer, there == 0)
