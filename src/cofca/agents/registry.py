"""The agents by name."""

from collections.abc import Callable

from jaxtyping import PRNGKeyArray

from cofca.agents.base import Agent
from cofca.agents.cofca import Cofca
from cofca.agents.cofca_d import CofcaD
from cofca.agents.cofca_s import CofcaS
from cofca.agents.olsk import Olsk, olsk_e
from cofca.agents.sizes import AGENTS, Sizes, paper_sizes
from cofca.agents.unstructured import Unstructured
from cofca.agents.worker import Worker
from cofca.envs.spec import Spec
from cofca.utils.parameters import require

__all__ = ["AGENTS", "make_agent"]

_AGENTS: dict[str, Callable[[PRNGKeyArray, Spec, Sizes], Agent]] = {
    "cofca-s": CofcaS,
    "cofca": Cofca,
    "unstructured": Unstructured,
    "olsk": Olsk,
    "olsk-e": olsk_e,
    "cofca-d": CofcaD,
    "worker": Worker,
}


def make_agent(key: PRNGKeyArray, name: str, domain: str, spec: Spec, sizes: Sizes | None = None) -> Agent:
    """An agent that has learned nothing yet, by default as large as in the paper."""
    known = paper_sizes(name, domain)  # Whoever has sizes of its own may still have a name that nobody knows.
    sizes = sizes or known
    for part in () if name == "worker" else ("embedding", "columns", "recurrent", "farthest"):
        require(getattr(sizes, part) > 0, f"{part} must be at least 1, not {getattr(sizes, part)}")
    return _AGENTS[name](key, spec, sizes)
