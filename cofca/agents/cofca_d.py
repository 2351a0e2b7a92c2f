"""CoFCA-D, ours: a scan with a direction. Each column looks either ahead or behind, and φ chooses between them.

In the scan of CoFCA-S a far jump ahead has to turn down every line behind the pointer as well. Instructions in training
have few of those, so the coins of lines far behind are hardly trained, and the longer an instruction the likelier one
of them shows heads. Here a jump ahead never asks a line behind, however many there are.
"""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from cofca.agents.columns import ColumnsAgent
from cofca.agents.layers import Linear
from cofca.agents.pointer import View
from cofca.agents.scan import scan_one_way
from cofca.agents.sizes import Sizes
from cofca.agents.spec import Spec


class CofcaD(ColumnsAgent):
    """As CoFCA-S, but the first half of the columns of P are scans ahead, the others are scans behind."""

    forward: Linear
    backward: Linear

    def __init__(self, key: PRNGKeyArray, spec: Spec, sizes: Sizes) -> None:
        base, forward, backward = jax.random.split(key, 3)
        super().__init__(base, spec, sizes)
        behind = sizes.columns // 2
        self.forward = Linear(forward, sizes.recurrent, sizes.columns - behind)
        self.backward = Linear(backward, sizes.recurrent, behind)

    def columns(self, view: View) -> Float[Array, "lines columns"]:
        """The scan of each column in its direction."""
        ahead, behind = self.coins(view)
        place = view.pointer, view.length
        return jnp.concatenate([scan_one_way(ahead, *place, step=1), scan_one_way(behind, *place, step=-1)], axis=1)

    def coins(self, view: View) -> tuple[Float[Array, "distances ahead"], Float[Array, "distances behind"]]:
        """The logits of the lines p + 1, p + 2, ... and p - 1, p - 2, ..."""
        heads = jax.scipy.linalg.block_diag(self.forward.weight, self.backward.weight)
        logits = self.read(view) @ heads + jnp.concatenate([self.forward.bias, self.backward.bias])
        ahead, behind = jnp.split(logits, [self.forward.bias.size], axis=1)
        return ahead[1:], behind[:-1]
