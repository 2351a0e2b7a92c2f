"""Reinforcement learning agents that follow instructions with control flow."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cofca.utils.moved import announce

if TYPE_CHECKING:
    from cofca.agents.base import Agent as Agent
    from cofca.api import evaluate as evaluate
    from cofca.api import load as load
    from cofca.api import make as make
    from cofca.api import train as train
    from cofca.envs.base import Environment as Environment
    from cofca.envs.domain import Domain as Domain
    from cofca.envs.registry import register_domain as register_domain
    from cofca.experiments.plugins import register_agent as register_agent
    from cofca.experiments.specs import Experiment as Experiment
    from cofca.experiments.specs import register_experiment as register_experiment
    from cofca.rl.config import PPOConfig as PPOConfig

__version__ = "0.2.0"
__all__ = [
    "Agent",
    "Domain",
    "Environment",
    "Experiment",
    "PPOConfig",
    "evaluate",
    "load",
    "make",
    "register_agent",
    "register_domain",
    "register_experiment",
    "train",
]

_FROM = {
    "api": ("make", "load", "train", "evaluate"),
    "agents.base": ("Agent",),
    "envs.base": ("Environment",),
    "envs.domain": ("Domain",),
    "envs.registry": ("register_domain",),
    "experiments.plugins": ("register_agent",),
    "experiments.specs": ("Experiment", "register_experiment"),
    "rl.config": ("PPOConfig",),
}
"""What is public is imported when it is asked for: importing cofca stays quick."""


def __getattr__(name: str) -> Any:
    for module, names in _FROM.items():
        if name in names:
            return getattr(import_module(f"cofca.{module}"), name)
    raise AttributeError(f"module 'cofca' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


announce()
# Imported by name: what is below this package knows it, too.
import_module("cofca.interop.ids").register_once_imported()
