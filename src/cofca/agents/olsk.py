"""OLSK and OLSK-E: a recurrent controller moves the pointer by one line, or by any number of lines."""

from collections.abc import Callable
from typing import Any, ClassVar

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.base import Agent, Features, Memory
from cofca.agents.distribution import Movement
from cofca.agents.modules.gate_phi import GatePhi, wander
from cofca.agents.modules.layers import GRU, Embedding, Linear
from cofca.agents.modules.relative_moves import by_line, zero_mass_beyond
from cofca.envs.spec import Spec
from cofca.utils.prng import by_name


class Olsk(Agent):
    """φ(x, M_p, a, h) is a softmax over the moves -n, ..., n, and h goes on from time step to time step."""

    embed: Embedding
    """M, of every line."""
    encoder: Any
    """x, and z of x, M_p and h."""
    head: Any
    """π."""
    critic: Linear
    gate_phi: GatePhi
    controller: GRU
    wander: float = eqx.field(static=True)
    hidden_size: int = eqx.field(static=True)
    has_pointer: ClassVar[bool] = True

    def __init__(
        self, key: PRNGKeyArray, spec: Spec, encoder: Callable[..., Any], head: Callable[..., Any], *, hidden: int,
        embedding: int, gru: int, farthest: int = 1, wander: float = 0.0, gate_after_commands: bool = False,
    ) -> None:  # fmt: skip
        """The farthest move is 1 for OLSK, the longest instruction for OLSK-E."""
        self.embed = Embedding(by_name(key, "embed"), spec.symbols, embedding)
        self.encoder = encoder(by_name(key, "encoder"), spec, hidden, embedding, gru)
        self.head = head(by_name(key, "head"), spec, hidden)
        self.critic = Linear(by_name(key, "critic"), hidden, 1)
        moves = 2 * farthest + 1
        made = GatePhi(by_name(key, "gate_phi"), spec, hidden, embedding, moves, gate_after_commands)
        phi = made.phi if farthest == 1 else zero_mass_beyond(spec.lines - 1, made.phi, farthest, columns=1)
        self.gate_phi = eqx.tree_at(lambda made: made.phi, made, phi)
        self.controller = GRU(by_name(key, "controller"), hidden, gru)
        self.wander, self.hidden_size = wander, gru

    def encode(self, obs: Any, memory: Memory) -> Features:
        """x, and what z sees of it and of M_p."""
        return self.encoder(obs, self.embed, memory)

    def core(self, features: Features, hidden: Float[Array, " hidden"]) -> Features:
        """z, with h in it."""
        return self.encoder.core(features, hidden)

    def read_lines(self, features: Features) -> Features:
        """Only the line at the pointer is read."""
        return features

    def actor_critic(self, features: Features) -> tuple[Float[Array, " actions"], Float[Array, ""]]:
        """π and the value."""
        line = features.lines[features.p]
        return self.head(features.z, features.choices, line), self.critic(features.z)[0]

    def movement(self, features: Features, action: Int[Array, ""], response: Int[Array, ""]) -> Movement:
        """The gate, and φ's moves; staying is one of them."""
        gate, u = self.gate_phi(features.z, action, response)
        P = by_line(u[:, None], features.p, features.length, features.lines.shape[0], stay=True)
        return wander(Movement(gate, P, jnp.zeros(1)), self.wander)

    def next_hidden(self, features: Features, action: Int[Array, ""], response: Int[Array, ""]) -> Array:
        """The controller sees what the policy sees, its own state before included."""
        del action, response
        return self.controller.step(features.h, self.controller.inputs(features.z))
