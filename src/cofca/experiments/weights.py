"""From an experiment's name to agents, and from folders to trained ones."""

import json
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

import jax

from cofca.agents.base import Agent
from cofca.agents.modules.layers import stack
from cofca.agents.registry import make_agent
from cofca.envs.spec import spec_of
from cofca.experiments.precision import FULL, as_stored, restored
from cofca.experiments.specs import Experiment, domain_of, experiment
from cofca.rl.ppo import Setup
from cofca.runs.checkpoint import PAGE, read_checkpoint, read_page
from cofca.runs.config import RunConfig, config_of, read_config
from cofca.runs.layout import CONFIG
from cofca.utils.settings import changed


class Trained(NamedTuple):
    """Weights and what they were trained for."""

    agents: Agent
    """Side by side, a seed each."""
    config: RunConfig


def make_agents(config: RunConfig) -> Agent:
    """The agents of a run before training, a seed each, side by side."""
    found = experiment(config.experiment)
    keys = jax.random.split(jax.random.fold_in(jax.random.key(config.seed), 1), config.seeds)
    return stack([_make(key, config, found) for key in keys])


def make_setup(config: RunConfig) -> Setup:
    """The environment and parameters of a run."""
    found = experiment(config.experiment)
    chosen = domain_of(found, config.worker)
    return Setup(chosen.environment(), _training_levels(found, config.levels), config.ppo, config.updates)


def spelled(found: Experiment, levels: Sequence[str]) -> tuple[str, ...]:
    """Settings of training levels in the one spelling in which they are kept, without those that change nothing."""
    usual, params = (_training_levels(found, settings) for settings in ((), levels))
    values = {field.name: getattr(params, field.name) for field in fields(params)}
    return tuple(f"{name}={json.dumps(value)}" for name, value in values.items() if value != getattr(usual, name))


def _training_levels(found: Experiment, levels: Sequence[str]) -> Any:
    """The parameters of the levels that an experiment trains on, or of others."""
    params = usual = domain_of(found).params(**found.train)
    for setting in levels:
        params = changed(params, [setting])
        if params.playing != usual.playing:
            raise ValueError(f"{setting}: only settings that decide which levels there are can be changed")
    return params


def load_weights(folder: Path) -> Trained:
    """The agents of a finished run's folder or of a folder of seeds, or the one of a folder of weights."""
    agents, configs = zip(*(_load(found) for found in seeds_of(folder)), strict=True)
    if len({(config.experiment, config.agent, config.sizes) for config in configs}) > 1:
        raise ValueError(f"{folder}: these are weights of different agents")
    return Trained(stack(agents), configs[0])


def trained_as(folder: Path) -> RunConfig:
    """What the weights in a folder were trained for, without reading them."""
    return _config(seeds_of(folder)[0])


def seeds_of(folder: Path) -> list[Path]:
    """The folders of the seeds in a folder, in order; a folder of weights is one itself."""
    folders = [folder]
    if (folder / CONFIG).exists():
        folders = [folder / "final" / f"seed{seed}" for seed in range(read_config(folder).seeds)]
        if not all(found.exists() for found in folders):
            raise ValueError(f"{folder}: this run is not finished: it has no final weights")
    elif not (folder / PAGE).exists():
        folders = sorted(folder.glob("seed[0-9]*"), key=number_of) or [folder]
    return folders


def number_of(folder: Path) -> int:
    """Which seed a folder is of."""
    number = folder.name.removeprefix("seed")
    if not number.isdecimal():
        raise ValueError(f"{folder}: not the folder of a seed, such as seed0")
    return int(number)


def _config(folder: Path) -> RunConfig:
    page = read_page(folder)
    if "config" not in page or "seed" not in page:
        raise ValueError(f"{folder}: these are not an agent's weights")
    try:
        return config_of(page["config"])
    except ValueError as error:
        raise ValueError(f"{folder}: {error}") from error


def _load(folder: Path) -> tuple[Agent, RunConfig]:
    config = _config(folder)
    try:
        found = experiment(config.experiment)
        # Only the shapes: nothing is made as large as a page says before there are weights of that size.
        like = jax.eval_shape(lambda key: _make(key, config, found), jax.random.key(0))
        stored = as_stored(like, read_page(folder).get("precision", FULL))
    except ValueError as error:
        raise ValueError(f"{folder}: {error}") from error
    return restored(read_checkpoint(folder, stored)), config


def _make(key: Any, config: RunConfig, found: Experiment) -> Agent:
    chosen = domain_of(found)
    spec = spec_of(chosen.environment(), chosen.params(**found.train))
    return make_agent(key, config.agent, found.domain, spec, config.sizes)
