"""CoFCA-M, ours: a pointer that remembers. It counts over time what was made and what was lost.

An agent whose only memory is its pointer can't go back to what was lost a moment ago. Here a number for everything
that lines name is carried along; every line asks it whether what it names is lacking.
"""

from collections.abc import Callable
from typing import Any, ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.base import Agent, Features, Memory
from cofca.agents.distribution import Movement
from cofca.agents.modules.gate_phi import GatePhi
from cofca.agents.modules.layers import Embedding, Linear
from cofca.agents.modules.line_to_do import line_to_do
from cofca.agents.modules.scan import IMPOSSIBLE
from cofca.agents.modules.stock import Stock, Things
from cofca.envs.spec import Spec
from cofca.utils.prng import by_name


class CofcaM(Agent):
    """The columns of P: the next line, and the line to do."""

    embed: Embedding
    encoder: Any
    head: Any
    critic: Linear
    gate_phi: GatePhi
    stock: Stock
    """c, and the coins of the lines."""
    things: Callable[[Any], Things] = eqx.field(static=True)
    hidden_size: int = eqx.field(static=True)
    has_pointer: ClassVar[bool] = True

    def __init__(
        self, key: PRNGKeyArray, spec: Spec, encoder: Callable[..., Any], head: Callable[..., Any], *, hidden: int,
        embedding: int, things: Callable[[Any], Things], gate_after_commands: bool = False,
    ) -> None:  # fmt: skip
        self.embed = Embedding(by_name(key, "embed"), spec.symbols, embedding)
        self.encoder = encoder(by_name(key, "encoder"), spec, hidden, embedding, 0)
        self.head = head(by_name(key, "head"), spec, hidden)
        self.critic = Linear(by_name(key, "critic"), hidden, 1)
        self.gate_phi = GatePhi(by_name(key, "gate_phi"), spec, hidden, embedding, 2, gate_after_commands)
        self.stock = Stock(by_name(key, "stock"), spec)
        self.things = things
        self.hidden_size = spec.symbols[0] + 1

    def encode(self, obs: Any, memory: Memory) -> Features:
        """x, and what z sees of it and of M_p; what the observation says of everything that lines name."""
        return self.encoder(obs, self.embed, memory)._replace(rnn_input=self.things(obs))

    def core(self, features: Features, hidden: Float[Array, " hidden"]) -> Features:
        """z, and c."""
        return self.encoder.core(features, hidden[:0])._replace(h=hidden)

    def read_lines(self, features: Features) -> Features:
        """Nothing is read before the action."""
        return features

    def actor_critic(self, features: Features) -> tuple[Float[Array, " actions"], Float[Array, ""]]:
        """π(x, M_p) and the value."""
        line = features.lines[features.p]
        return self.head(features.z, features.choices, line), self.critic(features.z)[0]

    def movement(self, features: Features, action: Int[Array, ""], response: Int[Array, ""]) -> Movement:
        """The gate, and P mixed by φ."""
        gate, u = self.gate_phi(features.z, action, response)
        c = self.next_hidden(features, action, response)
        lacks, settled = self.stock.coins(features.lines, c, features.rnn_input.seen)
        to_do = line_to_do(lacks, settled, features.length)
        following = jnp.minimum(features.p + 1, features.length - 1)
        next_line = jnp.where(jnp.arange(to_do.shape[0]) == following, 0.0, IMPOSSIBLE)
        return Movement(gate, jnp.stack([next_line, to_do], axis=1), jax.nn.log_softmax(u))

    def next_hidden(self, features: Features, action: Int[Array, ""], response: Int[Array, ""]) -> Array:
        """c."""
        return self.stock.after(features.h, features.rnn_input, action, response)
