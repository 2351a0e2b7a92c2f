"""h = GRU(a, h), as in the paper's StarCraft agents: z sees a recurrent state that has seen every action."""

from collections.abc import Callable
from typing import Any

import equinox as eqx
from jaxtyping import Array, Float, PRNGKeyArray

from cofca.agents.base import Features, Memory
from cofca.agents.modules.layers import GRU, Embedding
from cofca.envs.spec import Spec
from cofca.utils.prng import by_name


class ActionGRUEncoder(eqx.Module):
    """Another encoder, whose z sees h. A time step first lets h see the action before it: its own is still to come."""

    inner: Any
    action_embedding: Embedding
    gru: GRU
    size: int = eqx.field(static=True)
    """Of x."""
    hidden_size: int = eqx.field(static=True)

    def __init__(
        self, key: PRNGKeyArray, spec: Spec, hidden: int, embedding: int, hidden_size: int, inner: Callable[..., Any],
        gru: int,
    ) -> None:  # fmt: skip
        if hidden_size:
            raise ValueError("an agent with a recurrent state of its own can't have one over actions as well")
        self.inner = inner(by_name(key, "inner"), spec, hidden, embedding, gru)
        # Actions count from one; zero stands for the start of an episode.
        self.action_embedding = Embedding(by_name(key, "action_embedding"), (spec.actions,), embedding)
        self.gru = GRU(by_name(key, "gru"), embedding, gru)
        self.size, self.hidden_size = self.inner.size, gru

    def __call__(self, obs: Any, embed: Embedding, memory: Memory) -> Features:
        """What does not depend on the recurrent state."""
        features = self.inner(obs, embed, memory)
        return features._replace(rnn_input=self.gru.inputs(self.action_embedding(memory.before[:1])))

    def core(self, features: Features, hidden: Float[Array, " hidden"]) -> Features:
        """Let h see the action, and z see h."""
        return self.inner.core(features, self.gru.step(hidden.astype(features.z.dtype), features.rnn_input))
