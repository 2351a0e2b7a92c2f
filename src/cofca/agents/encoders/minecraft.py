"""Minecraft: what agents see of an observation, and how they choose a command."""

from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from cofca.agents.base import Features, Memory, join_hidden
from cofca.agents.modules.layers import RELU_GAIN, Embedding, Linear
from cofca.envs.spec import Spec
from cofca.utils.prng import by_name

KERNEL = 2


class Encoding(NamedTuple):
    """An encoded observation, and what the action head knows of single commands, if anything."""

    x: Float[Array, " x"]
    choices: Any = ()


class MinecraftEncoder(eqx.Module):
    """x: a convolution over the grid, summed over the grid, and the inventory as it is."""

    convolution: Linear
    size: int = eqx.field(static=True)

    def __init__(self, key: PRNGKeyArray, spec: Spec, channels: int) -> None:
        self.convolution = Linear(key, KERNEL**2 * spec.planes, channels, RELU_GAIN)
        self.size = channels + spec.limits.inventory.size

    def __call__(self, obs: Any) -> Encoding:
        """Encode an observation."""
        counts = obs.inventory.astype(self.convolution.weight.dtype)
        return Encoding(jnp.concatenate([self.patches(obs).sum(axis=0), counts]))

    def patches(self, obs: Any) -> Float[Array, "patches channels"]:
        """The convolution, before it is summed. Its stride is as large as its kernel."""
        height, width, planes = obs.grid.shape
        apart = obs.grid.reshape(height // KERNEL, KERNEL, width // KERNEL, KERNEL, planes).swapaxes(1, 2)
        inputs = apart.reshape(-1, KERNEL**2 * planes).astype(self.convolution.weight.dtype)
        return jax.nn.relu(self.convolution(inputs))


class MinecraftPointerEncoder(eqx.Module):
    """x, and z made of x, the line M_p at the pointer, and x weighted by it: the product says whether what the line
    names is here. The recurrent state, where there is one, is added in `core`."""

    encoder: Any
    relate: Linear
    join: Linear
    size: int = eqx.field(static=True)
    """Of x."""
    hidden_size: int = eqx.field(static=True)
    """Of the recurrent state that z sees."""

    def __init__(
        self, key: PRNGKeyArray, spec: Spec, hidden: int, embedding: int, hidden_size: int, channels: int,
        encoder: type = MinecraftEncoder,
    ) -> None:  # fmt: skip
        self.encoder = encoder(by_name(key, "encoder"), spec, channels)
        self.size, self.hidden_size = self.encoder.size, hidden_size
        self.relate = Linear(by_name(key, "relate"), embedding, self.size)
        self.join = Linear(by_name(key, "join"), 2 * self.size + embedding + hidden_size, hidden, RELU_GAIN)

    def __call__(self, obs: Any, embed: Embedding, memory: Memory) -> Features:
        """What does not depend on the recurrent state."""
        (x, choices), M_p = self.encoder(obs), embed(obs.lines[memory.pointer])
        seen = jnp.concatenate([x, x * self.relate(M_p), M_p])
        z = seen @ self.join.weight[: seen.size] + self.join.bias
        return Features(obs.lines, obs.mask, memory.pointer, x, z, choices)

    def core(self, features: Features, hidden: Float[Array, " hidden"]) -> Features:
        """Let z see the recurrent state, where there is one."""
        return join_hidden(features, hidden, self.join.weight)


class CommandHead(eqx.Module):
    """The policy: a linear layer on z."""

    act: Linear

    def __init__(self, key: PRNGKeyArray, spec: Spec, hidden: int) -> None:
        self.act = Linear(key, hidden, spec.actions, 0.01)

    def __call__(self, z: Float[Array, " hidden"], choices: Any, line: Array) -> Float[Array, " actions"]:
        """The logits of the commands."""
        del choices, line
        return self.act(z)
