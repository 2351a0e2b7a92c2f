"""OLSK and OLSK-E as published."""

from collections.abc import Callable
from typing import Any, ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.base import Agent, Features, Memory
from cofca.agents.distribution import Movement
from cofca.agents.modules.layers import GRU, RELU_GAIN, Embedding, Linear
from cofca.agents.modules.relative_moves import by_line
from cofca.envs.spec import Spec
from cofca.utils.prng import by_name


class PublishedOlsk(Agent):
    """u, h ← φ(x, M_p, a, h), and δ ~ softmax(u) over the moves -n, ..., n. Policy and gate do not see h."""

    embed: Embedding
    """M, of every line."""
    encoder: Any
    """x, and z of x, M_p and, where actions depend on earlier ones, a state of their own."""
    head: Any
    """π."""
    critic: Linear
    action_embedding: Embedding
    move_hidden: Linear
    gate: Linear
    controller: GRU
    phi: Linear
    hidden_size: int = eqx.field(static=True)
    """Of the encoder's state, then of h."""
    has_pointer: ClassVar[bool] = True

    def __init__(
        self, key: PRNGKeyArray, spec: Spec, encoder: Callable[..., Any], head: Callable[..., Any], *, hidden: int,
        embedding: int, gru: int, farthest: int = 1,
    ) -> None:  # fmt: skip
        """The farthest move is 1 for OLSK, the longest instruction for OLSK-E."""
        self.embed = Embedding(by_name(key, "embed"), spec.symbols, embedding)
        self.encoder = encoder(by_name(key, "encoder"), spec, hidden, embedding, 0)
        self.head = head(by_name(key, "head"), spec, hidden)
        self.critic = Linear(by_name(key, "critic"), hidden, 1)
        limits = spec.actions - 1, spec.responses - 1
        self.action_embedding = Embedding(by_name(key, "action_embedding"), limits, embedding)
        self.move_hidden = Linear(by_name(key, "move_hidden"), hidden + embedding, hidden, RELU_GAIN)
        self.gate = Linear(by_name(key, "gate"), hidden, 1, 0.01)
        self.controller = GRU(by_name(key, "controller"), hidden, gru)
        self.phi = Linear(by_name(key, "phi"), gru, 2 * farthest + 1)
        self.hidden_size = self.encoder.hidden_size + gru

    def encode(self, obs: Any, memory: Memory) -> Features:
        """x, and what z sees of it and of M_p."""
        return self.encoder(obs, self.embed, memory)

    def core(self, features: Features, hidden: Float[Array, " hidden"]) -> Features:
        """z."""
        own, h = jnp.split(hidden, [self.encoder.hidden_size])
        features = self.encoder.core(features, own)
        return features._replace(h=(features.h, h.astype(features.z.dtype)))

    def read_lines(self, features: Features) -> Features:
        """Only the line at the pointer is read."""
        return features

    def actor_critic(self, features: Features) -> tuple[Float[Array, " actions"], Float[Array, ""]]:
        """π(x, M_p) and the value."""
        line = features.lines[features.p]
        return self.head(features.z, features.choices, line), self.critic(features.z)[0]

    def movement(self, features: Features, action: Int[Array, ""], response: Int[Array, ""]) -> Movement:
        """The gate, and φ's moves; staying is one of them."""
        seen = self.seen(features, action, response)
        u = self.phi(self.next_h(features, seen))
        P = by_line(u[:, None], features.p, features.length, features.lines.shape[0], stay=True)
        return Movement(self.gate(seen)[0], P, jnp.zeros(1))

    def next_hidden(self, features: Features, action: Int[Array, ""], response: Int[Array, ""]) -> Array:
        """The encoder's state, and h."""
        own, _ = features.h
        return jnp.concatenate([own, self.next_h(features, self.seen(features, action, response))])

    def seen(self, features: Features, action: Int[Array, ""], response: Int[Array, ""]) -> Float[Array, " hidden"]:
        """What gate and φ see of x, M_p and a."""
        a = self.action_embedding(jnp.stack([action, response]))
        return jax.nn.relu(self.move_hidden(jnp.concatenate([features.z, a])))

    def next_h(self, features: Features, seen: Float[Array, " hidden"]) -> Float[Array, " h"]:
        """φ's recurrent state after this time step."""
        _, h = features.h
        return self.controller.step(h, self.controller.inputs(seen))
