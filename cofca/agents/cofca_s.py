"""CoFCA-S: a pointer that moves to where it should go, found by scanning the lines around it."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from cofca.agents.columns import ColumnsAgent
from cofca.agents.layers import Linear
from cofca.agents.pointer import View
from cofca.agents.scan import scan
from cofca.agents.sizes import Sizes
from cofca.agents.spec import Spec


class CofcaS(ColumnsAgent):
    """The paper's architecture: B = sigmoid(GRUs over [M, x] from the pointer both ways); P = the scan of B."""

    forward: Linear
    backward: Linear

    def __init__(self, key: PRNGKeyArray, spec: Spec, sizes: Sizes) -> None:
        base, forward, backward = jax.random.split(key, 3)
        super().__init__(base, spec, sizes)
        self.forward = Linear(forward, sizes.recurrent, sizes.columns)
        self.backward = Linear(backward, sizes.recurrent, sizes.columns)

    def columns(self, view: View) -> Float[Array, "lines columns"]:
        """The scan in each column."""
        forward, backward = self.coins(view)
        return scan(forward, backward, view.pointer, view.length)

    def coins(self, view: View) -> tuple[Float[Array, "distances columns"], Float[Array, "distances columns"]]:
        """The logits B of the lines p + 1, p + 2, ... and p - 1, p - 2, ..."""
        # Both heads in one product: to take the outputs apart would cost more.
        heads = jax.scipy.linalg.block_diag(self.forward.weight, self.backward.weight)
        logits = self.read(view) @ heads + jnp.concatenate([self.forward.bias, self.backward.bias])
        ahead, behind = jnp.split(logits, 2, axis=1)
        return ahead[1:], behind[:-1]
