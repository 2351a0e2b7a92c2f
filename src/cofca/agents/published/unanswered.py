"""An agent that is not told what became of its actions: to the letter, the paper's gate and φ see x, M_p and a only."""

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.base import Agent, Memory
from cofca.agents.distribution import Movement
from cofca.envs.spec import Spec

NOTHING = 0


class Unanswered(Agent):
    """Another agent, to which every response looks the same."""

    inner: Agent
    hidden_size: int = eqx.field(static=True)

    def __init__(self, key: PRNGKeyArray, spec: Spec, *parts: Any, architecture: Callable[..., Agent], **numbers: Any):
        self.inner = architecture(key, spec, *parts, **numbers)
        self.hidden_size = self.inner.hidden_size

    @property
    def has_pointer(self) -> bool:  # type: ignore[override]  # what is a constant of other agents depends on the inner one
        """As the inner agent."""
        return self.inner.has_pointer

    def encode(self, obs: Any, memory: Memory) -> Any:
        """Without the response before."""
        return self.inner.encode(obs, memory._replace(before=memory.before * jnp.array([1, 0])))

    def core(self, features: Any, hidden: Float[Array, " hidden"]) -> Any:
        """As the inner agent."""
        return self.inner.core(features, hidden)

    def read_lines(self, features: Any) -> Any:
        """As the inner agent."""
        return self.inner.read_lines(features)

    def actor_critic(self, features: Any) -> tuple[Float[Array, " actions"], Float[Array, ""]]:
        """As the inner agent."""
        return self.inner.actor_critic(features)

    def movement(self, features: Any, action: Int[Array, ""], response: Int[Array, ""]) -> Movement:
        """After an action, whatever became of it."""
        return self.inner.movement(features, action, jnp.full_like(response, NOTHING))

    def next_hidden(self, features: Any, action: Int[Array, ""], response: Int[Array, ""]) -> Float[Array, " hidden"]:
        """After an action, whatever became of it."""
        return self.inner.next_hidden(features, action, jnp.full_like(response, NOTHING))
