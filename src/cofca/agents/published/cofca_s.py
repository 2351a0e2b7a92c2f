"""CoFCA-S as published."""

from collections.abc import Callable
from typing import Any, ClassVar

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.base import Agent, Features, Memory
from cofca.agents.distribution import Movement
from cofca.agents.modules.gate_phi import GatePhi
from cofca.agents.modules.layers import Linear
from cofca.agents.modules.line_gru import Coins, LineBiGRU
from cofca.agents.modules.scan_renormalised import renormalised_mixture, scan_without_rest
from cofca.envs.spec import Spec
from cofca.utils.prng import by_name


class PublishedCofcaS(Agent):
    """B = σ(GRUs over [M, x] from the pointer both ways), P = the scan of B, δ ~ P softmax(u)."""

    lines: LineBiGRU
    """M, and the GRUs over it."""
    encoder: Any
    """x, and z of x, M_p and, where actions depend on earlier ones, h."""
    head: Any
    """π."""
    critic: Linear
    gate_phi: GatePhi
    coins: Coins
    """B."""
    hidden_size: int = eqx.field(static=True)
    has_pointer: ClassVar[bool] = True

    def __init__(
        self, key: PRNGKeyArray, spec: Spec, encoder: Callable[..., Any], head: Callable[..., Any], *, hidden: int,
        embedding: int, columns: int, gru: int,
    ) -> None:  # fmt: skip
        """`columns` is the paper's n_e."""
        self.encoder = encoder(by_name(key, "encoder"), spec, hidden, embedding, 0)
        self.lines = LineBiGRU(by_name(key, "lines"), spec.symbols, embedding, self.encoder.size, gru)
        self.head = head(by_name(key, "head"), spec, hidden)
        self.critic = Linear(by_name(key, "critic"), hidden, 1)
        self.gate_phi = GatePhi(by_name(key, "gate_phi"), spec, hidden, embedding, columns)
        self.coins = Coins(by_name(key, "coins"), gru, ahead=columns, behind=columns)
        self.hidden_size = self.encoder.hidden_size

    def encode(self, obs: Any, memory: Memory) -> Features:
        """x, and what z sees of it and of M_p."""
        return self.encoder(obs, self.lines.embed, memory)

    def core(self, features: Features, hidden: Float[Array, " hidden"]) -> Features:
        """z."""
        return self.encoder.core(features, hidden)

    def read_lines(self, features: Features) -> Features:
        """B."""
        return features._replace(B=self.coins.read(self.lines, features))

    def actor_critic(self, features: Features) -> tuple[Float[Array, " actions"], Float[Array, ""]]:
        """π(x, M_p) and the value."""
        line = features.lines[features.p]
        return self.head(features.z, features.choices, line), self.critic(features.z)[0]

    def movement(self, features: Features, action: Int[Array, ""], response: Int[Array, ""]) -> Movement:
        """The gate, and P mixed by φ."""
        gate, u = self.gate_phi(features.z, action, response)
        # B is of the lines p, p + 1, ... and p - 1, p - 2, ...; the scan begins with p + 1.
        ahead, behind = jnp.split(features.B, 2, axis=1)
        P = scan_without_rest(ahead[1:], behind[:-1], features.p, features.length)
        return Movement(gate, *renormalised_mixture(P, u))

    def next_hidden(self, features: Features, action: Int[Array, ""], response: Int[Array, ""]) -> Array:
        """h, where there is one."""
        del action, response
        return features.h
