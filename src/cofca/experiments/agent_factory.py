"""Agents as a run's configuration names them, before they have learned anything."""

from collections.abc import Sequence
from typing import Any

import jax

from cofca.agents.base import Agent
from cofca.envs.registry import domain
from cofca.envs.spec import Spec, spec_of
from cofca.experiments.plugins import OwnAgent
from cofca.experiments.presets import AgentPreset, preset
from cofca.experiments.specs import Experiment, experiment
from cofca.runs.config import RunConfig
from cofca.utils.settings import changed, made_with
from cofca.utils.trees import stack


def make_agents(config: RunConfig) -> Agent:
    """The agents of a run before training, a seed each, side by side."""
    keys = jax.random.split(jax.random.fold_in(jax.random.key(config.seed), 1), config.seeds)
    make, spec = _maker(config), _spec(config)
    return stack([make(key, spec) for key in keys])


def agent_shapes(config: RunConfig) -> Agent:
    """The shapes of one agent of a run. Nothing is made as large as a file says before there are weights of that
    size."""
    make, spec = _maker(config), _spec(config)
    return jax.eval_shape(lambda key: make(key, spec), jax.random.key(0))


def training_params(found: Experiment, levels: Sequence[str]) -> Any:
    """The parameters of the levels that an experiment trains on, or of others."""
    return changed(made_with(domain(found.domain).params, found.train), levels)


def _spec(config: RunConfig) -> Spec:
    found = experiment(config.experiment)
    return spec_of(domain(found.domain).environment(), training_params(found, config.levels))


def _maker(config: RunConfig) -> AgentPreset | OwnAgent:
    try:
        return preset(config.preset).agent(experiment(config.experiment).domain, config.agent)
    except ValueError as error:
        known = not config.origin or config.origin in str(error)
        raise ValueError(str(error) if known else f"{error} (the agent's origin: {config.origin})") from error
