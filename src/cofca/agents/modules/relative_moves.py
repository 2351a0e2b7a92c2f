"""Distributions over moves of a fixed range, for the agents that say how far to move."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from cofca.agents.modules.layers import Linear
from cofca.agents.modules.scan import IMPOSSIBLE

UNTRAINED = -20.0
"""The logit, at the start, of moves farther than any in training: never trained, they must not get in the way."""


def by_line(
    logits: Float[Array, "moves columns"],
    pointer: Int[Array, ""],
    length: Int[Array, ""],
    lines: int,
    stay: bool,
) -> Float[Array, "lines columns"]:
    """Log-probabilities of all lines, from logits of the moves -n, ..., n; lines that do not exist get none.

    Where there is nowhere to go the pointer stays.
    """
    farthest = logits.shape[0] // 2
    number = jnp.arange(lines)
    moves = number - pointer
    reachable = (number < length) & (abs(moves) <= farthest) & ((moves != 0) | stay)
    reachable |= (moves == 0) & ~reachable.any()
    found = logits[jnp.clip(moves + farthest, 0, 2 * farthest)].astype(jnp.float32)
    return jax.nn.log_softmax(jnp.where(reachable[:, None], found, IMPOSSIBLE), axis=0)


def zero_mass_beyond(trained: int, layer: Linear, farthest: int, columns: int) -> Linear:
    """Make a layer's moves of more lines than `trained` next to impossible, whatever it is given."""
    far = jnp.repeat(abs(jnp.arange(-farthest, farthest + 1)) > trained, columns)
    weight, bias = jnp.where(far, 0.0, layer.weight), jnp.where(far, UNTRAINED, layer.bias)
    return eqx.tree_at(lambda layer: (layer.weight, layer.bias), layer, (weight, bias))
