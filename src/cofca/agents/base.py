"""The agent protocol: what training, evaluation and people know of an agent. `decide` is its time step."""

from abc import abstractmethod
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, Int32

from cofca.agents.distribution import Movement


class Memory(NamedTuple):
    """What an agent carries from one time step to the next."""

    pointer: Int32[Array, ""]
    hidden: Float[Array, " hidden"]
    """h, of length 0 for agents without a recurrent state."""
    before: Int32[Array, "2"]
    """The action before this one and its response, each plus one; zeros at the start."""


class Features(NamedTuple):
    """What the agents of this package make of an observation and of their memory."""

    lines: Int[Array, "lines symbols"]
    mask: Int[Array, " lines"]
    """Which lines exist."""
    p: Int[Array, ""]
    x: Float[Array, " x"]
    """The encoded observation."""
    z: Float[Array, " hidden"]
    """What policy, value, gate and φ see; before `core`, without the recurrent state and its ReLU."""
    choices: Any
    """What the action head knows of the single actions."""
    rnn_input: Any = ()
    h: Any = ()
    """The recurrent state that z has seen; set by `core`."""
    B: Any = ()
    """What was read of all lines; set by `read_lines`."""

    @property
    def length(self) -> Int[Array, "*batch"]:
        """Lines of the instruction."""
        return self.mask.sum(axis=-1, dtype=jnp.int32)


def join_hidden(features: Features, hidden: Float[Array, " hidden"], weight: Float[Array, "inputs z"]) -> Features:
    """Let z see the recurrent state, where there is one, through the last rows of its weights."""
    z, h = features.z, hidden.astype(features.z.dtype)
    return features._replace(z=jax.nn.relu(z + h @ weight[-h.size :] if h.size else z), h=h)


class Agent(eqx.Module):
    """One agent. All methods are of one environment, and `jax.vmap` makes them many."""

    hidden_size: eqx.AbstractVar[int]
    """Length of the recurrent state; 0 where time steps can be evaluated apart from each other."""
    has_pointer: eqx.AbstractClassVar[bool]

    @abstractmethod
    def encode(self, obs: Any, memory: Memory) -> Any:
        """What does not depend on the recurrent state: no time step waits for another."""

    @abstractmethod
    def core(self, features: Any, hidden: Float[Array, " hidden"]) -> Any:
        """Join it with the recurrent state."""

    @abstractmethod
    def read_lines(self, features: Any) -> Any:
        """Add what only movements need. It may be called with a batch of features, lines and all."""

    @abstractmethod
    def actor_critic(self, features: Any) -> tuple[Float[Array, " actions"], Float[Array, ""]]:
        """The logits of the actions, impossible ones masked, and the value."""

    @abstractmethod
    def movement(self, features: Any, action: Int[Array, ""], response: Int[Array, ""]) -> Movement:
        """How the pointer may move after an action and its response."""

    @abstractmethod
    def next_hidden(self, features: Any, action: Int[Array, ""], response: Int[Array, ""]) -> Float[Array, " hidden"]:
        """The recurrent state that the next time step starts with."""

    def forward(self, obs: Any, memory: Memory) -> Any:
        """Everything that does not depend on the action."""
        return self.read_lines(self.core(self.encode(obs, memory), memory.hidden))

    def initial_memory(self) -> Memory:
        """At the start of an episode."""
        return Memory(jnp.int32(0), jnp.zeros(self.hidden_size), jnp.zeros(2, jnp.int32))
