"""What CoFCA-S and CoFCA-D share: a coin for every line ahead of the pointer and behind it."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from cofca.agents.columns import ColumnsAgent
from cofca.agents.layers import Linear
from cofca.agents.pointer import View
from cofca.agents.sizes import Sizes
from cofca.agents.spec import Spec


class CoinsAgent(ColumnsAgent):
    """B, the logits of the coins, is a linear function of the GRUs' outputs, for each direction its own.

    The coin of a line ahead is decided when that line has been read; if near-sighted, just before.
    """

    forward: Linear
    backward: Linear

    def __init__(self, key: PRNGKeyArray, spec: Spec, sizes: Sizes, ahead: int, behind: int) -> None:
        """So many columns have coins ahead and behind."""
        base, forward, backward = jax.random.split(key, 3)
        super().__init__(base, spec, sizes)
        self.forward = Linear(forward, sizes.recurrent, ahead, bias=sizes.heads)
        self.backward = Linear(backward, sizes.recurrent, behind, bias=sizes.heads)

    def coins(self, view: View) -> tuple[Float[Array, "distances ahead"], Float[Array, "distances behind"]]:
        """The logits B of the lines p + 1, p + 2, ... and p - 1, p - 2, ..."""
        # Both heads in one product: to take the outputs apart would cost more.
        heads = jax.scipy.linalg.block_diag(self.forward.weight, self.backward.weight)
        logits = self.read(view) @ heads + jnp.concatenate([self.forward.bias, self.backward.bias])
        ahead, behind = jnp.split(logits, [self.forward.bias.size], axis=1)
        # The outputs are those at p, p + 1, ... and at p - 1, p - 2, ...
        return ahead[:-1] if self.both_ways.near_sighted else ahead[1:], behind[:-1]
