"""The agents by name."""

from collections.abc import Callable

from jaxtyping import PRNGKeyArray

from cofca.agents.agent import Agent
from cofca.agents.cofca import Cofca
from cofca.agents.cofca_s import CofcaS
from cofca.agents.olsk import Olsk, olsk_e
from cofca.agents.sizes import PAPER, Sizes
from cofca.agents.spec import Spec
from cofca.agents.unstructured import Unstructured

_AGENTS: dict[str, Callable[[PRNGKeyArray, Spec, Sizes], Agent]] = {
    "cofca-s": CofcaS,
    "cofca": Cofca,
    "unstructured": Unstructured,
    "olsk": Olsk,
    "olsk-e": olsk_e,
}
AGENTS = tuple(_AGENTS)


def make_agent(key: PRNGKeyArray, name: str, domain: str, spec: Spec, sizes: Sizes | None = None) -> Agent:
    """An agent that has learned nothing yet, by default as large as in the paper."""
    if name not in _AGENTS:
        raise ValueError(f"unknown agent {name!r}; expected {', '.join(AGENTS[:-1])} or {AGENTS[-1]}")
    return _AGENTS[name](key, spec, sizes or PAPER[domain][name])
