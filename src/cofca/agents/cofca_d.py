"""CoFCA-D, ours: a scan with a direction. Each column looks either ahead or behind, and φ chooses between them.

In the scan of CoFCA-S a far jump ahead has to turn down every line behind the pointer as well. Instructions in training
have few of those, so the coins of lines far behind are hardly trained, and the longer an instruction the likelier one
of them shows heads. Here a jump ahead never asks a line behind, however many there are.

In Minecraft it is near-sighted besides. In the scan of CoFCA-S a coin knows the observation, so that one jump can take
in several conditions, each of which has to be worked out from afar; rows of them longer than any in training are where
it goes wrong. Near-sighted, the world is looked at from the pointer only: the pointer has to stop at every condition,
and an instruction of any length can be followed by the same few moves.
"""

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
from cofca.agents.modules.line_rnn import LineRNN
from cofca.agents.modules.scan_one_way import scan_one_way
from cofca.envs.spec import Spec
from cofca.utils.prng import by_name


class CofcaD(Agent):
    """As CoFCA-S, but the first half of the columns of P are scans ahead, the others are scans behind."""

    lines: LineBiGRU | LineRNN
    """M, and the GRUs over it or, in a baseline, other cells."""
    encoder: Any
    """x, and z of x and M_p."""
    head: Any
    """π."""
    critic: Linear
    gate_phi: GatePhi
    coins: Coins
    """B."""
    ahead: int = eqx.field(static=True)
    """So many columns look ahead."""
    wander: float = eqx.field(static=True)
    hidden_size: int = eqx.field(static=True)
    has_pointer: ClassVar[bool] = True

    def __init__(
        self, key: PRNGKeyArray, spec: Spec, encoder: Callable[..., Any], head: Callable[..., Any], *, hidden: int,
        embedding: int, columns: int, gru: int, near_sighted: bool = False, answers: int = 0, wander: float = 0.0,
        gate_after_commands: bool = False, cell: type | None = None,
    ) -> None:  # fmt: skip
        """`columns` is n_e, ahead and behind together; `cell` is what reads the lines, near-sighted, if no GRU does."""
        self.encoder = encoder(by_name(key, "encoder"), spec, hidden, embedding, 0)
        sizes = by_name(key, "lines"), spec.symbols, embedding, self.encoder.size, gru
        self.lines = LineRNN(*sizes, cell) if cell else LineBiGRU(*sizes, answers, near_sighted)
        self.head = head(by_name(key, "head"), spec, hidden)
        self.critic = Linear(by_name(key, "critic"), hidden, 1)
        self.gate_phi = GatePhi(by_name(key, "gate_phi"), spec, hidden, embedding, columns, gate_after_commands)
        self.ahead = columns - columns // 2
        self.coins = Coins(by_name(key, "coins"), gru, self.ahead, behind=columns // 2)
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
        # B is of the lines p, p + 1, ... and p - 1, p - 2, ...; near-sighted, a coin is decided just before its line.
        ahead, behind = jnp.split(features.B, [self.ahead], axis=1)
        ahead, behind = ahead[:-1] if self.lines.near_sighted else ahead[1:], behind[:-1]
        place = features.p, features.length
        P = jnp.concatenate([scan_one_way(ahead, *place, step=1), scan_one_way(behind, *place, step=-1)], axis=1)
        return wander(Movement(gate, P, jax.nn.log_softmax(u)), self.wander)

    def next_hidden(self, features: Features, action: Int[Array, ""], response: Int[Array, ""]) -> Array:
        """What the encoder has made of it, where it has a recurrent state."""
        del action, response
        return features.h
