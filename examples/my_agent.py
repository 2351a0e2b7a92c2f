"""An agent that acts on what it sees and its pointer's line. If its gate opens, its pointer moves to the next line."""

from typing import Any, ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp

import cofca
from cofca.agents.distribution import Movement
from cofca.agents.modules.layers import Embedding, Linear
from cofca.agents.modules.scan import IMPOSSIBLE

HIDDEN = 64


class MyAgent(cofca.Agent):
    embed: Embedding
    join: Linear
    act: Linear
    critic: Linear
    gate: Linear
    hidden_size: int = eqx.field(static=True, default=0)
    has_pointer: ClassVar[bool] = True

    def __init__(self, key: jax.Array, spec: Any) -> None:
        keys = jax.random.split(key, 5)
        rest = spec.limits._replace(lines=spec.limits.lines[:0], mask=spec.limits.mask[:0])
        self.embed = Embedding(keys[0], spec.symbols, HIDDEN)
        self.join = Linear(keys[1], HIDDEN + sum(leaf.size for leaf in jax.tree.leaves(rest)), HIDDEN)
        self.act, self.critic = Linear(keys[2], HIDDEN, spec.actions, 0.01), Linear(keys[3], HIDDEN, 1)
        self.gate = Linear(keys[4], HIDDEN + spec.responses, 1, 0.01)

    def encode(self, obs: Any, memory: Any) -> Any:
        rest = obs._replace(lines=(), mask=())
        seen = [jnp.ravel(leaf).astype(self.join.weight.dtype) for leaf in jax.tree.leaves(rest)]
        z = self.join(jnp.concatenate([self.embed(obs.lines[memory.pointer]), *seen]))
        return jax.nn.relu(z), obs, memory.pointer

    def core(self, features: Any, hidden: jax.Array) -> Any:
        return features  # there is no recurrent state

    def read_lines(self, features: Any) -> Any:
        return features

    def actor_critic(self, features: Any) -> tuple[jax.Array, jax.Array]:
        z, obs, _ = features
        logits, mask = self.act(z), getattr(obs, "action_mask", None)
        return logits if mask is None else jnp.where(mask > 0, logits, IMPOSSIBLE), self.critic(z)[0]

    def movement(self, features: Any, action: jax.Array, response: jax.Array) -> Movement:
        z, obs, p = features
        told = jax.nn.one_hot(response, self.gate.weight.shape[0] - HIDDEN, dtype=z.dtype)
        target = jnp.minimum(p + 1, obs.mask.sum() - 1)
        columns = jnp.where(jnp.arange(obs.mask.size) == target, 0.0, IMPOSSIBLE)[:, None]
        return Movement(self.gate(jnp.concatenate([z, told]))[0], columns, jnp.zeros(1))

    def next_hidden(self, features: Any, action: jax.Array, response: jax.Array) -> jax.Array:
        return jnp.zeros(0)
