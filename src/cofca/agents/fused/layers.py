"""Layers as accelerators like them."""

import math

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

EVEN = 16
"""Accelerators are fast with rows whose length is a multiple of this."""


def times(x: Float[Array, "*batch inputs"], weight: Float[Array, "inputs outputs"]) -> Float[Array, "*batch outputs"]:
    """The product with the last axis, as one of two matrices: for the gradient of one over several axes, XLA writes
    all of them down once more on an accelerator, transposed."""
    *batch, inputs = x.shape
    return (x.reshape(math.prod(batch), inputs) @ weight).reshape(*batch, weight.shape[-1])


class LinearWithOne(eqx.Module):
    """An affine map whose bias is the weights of one more input, which is always one.

    Where outputs are many and inputs few, a bias by itself is one more pass over all outputs, and so is its gradient.
    """

    weight: Float[Array, "more outputs"]

    def __init__(self, weight: Float[Array, "inputs outputs"], bias: Float[Array, " outputs"]) -> None:
        rows = jnp.concatenate([weight, bias[None]])
        self.weight = jnp.pad(rows, ((0, -len(rows) % EVEN), (0, 0)))

    def __call__(self, x: Float[Array, "*batch inputs"]) -> Float[Array, "*batch outputs"]:
        """Map the last axis."""
        *batch, inputs = x.shape
        one = jnp.zeros(self.weight.shape[0] - inputs, x.dtype).at[0].set(1)
        return jnp.concatenate([x, jnp.broadcast_to(one, (*batch, one.size))], axis=-1) @ self.weight
