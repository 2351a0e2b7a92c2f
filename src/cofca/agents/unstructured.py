"""Unstructured Memory: no pointer; a recurrent state must remember how far the agent has got."""

from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.base import CLOSED, Agent, Memory, Movement
from cofca.agents.modules.cells import CHOOSING, Choosing, cells_of
from cofca.agents.modules.layers import GRU, RELU_GAIN, Embedding, Linear, stack
from cofca.agents.modules.scan import IMPOSSIBLE
from cofca.agents.modules.torso import Torso, perceive_by_step
from cofca.agents.sizes import Sizes
from cofca.envs.spec import Spec


class Percept(NamedTuple):
    """What the agent sees, projected for whoever needs it."""

    news: Float[Array, " gates"]
    """For the memory."""
    joined: Float[Array, " hidden"]
    """For policy and value."""
    cells: Float[Array, "cells features"]
    """What the policy knows of each cell; of length 0 where it does not choose by that."""
    symbols: Int[Array, "lines symbols"]
    """The instruction, to know how many lines there could be."""


class View(NamedTuple):
    """What the agent makes of all it sees and remembers."""

    hidden: Float[Array, " hidden"]
    here: Float[Array, " hidden"]
    cells: Float[Array, "cells features"]
    symbols: Int[Array, "lines symbols"]


class Unstructured(Agent):
    """h_t = GRU([code of the instruction, x_t, action before, its response], h_{t-1}); the policy sees h_t and x_t."""

    line: Embedding
    readers: GRU
    """Two GRUs over the instruction, from the first line to the last and back, stacked."""
    torso: Torso
    deed: Embedding
    memory: GRU
    join: Linear
    act: Linear
    critic: Linear
    choose: Choosing | None
    """What chooses cells by what is there, where that is so."""
    hidden_size: int = eqx.field(static=True)

    def __init__(self, key: PRNGKeyArray, spec: Spec, sizes: Sizes) -> None:
        keys = jax.random.split(key, 9)
        self.hidden_size = sizes.hidden
        self.line = Embedding(keys[0], spec.symbols, sizes.embedding)
        self.readers = stack([GRU(one, sizes.embedding, sizes.recurrent) for one in keys[1:3]])
        self.torso = Torso(keys[3], spec, sizes)
        self.deed = Embedding(keys[4], (spec.actions, spec.responses), sizes.embedding)
        inputs = 2 * sizes.recurrent + self.torso.size + sizes.embedding
        self.memory = GRU(keys[5], inputs, sizes.hidden)
        self.join = Linear(keys[6], sizes.hidden + self.torso.size, sizes.hidden, RELU_GAIN)
        self.act = Linear(keys[7], sizes.hidden, spec.actions, 0.01)
        self.critic = Linear(keys[8], sizes.hidden, 1)
        choosing = jax.random.fold_in(key, CHOOSING)
        self.choose = Choosing(choosing, sizes.hidden, spec, found=0) if sizes.places else None

    def prepared(self) -> "Unstructured":
        """With its torso prepared."""
        return eqx.tree_at(lambda agent: agent.torso, self, self.torso.prepared())

    def perceive_all(self, obs: Any, memory: Memory) -> Any:
        """In a way that is easy to learn through."""
        return perceive_by_step(self, obs, memory)

    def perceive(self, obs: Any, memory: Memory) -> Percept:
        """Read the whole instruction, and look around."""
        sight = self.torso(obs)
        code, cells = sight.code, cells_of(self.choose, sight, [])
        inputs = jnp.concatenate([self.read(obs), code, self.deed(memory.before)])
        joined = code @ self.join.weight[self.hidden_size :] + self.join.bias
        return Percept(self.memory.inputs(inputs), joined, cells, obs.lines)

    def recall(self, percept: Percept, hidden: Float[Array, " hidden"]) -> View:
        """Remember."""
        hidden = self.memory.step(hidden.astype(percept.news.dtype), percept.news)
        here = jax.nn.relu(percept.joined + hidden @ self.join.weight[: self.hidden_size])
        return View(hidden, here, percept.cells, percept.symbols)

    def read(self, obs: Any) -> Float[Array, " code"]:
        """The last outputs of a GRU from the first line to the last and of one back."""
        lines, exists = self.line(obs.lines), obs.mask > 0
        both = jnp.stack([lines, lines[::-1]])
        projected = jax.vmap(lambda gru, lines: gru.inputs(lines))(self.readers, both).swapaxes(0, 1)
        there = jnp.stack([exists, exists[::-1]], axis=1)

        def step(hidden: Array, now: tuple[Array, Array]) -> tuple[Array, None]:
            line, real = now
            # Padding changes nothing.
            return jnp.where(real[:, None], jax.vmap(GRU.step)(self.readers, hidden, line), hidden), None

        start = jnp.zeros((2, self.readers.recurrent.shape[1]), lines.dtype)
        return jax.lax.scan(step, start, (projected, there), unroll=True)[0].reshape(-1)

    def policy(self, view: View) -> Float[Array, " actions"]:
        """By the observation and what is remembered."""
        logits = self.act(view.here)
        return logits if self.choose is None else self.choose(logits, view.here, view.cells)

    def value(self, view: View) -> Float[Array, ""]:
        """By the same."""
        return self.critic(view.here)[0]

    def hidden(self, view: View) -> Float[Array, " hidden"]:
        """What is remembered."""
        return view.hidden

    def movement(self, view: View, action: Int[Array, ""], response: Int[Array, ""]) -> Movement:
        """There is nothing to move."""
        del action, response
        targets = jnp.where(jnp.arange(view.symbols.shape[0]) == 0, 0.0, IMPOSSIBLE)
        return Movement(jnp.float32(CLOSED), targets)
