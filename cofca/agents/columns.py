"""What CoFCA-S and CoFCA share: they read the lines around the pointer and mix several distributions over them."""

from abc import abstractmethod
from typing import Any

import equinox as eqx
import jax
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.agent import Mixture
from cofca.agents.lines import LinesBothWays, Reader
from cofca.agents.pointer import PointerAgent, View
from cofca.agents.sizes import Sizes
from cofca.agents.spec import Spec


class ColumnsAgent(PointerAgent):
    """P has n_e columns, each a distribution over lines; φ weighs them."""

    both_ways: LinesBothWays
    reader: Reader | None
    """None until the agent is prepared."""

    def __init__(self, key: PRNGKeyArray, spec: Spec, sizes: Sizes) -> None:
        base, lines = jax.random.split(key)
        super().__init__(base, spec, sizes, sizes.columns)
        self.both_ways = LinesBothWays(lines, sizes.embedding, self.torso.size, sizes.recurrent, sizes.near_sighted)
        self.reader = None

    def prepared(self) -> "ColumnsAgent":
        """With its reader made, too."""
        made = self.both_ways.reader(self.line)
        agent: Any = super().prepared()
        return eqx.tree_at(lambda agent: agent.reader, agent, made, is_leaf=lambda leaf: leaf is None)

    def read(self, view: View) -> Float[Array, "lines hidden"]:
        """The outputs of the GRUs at p, p + 1, ... and, beside them, at p - 1, p - 2, ..."""
        reader = self.reader or self.both_ways.reader(self.line)
        return reader(view.symbols, view.pointer, view.code)

    def targets(self, view: View, choice: Float[Array, " columns"]) -> Float[Array, " lines"]:
        """Mix the columns of P as φ says."""
        return jax.nn.logsumexp(self.columns(view) + jax.nn.log_softmax(choice), axis=-1)

    def mixture(self, view: View, action: Int[Array, ""], response: Int[Array, ""]) -> Mixture:
        """The columns of P and what φ says of them."""
        return Mixture(self.columns(view), jax.nn.log_softmax(self.phi(self.thought(view, action, response))))

    @abstractmethod
    def columns(self, view: View) -> Float[Array, "lines columns"]:
        """The logarithms of P."""
