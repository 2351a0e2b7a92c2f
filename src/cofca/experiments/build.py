"""From names to objects: here, and only here, a run's configuration becomes its environment and its agents."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import jax
from jaxtyping import PRNGKeyArray

from cofca.agents.base import Agent
from cofca.envs.spec import Spec, spec_of
from cofca.experiments.presets import preset
from cofca.experiments.specs import Experiment, domain_of, experiment
from cofca.rl.ppo import Setup
from cofca.runs.config import RunConfig
from cofca.utils.settings import changed, written
from cofca.utils.trees import stack


def make_setup(config: RunConfig) -> Setup:
    """The environment and parameters of a run."""
    found = experiment(config.experiment)
    env = domain_of(found, config.worker).environment()
    return Setup(env, training_params(found, config.levels), config.ppo, config.updates)


def make_agents(config: RunConfig) -> Agent:
    """The agents of a run before training, a seed each, side by side."""
    keys = jax.random.split(jax.random.fold_in(jax.random.key(config.seed), 1), config.seeds)
    spec = _spec(config)
    return stack([_agent(key, config, spec) for key in keys])


def agent_shapes(config: RunConfig) -> Agent:
    """The shapes of one agent of a run. Nothing is made as large as a file says before there are weights of that
    size."""
    spec = _spec(config)
    return jax.eval_shape(lambda key: _agent(key, config, spec), jax.random.key(0))


def training_params(found: Experiment, levels: Sequence[str]) -> Any:
    """The parameters of the levels that an experiment trains on, or of others."""
    return changed(domain_of(found).params(**found.train), levels)


def canonical(found: Experiment, levels: Sequence[str]) -> tuple[str, ...]:
    """Settings of training levels in the one spelling in which they are kept, without those that change nothing."""
    usual, params = (training_params(found, settings) for settings in ((), levels))
    values = {field.name: getattr(params, field.name) for field in fields(params)}
    return tuple(f"{name}={written(value)}" for name, value in values.items() if value != getattr(usual, name))


def _spec(config: RunConfig) -> Spec:
    found = experiment(config.experiment)
    return spec_of(domain_of(found).environment(), training_params(found, config.levels))


def _agent(key: PRNGKeyArray, config: RunConfig, spec: Spec) -> Agent:
    return preset(config.preset).agent(experiment(config.experiment).domain, config.agent)(key, spec)
