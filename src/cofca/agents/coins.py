"""What CoFCA-S and CoFCA-D share: a coin for every line ahead of the pointer and behind it."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from cofca.agents.columns import ColumnsAgent
from cofca.agents.modules.layers import Linear
from cofca.agents.pointer import View
from cofca.agents.sizes import Sizes
from cofca.envs.spec import Spec


class CoinsAgent(ColumnsAgent):
    """B, the logits of the coins, is a linear function of the GRUs' outputs, for each direction its own.

    The coin of a line ahead is decided when that line has been read; if near-sighted, just before.
    """

    forward: Linear
    backward: Linear
    heads: Linear | None
    """Both as one; None until the agent is prepared."""

    def __init__(self, key: PRNGKeyArray, spec: Spec, sizes: Sizes, ahead: int, behind: int) -> None:
        """So many columns have coins ahead and behind."""
        base, forward, backward = jax.random.split(key, 3)
        super().__init__(base, spec, sizes)
        self.forward = Linear(forward, sizes.recurrent, ahead, bias=sizes.heads)
        self.backward = Linear(backward, sizes.recurrent, behind, bias=sizes.heads)
        self.heads = None

    def prepared(self) -> "CoinsAgent":
        """With both heads in one product, too: to take the outputs of the GRUs apart would cost more."""
        agent: Any = super().prepared()
        return eqx.tree_at(lambda agent: agent.heads, agent, self._heads(), is_leaf=lambda leaf: leaf is None)

    def _heads(self) -> Linear:
        weight = jax.scipy.linalg.block_diag(self.forward.weight, self.backward.weight)
        bias = jnp.concatenate([self.forward.bias, self.backward.bias])
        return eqx.tree_at(lambda both: (both.weight, both.bias), self.forward, (weight, bias))

    def around(self, outputs: Float[Array, "lines *batch hidden"], views: View) -> Float[Array, "*batch lines coins"]:
        """The logits of the coins ahead and, beside them, of those behind."""
        del views
        return jnp.moveaxis((self.heads or self._heads())(outputs), 0, -2)

    def coins(self, view: View) -> tuple[Float[Array, "distances ahead"], Float[Array, "distances behind"]]:
        """The logits B of the lines p + 1, p + 2, ... and p - 1, p - 2, ..."""
        ahead, behind = jnp.split(view.around, [self.forward.bias.size], axis=1)
        # The outputs are those at p, p + 1, ... and at p - 1, p - 2, ...
        return ahead[:-1] if self.both_ways.near_sighted else ahead[1:], behind[:-1]
