"""StarCraft as the paper's agents see it, and how they choose: a linear layer on z."""

from typing import Any, ClassVar

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.base import Features, Memory, join_hidden
from cofca.agents.encoders.starcraft import KERNEL, Choices, Encoding, StarCraftEncoder, masked
from cofca.agents.modules.layers import RELU_GAIN, Embedding, Linear
from cofca.envs.spec import Spec
from cofca.utils.prng import by_name


class PaperStarCraftEncoder(eqx.Module):
    """x: the convolution over the grid and the embedded small integers; not which planes have anything at all."""

    inner: StarCraftEncoder
    size: int = eqx.field(static=True)
    kernels: ClassVar[tuple[int, ...]] = (KERNEL,)
    strides: ClassVar[tuple[int, ...]] = (1,)

    def __init__(self, key: PRNGKeyArray, spec: Spec, channels: int, integers: int) -> None:
        self.inner = StarCraftEncoder(key, spec, channels, integers)
        self.size = self.inner.size - spec.planes

    def __call__(self, obs: Any) -> Encoding:
        """Encode an observation."""
        encoding = self.inner(obs)
        return encoding._replace(x=encoding.x[: self.size])


class PaperStarCraftPointerEncoder(eqx.Module):
    """x, and z = ReLU of a linear layer on x, M_p and h."""

    encoder: PaperStarCraftEncoder
    join: Linear
    size: int = eqx.field(static=True)
    """Of x."""
    hidden_size: int = eqx.field(static=True)
    """Of h."""
    kernels: ClassVar[tuple[int, ...]] = PaperStarCraftEncoder.kernels
    strides: ClassVar[tuple[int, ...]] = PaperStarCraftEncoder.strides

    def __init__(
        self, key: PRNGKeyArray, spec: Spec, hidden: int, embedding: int, hidden_size: int, channels: int, integers: int
    ) -> None:
        self.encoder = PaperStarCraftEncoder(by_name(key, "encoder"), spec, channels, integers)
        self.size, self.hidden_size = self.encoder.size, hidden_size
        self.join = Linear(by_name(key, "join"), self.size + embedding + hidden_size, hidden, RELU_GAIN)

    def __call__(self, obs: Any, embed: Embedding, memory: Memory) -> Features:
        """What does not depend on h."""
        x, _, choices = self.encoder(obs)
        seen = jnp.concatenate([x, embed(obs.lines[memory.pointer])])
        z = seen @ self.join.weight[: seen.size] + self.join.bias
        return Features(obs.lines, obs.mask, memory.pointer, x, z, choices)

    def core(self, features: Features, hidden: Float[Array, " hidden"]) -> Features:
        """Let z see h."""
        return join_hidden(features, hidden, self.join.weight)


class ChoiceHead(eqx.Module):
    """The policy: a linear layer on z, whose impossible choices are masked."""

    act: Linear

    def __init__(self, key: PRNGKeyArray, spec: Spec, hidden: int) -> None:
        self.act = Linear(key, hidden, spec.actions, 0.01)

    def __call__(
        self, z: Float[Array, " hidden"], choices: Choices, line: Int[Array, " symbols"]
    ) -> Float[Array, " actions"]:
        """The logits of the choices that are possible."""
        del line
        return masked(self.act(z), choices)
