"""From names to objects: here, and only here, a run's configuration becomes its environment and its agents."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import jax

from cofca.envs.domain import PLANNER, Domain
from cofca.envs.registry import domain
from cofca.experiments.agent_factory import make_agents, training_params
from cofca.experiments.domains import find_domain
from cofca.experiments.specs import Experiment, experiment
from cofca.rl.ppo import Setup
from cofca.runs.config import RunConfig
from cofca.utils.settings import written

__all__ = ["canonical", "domain_of", "find_domain", "make_agents", "make_setup"]


def domain_of(found: Experiment, worker: str = PLANNER) -> Domain:
    """The domain of an experiment. Errands, on which workers are trained, have no worker to choose."""
    return find_domain(found.domain, PLANNER if found.domain == "errands" else worker)


def make_setup(config: RunConfig) -> Setup:
    """The environment and parameters of a run."""
    found = experiment(config.experiment)
    env = domain_of(found, config.worker).environment()
    return Setup(env, training_params(found, config.levels), config.ppo, config.updates)


def canonical(found: Experiment, levels: Sequence[str]) -> tuple[str, ...]:
    """Settings of training levels in the one spelling in which they are kept, without those that change nothing."""
    usual, params = (training_params(found, settings) for settings in ((), levels))
    _require_same_shapes(found, usual, params)
    values = {field.name: getattr(params, field.name) for field in fields(params)}
    return tuple(f"{name}={written(value)}" for name, value in values.items() if value != getattr(usual, name))


def _require_same_shapes(found: Experiment, usual: Any, params: Any) -> None:
    """Agents play the experiment's evaluation levels: they must see and do as much there."""
    env = domain(found.domain).environment()

    def shapes(params: Any) -> Any:
        # Only traced: to read a setting compiles nothing.
        seen = jax.eval_shape(lambda: env.observation_limits(params)._replace(lines=(), mask=()))
        return [leaf.shape for leaf in jax.tree.leaves(seen)], env.num_actions(params), env.num_responses(params)

    if shapes(usual) != shapes(params):
        raise ValueError(f"these levels have other observations or actions than the evaluation of {found.name}")
