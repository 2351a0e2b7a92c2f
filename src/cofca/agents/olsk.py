"""OLSK and OLSK-E: a recurrent controller moves the pointer by one line, or by any number of lines."""

import equinox as eqx
import jax
from jaxtyping import Array, Float, PRNGKeyArray

from cofca.agents.modules.layers import GRU
from cofca.agents.modules.relative_moves import by_line, zero_mass_beyond
from cofca.agents.pointer import PointerAgent, View
from cofca.agents.sizes import Sizes
from cofca.envs.spec import Spec


class Olsk(PointerAgent):
    """φ(x, M_p, a, h) is a softmax over the moves -n, ..., n, and h goes on from time step to time step."""

    controller: GRU
    farthest: int = eqx.field(static=True)

    def __init__(self, key: PRNGKeyArray, spec: Spec, sizes: Sizes, farthest: int = 1) -> None:
        base, controller = jax.random.split(key)
        super().__init__(base, spec, sizes, 2 * farthest + 1, hidden_size=sizes.recurrent)
        self.farthest = farthest
        if farthest > 1:
            self.phi = zero_mass_beyond(spec.limits.mask.size - 1, self.phi, farthest, columns=1)
        self.controller = GRU(controller, sizes.hidden, sizes.recurrent)

    def hidden(self, view: View) -> Float[Array, " hidden"]:
        """The controller sees what the policy sees, its own state before included."""
        return self.controller.step(view.recurrent, self.controller.inputs(view.here))

    def targets(self, view: View, choice: Float[Array, " columns"]) -> Float[Array, " lines"]:
        """φ's moves; staying is one of them."""
        return by_line(choice[:, None], view.pointer, view.length, view.symbols.shape[0], stay=True)[:, 0]


def olsk_e(key: PRNGKeyArray, spec: Spec, sizes: Sizes) -> Olsk:
    """OLSK with the range of moves extended to whole instructions."""
    return Olsk(key, spec, sizes, farthest=sizes.farthest)
