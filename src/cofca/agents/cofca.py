"""CoFCA: the ablation without the scan. It says how far to move, not where to."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.columns import ColumnsAgent
from cofca.agents.modules.layers import Linear
from cofca.agents.modules.relative_moves import by_line, zero_mass_beyond
from cofca.agents.pointer import View
from cofca.agents.sizes import Sizes
from cofca.envs.spec import Spec


class Cofca(ColumnsAgent):
    """P = softmax of ξ(the last outputs of the GRUs over [M, x] from the pointer both ways), in each column."""

    xi: Linear
    farthest: int = eqx.field(static=True)
    """Moves go from minus to plus this."""

    def __init__(self, key: PRNGKeyArray, spec: Spec, sizes: Sizes) -> None:
        base, xi = jax.random.split(key)
        super().__init__(base, spec, sizes)
        self.farthest = sizes.farthest
        moves = Linear(xi, 2 * sizes.recurrent, (2 * self.farthest + 1) * sizes.columns, 0.01)
        self.xi = zero_mass_beyond(spec.limits.mask.size - 1, moves, self.farthest, sizes.columns)

    def around(self, outputs: Float[Array, "lines *batch hidden"], views: View) -> Float[Array, "*batch hidden"]:
        """The last outputs: those at the last and at the first line."""
        ahead, behind = jnp.split(outputs, 2, axis=-1)
        ends = _at(ahead, views.length - 1 - views.pointer), _at(behind, views.pointer - 1)
        return jnp.concatenate(ends, axis=-1)

    def columns(self, view: View) -> Float[Array, "lines columns"]:
        """The moves' softmax in each column."""
        logits = self.xi(view.around).reshape(2 * self.farthest + 1, -1)
        return by_line(logits, view.pointer, view.length, view.symbols.shape[0], stay=False)


def _at(outputs: Float[Array, "lines *batch size"], place: Int[Array, "*batch"]) -> Float[Array, "*batch size"]:
    """One of the outputs; zeros where the place is before the first."""
    chosen = jax.nn.one_hot(place, outputs.shape[0], axis=0)
    return jnp.einsum("l...,l...s->...s", chosen, outputs)
