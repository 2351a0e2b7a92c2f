"""What a preset is: of every agent in every domain the architecture, its encoder, its action head and its numbers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from reprlib import repr as shown
from typing import Any

from jaxtyping import PRNGKeyArray

from cofca.agents.base import Agent
from cofca.envs.domain import PLANNER
from cofca.envs.spec import Spec
from cofca.experiments.plugins import OwnAgent, own_agent
from cofca.rl.config import PPOConfig
from cofca.runs.config import OFFICIAL
from cofca.utils.spelling import guess


@dataclass(frozen=True)
class AgentPreset:
    """An agent, ready to be made."""

    architecture: type[Agent]
    numbers: Mapping[str, Any]
    encoder: type | None = None
    encoder_numbers: Mapping[str, Any] = field(default_factory=dict)
    head: type | None = None
    ppo: PPOConfig | None = None
    """How it learns, where not as all agents of the domain."""

    def __call__(self, key: PRNGKeyArray, spec: Spec) -> Agent:
        """An agent that has learned nothing yet."""
        make: Any = self.architecture
        if self.encoder is None:
            return make(key, spec, **self.numbers)
        return make(key, spec, partial(self.encoder, **self.encoder_numbers), self.head, **self.numbers)

    def page(self) -> dict[str, Any]:
        """As JSON."""
        parts: dict[str, Any] = {"architecture": self.architecture.__name__}
        if self.encoder is not None and self.head is not None:
            parts |= {"encoder": _part(partial(self.encoder, **self.encoder_numbers)), "head": self.head.__name__}
        return {**parts, **{name: _plain(value) for name, value in self.numbers.items()}}


@dataclass(frozen=True)
class Preset:
    """Agents by domain and name, and how they learn, by domain."""

    name: str
    agents: Mapping[str, Mapping[str, AgentPreset]]
    ppo: Mapping[str, PPOConfig]
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By domain, settings of the training levels other than an experiment's."""
    workers: Mapping[str, str] = field(default_factory=dict)
    """By domain, who carries out commands where nobody is named."""
    steps: Mapping[str, int] = field(default_factory=dict)
    """By domain, how long each seed of the grid is trained, where not as long as its scale says."""
    protocol: str = OFFICIAL
    """How agents are evaluated while they train."""

    def agent(self, domain: str, name: str) -> "AgentPreset | OwnAgent":
        """Look an agent up: one of the preset's in this domain, or somebody's own."""
        known = self.agents.get(domain, {})
        if name in known:
            return known[name]
        if own := own_agent(name):
            return own
        there = f"expected one of {', '.join(known)}" if known else f"the preset {self.name} has none for {domain}"
        raise ValueError(f"unknown agent {shown(name)}; {there}, or FILE.py:CLASS{guess(name, known)}")

    def lacks(self, domain: str, name: str) -> bool:
        """Whether an agent is one of the preset's, but in other domains only."""
        return name not in self.agents.get(domain, {}) and any(name in agents for agents in self.agents.values())

    def ppo_of(self, domain: str, agent: str) -> PPOConfig:
        """How an agent learns in a domain, somebody's own included."""
        known = self.agents.get(domain, {}).get(agent)
        return (known and known.ppo) or self.ppo.get(domain, PPOConfig())

    def worker(self, domain: str) -> str:
        """Who carries out commands unless somebody else is asked for."""
        return self.workers.get(domain, PLANNER)


def _part(make: partial) -> dict[str, Any]:
    """A component as JSON: its name, what it fixes, and its numbers."""
    fixed = {name: getattr(make.func, name) for name in ("kernels", "strides") if hasattr(make.func, name)}
    return {"name": make.func.__name__, **fixed, **{name: _plain(value) for name, value in make.keywords.items()}}


def _plain(value: Any) -> Any:
    if isinstance(value, partial):
        return _part(value)
    return value.__name__ if callable(value) else value
