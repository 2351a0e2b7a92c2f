"""What all agents with a pointer share: they act by the line it is on, and a gate decides when it moves."""

from abc import abstractmethod
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.base import CLOSED, Agent, Memory, Movement
from cofca.agents.modules.cells import CHOOSING, Choosing, Finding, cells_of
from cofca.agents.modules.layers import RELU_GAIN, Embedding, Linear
from cofca.agents.modules.names import Naming
from cofca.agents.modules.relation import Convolving, Weighing
from cofca.agents.modules.torso import Torso, perceive_by_step
from cofca.agents.modules.wander import restless
from cofca.agents.sizes import Sizes
from cofca.envs.spec import Spec

PAST, FINDING, NAMING = 10, 11, 12
"""Which of an agent's keys make the embedding of the past, what finds cells, and what names. They came last: the others
are what they were."""


class Percept(NamedTuple):
    """What the agent sees at its pointer."""

    symbols: Int[Array, "lines symbols"]
    """The instruction."""
    length: Int[Array, ""]
    pointer: Int[Array, ""]
    code: Float[Array, " code"]
    """x, the encoded observation."""
    cells: Float[Array, "cells features"]
    """What the policy knows of each cell; of length 0 where it does not choose by that."""
    joined: Float[Array, " hidden"]
    """The observation joined with the line at the pointer."""
    news: Float[Array, " news"]
    """What a recurrent state is to be told; of length 0 if nothing."""


class View(NamedTuple):
    """What the agent makes of it."""

    symbols: Int[Array, "lines symbols"]
    length: Int[Array, ""]
    pointer: Int[Array, ""]
    code: Float[Array, " code"]
    cells: Float[Array, "cells features"]
    here: Float[Array, " hidden"]
    """z, made of the observation, the line at the pointer and the recurrent state where there is one."""
    recurrent: Float[Array, " recurrent"]
    """The recurrent state that z has seen."""
    around: Float[Array, "..."]
    """What was read of the lines around the pointer; of length 0 for agents that only see its own."""


class PointerAgent(Agent):
    """A policy at the pointed line, a gate, and a way to move that each architecture has for itself."""

    line: Embedding
    torso: Torso
    relate: Weighing | Convolving
    find: Finding | None
    choose: Choosing | None
    """What chooses cells by what is there, where that is so."""
    name: Naming | None
    """What chooses actions by their names, where that is so."""
    past: Embedding | None
    """Of the action before and its response, where z sees them."""
    join: Linear
    act: Linear
    critic: Linear
    deed: Embedding
    """Of the action and its response."""
    reflect: Linear
    gate: Linear
    phi: Linear
    above: bool = eqx.field(static=True)
    """Whether z sees the line before the pointer's, too."""
    wander: float = eqx.field(static=True)
    """The share of moves that go anywhere."""
    hidden_size: int = eqx.field(static=True)
    conclusive: tuple[bool, ...] = eqx.field(static=True)
    """The responses after which the gate may open."""

    def __init__(self, key: PRNGKeyArray, spec: Spec, sizes: Sizes, columns: int, hidden_size: int = 0) -> None:
        """`columns` is what φ chooses from."""
        keys = jax.random.split(key, 10)
        self.hidden_size = hidden_size
        self.conclusive = spec.conclusive if sizes.gate_after_commands else (True,) * spec.responses
        self.line = Embedding(keys[0], spec.symbols, sizes.embedding)
        self.torso = Torso(keys[1], spec, sizes)
        self.relate = (Convolving if sizes.conditioned else Weighing)(keys[2], sizes.embedding, self.torso)
        deeds = (spec.actions, spec.responses)
        self.past = Embedding(jax.random.fold_in(key, PAST), deeds, sizes.embedding) if sizes.before else None
        self.above, self.wander = sizes.above, sizes.wander
        self.find = self.choose = None
        if sizes.places:
            self.find = Finding(jax.random.fold_in(key, FINDING), sizes.embedding, spec)
            self.choose = Choosing(jax.random.fold_in(key, CHOOSING), sizes.hidden, spec, found=1 + sizes.above)
        self.name = Naming(jax.random.fold_in(key, NAMING), sizes.hidden, spec) if sizes.names else None
        related = (self.relate.size + sizes.embedding + spec.cells * sizes.places) * (1 + sizes.above)
        inputs = self.torso.size + related + sizes.embedding * sizes.before + hidden_size
        self.join = Linear(keys[3], inputs, sizes.hidden, RELU_GAIN)
        self.act = Linear(keys[4], sizes.hidden, spec.actions, 0.01)
        self.critic = Linear(keys[5], sizes.hidden, 1)
        self.deed = Embedding(keys[6], (spec.actions - 1, spec.responses - 1), sizes.embedding)
        self.reflect = Linear(keys[7], sizes.hidden + sizes.embedding, sizes.hidden, RELU_GAIN)
        self.gate = Linear(keys[8], sizes.hidden, 1, 0.01)
        self.phi = Linear(keys[9], sizes.hidden, columns, 0.01)

    def prepared(self) -> "PointerAgent":
        """With its torso prepared."""
        return eqx.tree_at(lambda agent: agent.torso, self, self.torso.prepared())

    def perceive_all(self, obs: Any, memory: Memory) -> Any:
        """In a way that is easy to learn through."""
        return perceive_by_step(self, obs, memory)

    def perceive(self, obs: Any, memory: Memory) -> Percept:
        """Encode the observation, and join it with M_p, the embedded line at the pointer."""
        sight, lines = self.torso(obs), self._lines(obs, memory)
        related = [part for line in lines for part in (self.relate(sight, line), line)]
        found = [] if self.find is None else [self.find(sight, line) for line in lines]
        cells = cells_of(self.choose, sight, found)
        before = [] if self.past is None else [self.past(memory.before)]
        seen = jnp.concatenate([sight.code, *related, *found, *before])
        joined = seen @ self.join.weight[: seen.size] + self.join.bias
        length = obs.mask.sum(dtype=jnp.int32)
        return Percept(obs.lines, length, memory.pointer, sight.code, cells, joined, self.news(memory))

    def _lines(self, obs: Any, memory: Memory) -> list[Float[Array, " embedding"]]:
        """The embedded line at the pointer, and the one above it where z sees that."""
        lines = [obs.lines[memory.pointer]]
        if self.above:
            # The first line has padding above it.
            lines.append(jnp.where(memory.pointer > 0, obs.lines[memory.pointer - 1], 0))
        return [self.line(symbols) for symbols in lines]

    def news(self, memory: Memory) -> Float[Array, " news"]:
        """What a recurrent state is to be told: nothing, unless an agent has more to say."""
        del memory
        return jnp.zeros(0)

    def recall(self, percept: Percept, hidden: Float[Array, " hidden"]) -> View:
        """Join it with the recurrent state."""
        symbols, length, pointer, code, cells, joined, news = percept
        hidden = self.updated(hidden.astype(joined.dtype), news)
        if self.hidden_size:
            joined = joined + hidden @ self.join.weight[-self.hidden_size :]
        return View(symbols, length, pointer, code, cells, jax.nn.relu(joined), hidden, jnp.zeros(0))

    def updated(self, hidden: Float[Array, " hidden"], news: Float[Array, " news"]) -> Float[Array, " hidden"]:
        """The recurrent state that z sees: the one there was, unless the news change it."""
        del news
        return hidden

    def policy(self, view: View) -> Float[Array, " actions"]:
        """By the observation and the pointed line."""
        logits = self.act(view.here)
        if self.choose is not None:
            logits = self.choose(logits, view.here, view.cells)
        return logits if self.name is None else self.name(logits, view.here, view.symbols[view.pointer])

    def value(self, view: View) -> Float[Array, ""]:
        """By the same."""
        return self.critic(view.here)[0]

    def movement(self, view: View, action: Int[Array, ""], response: Int[Array, ""]) -> Movement:
        """Gate and φ see the observation, the pointed line, the action and its response."""
        thought = self.thought(view, action, response)
        gate = self.gate(thought)[0]
        if not all(self.conclusive):
            gate = jnp.where(jnp.array(self.conclusive)[response], gate, CLOSED)
        return Movement(gate, restless(self.targets(view, self.phi(thought)), self.wander))

    def thought(self, view: View, action: Int[Array, ""], response: Int[Array, ""]) -> Float[Array, " hidden"]:
        """What gate and φ are made of."""
        deed = self.deed(jnp.stack([action, response]))
        return jax.nn.relu(self.reflect(jnp.concatenate([view.here, deed])))

    @abstractmethod
    def targets(self, view: View, choice: Float[Array, " columns"]) -> Float[Array, " lines"]:
        """Log-probabilities of the lines to move to, given what φ says."""
