"""Agents of one's own: registered from Python, offered by an installed package, or named by where they are."""

import re
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any, NamedTuple

from jaxtyping import PRNGKeyArray

from cofca.agents.base import Agent
from cofca.envs.spec import Spec
from cofca.utils.references import find, is_reference

GROUP = "cofca.agents"
"""Of entry points."""
MakeAgent = Callable[[PRNGKeyArray, Spec], Agent]


class OwnAgent(NamedTuple):
    """How to make an agent, and where that is from."""

    make: MakeAgent
    origin: str

    def __call__(self, key: PRNGKeyArray, spec: Spec) -> Agent:
        """An agent that has learned nothing yet."""
        agent = self.make(key, spec)
        if not isinstance(agent, Agent):
            raise ValueError(f"{self.origin}: made {type(agent).__name__}, which is not a cofca.Agent")
        return agent

    def page(self) -> dict[str, Any]:
        """As JSON."""
        return {"architecture": getattr(self.make, "__name__", str(self.make)), "origin": self.origin}


_REGISTERED: dict[str, OwnAgent] = {}


def register_agent(name: str, make: MakeAgent) -> None:
    """Make an agent known under a name: a class or function from a key and a `Spec` to an `Agent`."""
    if is_reference(name) or not name:
        raise ValueError(f"{name!r} can't be the name of an agent")
    _REGISTERED[name] = OwnAgent(make, f"registered from Python, {make.__module__}")


def label(name: str) -> str:
    """An agent's name as part of a path: of one that says where it is, what it is called there."""
    if not is_reference(name):
        return name
    words = re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name.rpartition(":")[2])
    return "-".join(words).lower() or "own"


def own_agent(name: str) -> OwnAgent | None:
    """Look one up, wherever it is from; None if nobody knows it."""
    if name in _REGISTERED:
        return _REGISTERED[name]
    if is_reference(name):
        return OwnAgent(find(name), name)
    for point in entry_points(group=GROUP):
        if point.name == name:
            package = point.dist.name if point.dist else "an installed package"
            return OwnAgent(point.load(), f"entry point of {package}")
    return None
