"""CoFCA-D, ours: a scan with a direction. Each column looks either ahead or behind, and φ chooses between them.

In the scan of CoFCA-S a far jump ahead has to turn down every line behind the pointer as well. Instructions in training
have few of those, so the coins of lines far behind are hardly trained, and the longer an instruction the likelier one
of them shows heads. Here a jump ahead never asks a line behind, however many there are.

In Minecraft it is near-sighted besides (`Sizes.near_sighted`). In the scan of CoFCA-S a coin knows the observation, so
that one jump can take in several conditions, each of which has to be worked out from afar; rows of them longer than any
in training are where it goes wrong. Near-sighted, the world is looked at from the pointer only: the pointer
has to stop at every condition, and an instruction of any length can be followed by the same few moves.
"""

import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from cofca.agents.coins import CoinsAgent
from cofca.agents.modules.scan import scan_one_way
from cofca.agents.pointer import View
from cofca.agents.sizes import Sizes
from cofca.envs.spec import Spec


class CofcaD(CoinsAgent):
    """As CoFCA-S, but the first half of the columns of P are scans ahead, the others are scans behind."""

    def __init__(self, key: PRNGKeyArray, spec: Spec, sizes: Sizes) -> None:
        behind = sizes.columns // 2
        super().__init__(key, spec, sizes, ahead=sizes.columns - behind, behind=behind)

    def columns(self, view: View) -> Float[Array, "lines columns"]:
        """The scan of each column in its direction."""
        ahead, behind = self.coins(view)
        place = view.pointer, view.length
        return jnp.concatenate([scan_one_way(ahead, *place, step=1), scan_one_way(behind, *place, step=-1)], axis=1)
