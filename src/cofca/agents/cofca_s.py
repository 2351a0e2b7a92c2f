"""CoFCA-S: a pointer that moves to where it should go, found by scanning the lines around it."""

from collections.abc import Callable
from typing import Any, ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.base import Agent, Features, Memory
from cofca.agents.distribution import Movement
from cofca.agents.modules.gate_phi import GatePhi, wander
from cofca.agents.modules.layers import Linear
from cofca.agents.modules.line_gru import Coins, LineBiGRU
from cofca.agents.modules.scan import scan
from cofca.envs.spec import Spec
from cofca.utils.prng import by_name


class CofcaS(Agent):
    """The paper's architecture: B = σ(GRUs over [M, x] from the pointer both ways), P = the scan of B."""

    lines: LineBiGRU
    """M, and the GRUs over it."""
    encoder: Any
    """x, and z of x and M_p."""
    head: Any
    """π."""
    critic: Linear
    gate_phi: GatePhi
    coins: Coins
    """B."""
    wander: float = eqx.field(static=True)
    hidden_size: int = eqx.field(static=True)
    has_pointer: ClassVar[bool] = True

    def __init__(
        self, key: PRNGKeyArray, spec: Spec, encoder: Callable[..., Any], head: Callable[..., Any], *, hidden: int,
        embedding: int, columns: int, gru: int, coin_bias: float = 0.0, answers: int = 0, wander: float = 0.0,
        gate_after_commands: bool = False,
    ) -> None:  # fmt: skip
        """`columns` is the paper's n_e."""
        self.encoder = encoder(by_name(key, "encoder"), spec, hidden, embedding, 0)
        self.lines = LineBiGRU(by_name(key, "lines"), spec.symbols, embedding, self.encoder.size, gru, answers)
        self.head = head(by_name(key, "head"), spec, hidden)
        self.critic = Linear(by_name(key, "critic"), hidden, 1)
        self.gate_phi = GatePhi(by_name(key, "gate_phi"), spec, hidden, embedding, columns, gate_after_commands)
        self.coins = Coins(by_name(key, "coins"), gru, ahead=columns, behind=columns, bias=coin_bias)
        self.wander, self.hidden_size = wander, self.encoder.hidden_size

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
        P = scan(ahead[1:], behind[:-1], features.p, features.length)
        return wander(Movement(gate, P, jax.nn.log_softmax(u)), self.wander)

    def next_hidden(self, features: Features, action: Int[Array, ""], response: Int[Array, ""]) -> Array:
        """What the encoder has made of it, where it has a recurrent state."""
        del action, response
        return features.h
