"""CoFCA-R, ours: a pointer that returns. It counts the blocks that lines open and close, to any depth.

The GRUs of CoFCA-S and CoFCA-D have to count in their states, which are of finite precision, and blocks of one depth
give them no reason to. Here what is counted is a sum: a line adds the same wherever it stands, so what is learned from
ten lines holds for any number of them, and what is learned of a block holds for blocks in blocks.

As CoFCA-D in Minecraft it is near-sighted: φ, which chooses between the columns, looks at the world from the pointer;
where a column leads depends on the lines alone.
"""

from collections.abc import Callable
from typing import Any, ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.base import Agent, Features, Memory
from cofca.agents.distribution import Movement
from cofca.agents.modules.brackets import Brackets
from cofca.agents.modules.first_return import first_return
from cofca.agents.modules.gate_phi import GatePhi
from cofca.agents.modules.layers import Embedding, Linear
from cofca.agents.modules.scan import IMPOSSIBLE
from cofca.envs.spec import Spec
from cofca.utils.prng import by_name


class CofcaR(Agent):
    """The columns of P: the next line, the first returns ahead, the first returns behind."""

    embed: Embedding
    """M, of the line at the pointer."""
    encoder: Any
    """x, and z of x and M_p."""
    head: Any
    """π."""
    critic: Linear
    gate_phi: GatePhi
    brackets: Brackets
    """a, b and K."""
    hidden_size: int = eqx.field(static=True)
    has_pointer: ClassVar[bool] = True

    def __init__(
        self, key: PRNGKeyArray, spec: Spec, encoder: Callable[..., Any], head: Callable[..., Any], *, hidden: int,
        embedding: int, returns: int, brackets: Callable[..., Brackets] = Brackets,
    ) -> None:  # fmt: skip
        """`returns` is how many there are each way, a pair for each a and b; `brackets` makes these."""
        self.embed = Embedding(by_name(key, "embed"), spec.symbols, embedding)
        self.encoder = encoder(by_name(key, "encoder"), spec, hidden, embedding, 0)
        self.head = head(by_name(key, "head"), spec, hidden)
        self.critic = Linear(by_name(key, "critic"), hidden, 1)
        self.gate_phi = GatePhi(by_name(key, "gate_phi"), spec, hidden, embedding, 1 + 2 * returns)
        self.brackets = brackets(by_name(key, "brackets"), spec.symbols, returns)
        self.hidden_size = self.encoder.hidden_size

    def encode(self, obs: Any, memory: Memory) -> Features:
        """x, and what z sees of it and of M_p."""
        return self.encoder(obs, self.embed, memory)

    def core(self, features: Features, hidden: Float[Array, " hidden"]) -> Features:
        """z."""
        return self.encoder.core(features, hidden)

    def read_lines(self, features: Features) -> Features:
        """a, b and K."""
        return features._replace(B=self.brackets(features.lines))

    def actor_critic(self, features: Features) -> tuple[Float[Array, " actions"], Float[Array, ""]]:
        """π(x, M_p) and the value."""
        line = features.lines[features.p]
        return self.head(features.z, features.choices, line), self.critic(features.z)[0]

    def movement(self, features: Features, action: Int[Array, ""], response: Int[Array, ""]) -> Movement:
        """The gate, and P mixed by φ."""
        gate, u = self.gate_phi(features.z, action, response)
        a, b, K = features.B
        P = first_return(a, b, K, features.p, features.length)
        following = jnp.minimum(features.p + 1, features.length - 1)
        next_line = jnp.where(jnp.arange(P.shape[0]) == following, 0.0, IMPOSSIBLE)
        return Movement(gate, jnp.column_stack([next_line, P]), jax.nn.log_softmax(u))

    def next_hidden(self, features: Features, action: Int[Array, ""], response: Int[Array, ""]) -> Array:
        """What the encoder has made of it, where it has a recurrent state."""
        del action, response
        return features.h
