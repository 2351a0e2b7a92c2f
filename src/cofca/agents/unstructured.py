"""Unstructured Memory: no pointer; a recurrent state must remember how far the agent has got."""

from collections.abc import Callable
from typing import Any, ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.base import Agent, Features, Memory
from cofca.agents.distribution import Movement
from cofca.agents.modules.layers import GRU, RELU_GAIN, Embedding, Linear
from cofca.agents.modules.no_pointer import no_movement
from cofca.envs.spec import Spec
from cofca.utils.prng import by_name
from cofca.utils.trees import stack


class Unstructured(Agent):
    """h_t = GRU([code of the instruction, x_t, action before, its response], h_{t-1}); the policy sees h_t and x_t."""

    embed: Embedding
    readers: GRU
    """Two GRUs over the instruction, from the first line to the last and back, stacked."""
    encoder: Any
    """x."""
    action_embedding: Embedding
    memory: GRU
    join: Linear
    head: Any
    """π."""
    critic: Linear
    hidden_size: int = eqx.field(static=True)
    has_pointer: ClassVar[bool] = False

    def __init__(
        self, key: PRNGKeyArray, spec: Spec, encoder: Callable[..., Any], head: Callable[..., Any], *, hidden: int,
        embedding: int, gru: int,
    ) -> None:  # fmt: skip
        self.embed = Embedding(by_name(key, "embed"), spec.symbols, embedding)
        self.readers = stack([GRU(by_name(key, way), embedding, gru) for way in ("forward", "backward")])
        self.encoder = encoder(by_name(key, "encoder"), spec)
        # Each counts from one; zero stands for the start of an episode.
        told = spec.actions, spec.responses
        self.action_embedding = Embedding(by_name(key, "action_embedding"), told, embedding)
        self.memory = GRU(by_name(key, "memory"), 2 * gru + self.encoder.size + embedding, hidden)
        self.join = Linear(by_name(key, "join"), hidden + self.encoder.size, hidden, RELU_GAIN)
        self.head = head(by_name(key, "head"), spec, hidden)
        self.critic = Linear(by_name(key, "critic"), hidden, 1)
        self.hidden_size = hidden

    def encode(self, obs: Any, memory: Memory) -> Features:
        """Read the whole instruction, and look around."""
        encoding = self.encoder(obs)
        inputs = jnp.concatenate([self.code(obs), encoding.x, self.action_embedding(memory.before)])
        z = encoding.x @ self.join.weight[self.hidden_size :] + self.join.bias
        told = self.memory.inputs(inputs)
        return Features(obs.lines, obs.mask, memory.pointer, encoding.x, z, encoding.choices, rnn_input=told)

    def code(self, obs: Any) -> Float[Array, " code"]:
        """The last outputs of a GRU from the first line to the last and of one back."""
        lines, exists = self.embed(obs.lines), obs.mask > 0
        both = jnp.stack([lines, lines[::-1]])
        projected = jax.vmap(lambda gru, lines: gru.inputs(lines))(self.readers, both).swapaxes(0, 1)
        there = jnp.stack([exists, exists[::-1]], axis=1)

        def step(hidden: Array, now: tuple[Array, Array]) -> tuple[Array, None]:
            line, real = now
            # Padding changes nothing.
            return jnp.where(real[:, None], jax.vmap(GRU.step)(self.readers, hidden, line), hidden), None

        start = jnp.zeros((2, self.readers.recurrent.shape[1]), lines.dtype)
        return jax.lax.scan(step, start, (projected, there), unroll=True)[0].reshape(-1)

    def core(self, features: Features, hidden: Float[Array, " hidden"]) -> Features:
        """Remember."""
        h = self.memory.step(hidden.astype(features.rnn_input.dtype), features.rnn_input)
        return features._replace(z=jax.nn.relu(features.z + h @ self.join.weight[: self.hidden_size]), h=h)

    def read_lines(self, features: Features) -> Features:
        """They have been read."""
        return features

    def actor_critic(self, features: Features) -> tuple[Float[Array, " actions"], Float[Array, ""]]:
        """π(h, x) and the value."""
        line = features.lines[features.p]
        return self.head(features.z, features.choices, line), self.critic(features.z)[0]

    def movement(self, features: Features, action: Int[Array, ""], response: Int[Array, ""]) -> Movement:
        """There is nothing to move."""
        del action, response
        return no_movement(features.lines.shape[0])

    def next_hidden(self, features: Features, action: Int[Array, ""], response: Int[Array, ""]) -> Array:
        """What is remembered."""
        del action, response
        return features.h
