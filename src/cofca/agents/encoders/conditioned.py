"""Minecraft, as in the authors' code: the line at the pointer makes the kernel of a second convolution."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from cofca.agents.base import Features, Memory, join_hidden
from cofca.agents.encoders.minecraft import KERNEL, MinecraftEncoder
from cofca.agents.modules.layers import RELU_GAIN, Embedding, Linear
from cofca.envs.spec import Spec
from cofca.utils.prng import by_name


class ConditionedPointerEncoder(eqx.Module):
    """As `MinecraftPointerEncoder`, but the product of line and observation is that convolution, summed over the
    grid."""

    encoder: MinecraftEncoder
    kernel: Linear
    bias: Float[Array, " channels"]
    join: Linear
    size: int = eqx.field(static=True)
    """Of x."""
    hidden_size: int = eqx.field(static=True)

    def __init__(
        self, key: PRNGKeyArray, spec: Spec, hidden: int, embedding: int, hidden_size: int, channels: int
    ) -> None:
        self.encoder = MinecraftEncoder(by_name(key, "encoder"), spec, channels)
        self.size, self.hidden_size = self.encoder.size, hidden_size
        # So many small weights that their sum over a patch is as large as what goes in.
        gain = RELU_GAIN / (KERNEL * channels**0.5)
        self.kernel = Linear(by_name(key, "kernel"), embedding, KERNEL**2 * channels**2, gain)
        self.bias = jnp.zeros(channels)
        self.join = Linear(by_name(key, "join"), self.size + channels + embedding + hidden_size, hidden, RELU_GAIN)

    def __call__(self, obs: Any, embed: Embedding, memory: Memory) -> Features:
        """What does not depend on the recurrent state."""
        x, M_p = self.encoder(obs).x, embed(obs.lines[memory.pointer])
        seen = jnp.concatenate([x, self.convolved(self.encoder.patches(obs), M_p), M_p])
        z = seen @ self.join.weight[: seen.size] + self.join.bias
        return Features(obs.lines, obs.mask, memory.pointer, x, z, ())

    def convolved(
        self, patches: Float[Array, "patches channels"], line: Float[Array, " embedding"]
    ) -> Float[Array, " channels"]:
        """The second convolution, over the first one's output."""
        side, channels = round(patches.shape[0] ** 0.5), patches.shape[1]
        grid = patches.reshape(side, side, channels)
        last = side - KERNEL + 1
        shifts = [grid[down : down + last, right : right + last] for down in range(KERNEL) for right in range(KERNEL)]
        kernel = self.kernel(line).reshape(-1, channels)
        squares = jnp.concatenate(shifts, axis=-1).reshape(last**2, -1)
        return jax.nn.relu(squares @ kernel + self.bias).sum(axis=0)

    def core(self, features: Features, hidden: Float[Array, " hidden"]) -> Features:
        """Let z see the recurrent state, where there is one."""
        return join_hidden(features, hidden, self.join.weight)
