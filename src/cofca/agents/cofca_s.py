"""CoFCA-S: a pointer that moves to where it should go, found by scanning the lines around it."""

from jaxtyping import Array, Float, PRNGKeyArray

from cofca.agents.coins import CoinsAgent
from cofca.agents.modules.scan import scan
from cofca.agents.pointer import View
from cofca.agents.sizes import Sizes
from cofca.envs.spec import Spec


class CofcaS(CoinsAgent):
    """The paper's architecture: B = sigmoid(GRUs over [M, x] from the pointer both ways); P = the scan of B."""

    def __init__(self, key: PRNGKeyArray, spec: Spec, sizes: Sizes) -> None:
        super().__init__(key, spec, sizes, ahead=sizes.columns, behind=sizes.columns)

    def columns(self, view: View) -> Float[Array, "lines columns"]:
        """The scan in each column."""
        ahead, behind = self.coins(view)
        return scan(ahead, behind, view.pointer, view.length)
