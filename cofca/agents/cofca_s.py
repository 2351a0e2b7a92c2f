"""CoFCA-S: a pointer that moves to where it should go, found by scanning the lines around it."""

import jax
from jaxtyping import Array, Float, PRNGKeyArray

from cofca.agents.layers import Linear
from cofca.agents.lines import LinesBothWays
from cofca.agents.pointer import PointerAgent, View
from cofca.agents.scan import scan
from cofca.agents.sizes import Sizes
from cofca.agents.spec import Spec


class CofcaS(PointerAgent):
    """The paper's architecture.

    B = sigmoid(GRUs over [M, x] from the pointer both ways); P = the scan of B in each of n_e columns; φ weighs the
    columns.
    """

    both_ways: LinesBothWays
    forward: Linear
    backward: Linear

    def __init__(self, key: PRNGKeyArray, spec: Spec, sizes: Sizes) -> None:
        base, lines, forward, backward = jax.random.split(key, 4)
        super().__init__(base, spec, sizes, sizes.columns)
        self.both_ways = LinesBothWays(lines, sizes.embedding, self.torso.size, sizes.recurrent)
        self.forward = Linear(forward, sizes.recurrent, sizes.columns)
        self.backward = Linear(backward, sizes.recurrent, sizes.columns)

    def targets(self, view: View, choice: Float[Array, " columns"]) -> Float[Array, " lines"]:
        """Mix the columns of P as φ says."""
        columns = self.columns(view)
        return jax.nn.logsumexp(columns + jax.nn.log_softmax(choice), axis=-1)

    def columns(self, view: View) -> Float[Array, "lines columns"]:
        """The logarithms of P."""
        ahead, behind = self.both_ways(self.line, view.symbols, view.pointer, view.code)
        return scan(self.forward(ahead[1:]), self.backward(behind[:-1]), view.pointer, view.length)
