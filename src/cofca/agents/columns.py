"""What CoFCA-S and CoFCA share: they read the lines around the pointer and mix several distributions over them."""

import math
from abc import abstractmethod
from functools import reduce
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.base import Memory, Mixture
from cofca.agents.modules.layers import GRU, Embedding
from cofca.agents.modules.line_gru import LinesBothWays, Reader
from cofca.agents.modules.wander import anywhere
from cofca.agents.pointer import PointerAgent, View
from cofca.agents.sizes import Sizes
from cofca.envs.spec import Spec
from cofca.utils.loops import on_cpu

HISTORY = 2
"""Which of an agent's keys makes its history. It came last: the others are what they were."""


class ColumnsAgent(PointerAgent):
    """P has n_e columns, each a distribution over lines; φ weighs them."""

    both_ways: LinesBothWays
    reader: Reader | None
    """None until the agent is prepared."""
    deeds: Embedding | None
    history: GRU | None
    """h = GRU(action and response, h), where there is one."""

    def __init__(self, key: PRNGKeyArray, spec: Spec, sizes: Sizes) -> None:
        base, lines = jax.random.split(key)
        super().__init__(base, spec, sizes, sizes.columns, hidden_size=sizes.history)
        self.both_ways = LinesBothWays(lines, self.line, self.torso.size, sizes)
        self.reader = None
        told, history = jax.random.split(jax.random.fold_in(key, HISTORY))
        many = sizes.history > 0
        self.deeds = Embedding(told, (spec.actions, spec.responses), sizes.embedding) if many else None
        self.history = GRU(history, sizes.embedding, sizes.history) if many else None

    def news(self, memory: Memory) -> Float[Array, " news"]:
        """The action before and its response, as the GRU takes them."""
        if self.deeds is None or self.history is None:
            return super().news(memory)
        return self.history.inputs(self.deeds(memory.before))

    def updated(self, hidden: Float[Array, " hidden"], news: Float[Array, " news"]) -> Float[Array, " hidden"]:
        """With the action before in it."""
        return hidden if self.history is None else self.history.step(hidden, news)

    def hidden(self, view: View) -> Float[Array, " hidden"]:
        """What z has seen."""
        return view.recurrent

    def prepared(self) -> "ColumnsAgent":
        """With its reader made, too."""
        made = self.both_ways.reader(self.line)
        agent: Any = super().prepared()
        return eqx.tree_at(lambda agent: agent.reader, agent, made, is_leaf=lambda leaf: leaf is None)

    def survey(self, views: View) -> View:
        """With the lines around the pointer read, of one environment or of any batch."""
        return views._replace(around=self.around(self.read(views), views))

    def survey_all(self, views: View) -> View:
        """The same for all time steps and environments.

        An accelerator reads them as one batch: then lines come first in memory, and what the way back needs is not
        written down once more, transposed. Several may share the environments of a seed; they would have to send each
        other all of that batch. CPUs are faster one by one."""
        alone = jax.device_count() == 1 and not on_cpu()
        return self.survey(views) if alone else super().survey_all(views)

    def read(self, views: View) -> Float[Array, "lines *batch hidden"]:
        """The outputs of the GRUs at p, p + 1, ... and, beside them, at p - 1, p - 2, ..."""
        reader = self.reader or self.both_ways.reader(self.line)
        return reader(views.symbols, views.pointer, views.code)

    @abstractmethod
    def around(self, outputs: Float[Array, "lines *batch hidden"], views: View) -> Float[Array, "..."]:
        """What the columns of P are made of."""

    def targets(self, view: View, choice: Float[Array, " columns"]) -> Float[Array, " lines"]:
        """Mix the columns of P as φ says."""
        weighed = self.columns(view) + jax.nn.log_softmax(choice)
        # Two by two: there are few columns, and accelerators are slow at sums of a few numbers.
        return reduce(jnp.logaddexp, jnp.unstack(weighed, axis=-1))

    def mixture(self, view: View, action: Int[Array, ""], response: Int[Array, ""]) -> Mixture:
        """The columns of P and what φ says of them; a restless pointer has a last one that goes anywhere."""
        columns = self.columns(view)
        weights = jax.nn.log_softmax(self.phi(self.thought(view, action, response)))
        if not self.wander:
            return Mixture(columns, weights)
        columns = jnp.concatenate([columns, anywhere(columns.max(axis=1))[:, None]], axis=1)
        return Mixture(columns, jnp.append(weights + math.log1p(-self.wander), math.log(self.wander)))

    @abstractmethod
    def columns(self, view: View) -> Float[Array, "lines columns"]:
        """The logarithms of P."""
