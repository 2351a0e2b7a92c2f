"""How the line at the pointer asks about the observation: is what it names here? Their product is what tells."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from cofca.agents.modules.layers import RELU_GAIN, Linear
from cofca.agents.modules.torso import KERNEL, Sight, Torso


class Weighing(eqx.Module):
    """The line gives a weight to every number of the observation's code."""

    weights: Linear
    size: int = eqx.field(static=True)

    def __init__(self, key: PRNGKeyArray, embedding: int, torso: Torso) -> None:
        self.size = torso.size
        self.weights = Linear(key, embedding, self.size)

    def __call__(self, sight: Sight, line: Float[Array, " embedding"]) -> Float[Array, " size"]:
        """The code, weighted."""
        return sight.code * self.weights(line)


class Convolving(eqx.Module):
    """As in the authors' program: the line makes the kernel of a second convolution over the first one's output."""

    kernel: Linear
    bias: Float[Array, " size"]
    size: int = eqx.field(static=True)

    def __init__(self, key: PRNGKeyArray, embedding: int, torso: Torso) -> None:
        if torso.flat is not None:
            raise ValueError("a convolution made by the line needs an observation whose own convolution is pooled")
        self.size = torso.channels
        # So many small weights that their sum over a patch is as large as what goes in.
        self.kernel = Linear(key, embedding, KERNEL**2 * self.size**2, RELU_GAIN / (KERNEL * self.size**0.5))
        self.bias = jnp.zeros(self.size)

    def __call__(self, sight: Sight, line: Float[Array, " embedding"]) -> Float[Array, " size"]:
        """The second convolution, summed over the grid."""
        side = round(sight.seen.shape[0] ** 0.5)
        grid = sight.seen.reshape(side, side, self.size)
        last = side - KERNEL + 1
        shifts = [grid[down : down + last, right : right + last] for down in range(KERNEL) for right in range(KERNEL)]
        patches = jnp.concatenate(shifts, axis=-1).reshape(last**2, -1)
        kernel = self.kernel(line).reshape(-1, self.size)
        return jax.nn.relu(patches @ kernel + self.bias).sum(axis=0)
