"""CoFCA: the ablation without the scan. It says how far to move, not where to."""

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
from cofca.agents.modules.line_gru import LineBiGRU
from cofca.agents.modules.relative_moves import by_line, zero_mass_beyond
from cofca.envs.spec import Spec
from cofca.utils.prng import by_name


class Cofca(Agent):
    """P = softmax of ξ(the last outputs of the GRUs over [M, x] from the pointer both ways), in each column."""

    lines: LineBiGRU
    """M, and the GRUs over it."""
    encoder: Any
    """x, and z of x and M_p."""
    head: Any
    """π."""
    critic: Linear
    gate_phi: GatePhi
    xi: Linear
    """ξ, the logits of the moves in each column."""
    farthest: int = eqx.field(static=True)
    """Moves go from minus to plus this."""
    wander: float = eqx.field(static=True)
    hidden_size: int = eqx.field(static=True)
    has_pointer: ClassVar[bool] = True

    def __init__(
        self, key: PRNGKeyArray, spec: Spec, encoder: Callable[..., Any], head: Callable[..., Any], *, hidden: int,
        embedding: int, columns: int, gru: int, farthest: int, answers: int = 0, wander: float = 0.0,
        gate_after_commands: bool = False,
    ) -> None:  # fmt: skip
        """`columns` is the paper's n_e."""
        self.encoder = encoder(by_name(key, "encoder"), spec, hidden, embedding, 0)
        self.lines = LineBiGRU(by_name(key, "lines"), spec.symbols, embedding, self.encoder.size, gru, answers)
        self.head = head(by_name(key, "head"), spec, hidden)
        self.critic = Linear(by_name(key, "critic"), hidden, 1)
        self.gate_phi = GatePhi(by_name(key, "gate_phi"), spec, hidden, embedding, columns, gate_after_commands)
        moves = Linear(by_name(key, "xi"), 2 * gru, (2 * farthest + 1) * columns, 0.01)
        self.xi, self.farthest = zero_mass_beyond(spec.lines - 1, moves, farthest, columns), farthest
        self.wander, self.hidden_size = wander, self.encoder.hidden_size

    def encode(self, obs: Any, memory: Memory) -> Features:
        """x, and what z sees of it and of M_p."""
        return self.encoder(obs, self.lines.embed, memory)

    def core(self, features: Features, hidden: Float[Array, " hidden"]) -> Features:
        """z."""
        return self.encoder.core(features, hidden)

    def read_lines(self, features: Features) -> Features:
        """The last outputs of the GRUs: those at the last and at the first line."""
        given = features.lines, features.p, features.x, features.length
        ahead, behind = jnp.split(self.lines(*given), 2, axis=-1)
        ends = at(ahead, features.length - 1 - features.p), at(behind, features.p - 1)
        return features._replace(B=jnp.concatenate(ends, axis=-1))

    def actor_critic(self, features: Features) -> tuple[Float[Array, " actions"], Float[Array, ""]]:
        """π(x, M_p) and the value."""
        line = features.lines[features.p]
        return self.head(features.z, features.choices, line), self.critic(features.z)[0]

    def movement(self, features: Features, action: Int[Array, ""], response: Int[Array, ""]) -> Movement:
        """The gate, and P mixed by φ."""
        gate, u = self.gate_phi(features.z, action, response)
        logits = self.xi(features.B).reshape(2 * self.farthest + 1, -1)
        P = by_line(logits, features.p, features.length, features.lines.shape[0], stay=False)
        return wander(Movement(gate, P, jax.nn.log_softmax(u)), self.wander)

    def next_hidden(self, features: Features, action: Int[Array, ""], response: Int[Array, ""]) -> Array:
        """What the encoder has made of it, where it has a recurrent state."""
        del action, response
        return features.h


def at(outputs: Float[Array, "lines *batch size"], place: Int[Array, "*batch"]) -> Float[Array, "*batch size"]:
    """One of the outputs; zeros where the place is before the first."""
    chosen = jax.nn.one_hot(place, outputs.shape[0], axis=0)
    return jnp.einsum("l...,l...s->...s", chosen, outputs)
