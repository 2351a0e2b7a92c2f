"""Minecraft as the paper's agents see it: two convolutions, and a linear projection of the inventory."""

from typing import Any, ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from cofca.agents.base import Features, Memory, join_hidden
from cofca.agents.encoders.minecraft import KERNEL, Encoding
from cofca.agents.modules.layers import RELU_GAIN, Embedding, Linear
from cofca.envs.spec import Spec
from cofca.utils.prng import by_name


class PaperMinecraftEncoder(eqx.Module):
    """x: the second convolution, summed over the grid, and the projected inventory.

    The paper leaves open how the convolutions' last output becomes a vector; the authors' code sums it. The second
    convolution sees the first one's 3 × 3 patches padded to 4 × 4, or else a third of the map would be seen by nobody.
    """

    convolutions: tuple[Linear, Linear]
    inventory: Linear
    size: int = eqx.field(static=True)
    kernels: ClassVar[tuple[int, ...]] = (KERNEL, KERNEL)
    strides: ClassVar[tuple[int, ...]] = (KERNEL, KERNEL)

    def __init__(self, key: PRNGKeyArray, spec: Spec, channels: tuple[int, int], inventory: int) -> None:
        first, second = channels
        self.convolutions = (
            Linear(by_name(key, "first"), KERNEL**2 * spec.planes, first, RELU_GAIN),
            Linear(by_name(key, "second"), KERNEL**2 * first, second, RELU_GAIN),
        )
        self.inventory = Linear(by_name(key, "inventory"), spec.limits.inventory.size, inventory)
        self.size = second + inventory

    def __call__(self, obs: Any) -> Encoding:
        """Encode an observation."""
        grid = obs.grid.astype(self.inventory.weight.dtype)
        for convolution in self.convolutions:
            grid = jax.nn.relu(convolution(patches(grid)))
        counts = self.inventory(obs.inventory.astype(grid.dtype))
        return Encoding(jnp.concatenate([grid.sum(axis=(0, 1)), counts]))


def patches(grid: Float[Array, "height width planes"]) -> Float[Array, "rows columns inputs"]:
    """The squares that a convolution looks at whose stride is as large as its kernel; odd sides are padded by one."""
    height, width, planes = grid.shape
    even = jnp.pad(grid, ((0, height % KERNEL), (0, width % KERNEL), (0, 0)))
    rows, columns = even.shape[0] // KERNEL, even.shape[1] // KERNEL
    apart = even.reshape(rows, KERNEL, columns, KERNEL, planes).swapaxes(1, 2)
    return apart.reshape(rows, columns, KERNEL**2 * planes)


class PaperMinecraftPointerEncoder(eqx.Module):
    """x, and z = ReLU of a linear layer on x and M_p."""

    encoder: PaperMinecraftEncoder
    join: Linear
    size: int = eqx.field(static=True)
    """Of x."""
    hidden_size: int = eqx.field(static=True)
    kernels: ClassVar[tuple[int, ...]] = PaperMinecraftEncoder.kernels
    strides: ClassVar[tuple[int, ...]] = PaperMinecraftEncoder.strides

    def __init__(
        self, key: PRNGKeyArray, spec: Spec, hidden: int, embedding: int, hidden_size: int, channels: tuple[int, int],
        inventory: int,
    ) -> None:  # fmt: skip
        self.encoder = PaperMinecraftEncoder(by_name(key, "encoder"), spec, channels, inventory)
        self.size, self.hidden_size = self.encoder.size, hidden_size
        self.join = Linear(by_name(key, "join"), self.size + embedding + hidden_size, hidden, RELU_GAIN)

    def __call__(self, obs: Any, embed: Embedding, memory: Memory) -> Features:
        """What does not depend on a recurrent state."""
        x, M_p = self.encoder(obs).x, embed(obs.lines[memory.pointer])
        seen = jnp.concatenate([x, M_p])
        z = seen @ self.join.weight[: seen.size] + self.join.bias
        return Features(obs.lines, obs.mask, memory.pointer, x, z, ())

    def core(self, features: Features, hidden: Float[Array, " hidden"]) -> Features:
        """z."""
        return join_hidden(features, hidden, self.join.weight)
