"""Trained agents, by folder."""

from pathlib import Path
from typing import NamedTuple

import jax
import numpy as np

from cofca.agents.base import Agent
from cofca.experiments.agent_factory import agent_shapes
from cofca.experiments.precision import FULL, as_stored, restored
from cofca.experiments.seeds import config_in, seeds_of
from cofca.runs.checkpoint import read_checkpoint
from cofca.runs.config import RunConfig
from cofca.runs.page import read_page
from cofca.utils.trees import stack


class Trained(NamedTuple):
    """Weights and what they were trained for."""

    agents: Agent
    """Side by side, a seed each."""
    config: RunConfig


def load_weights(folder: Path) -> Trained:
    """The agents of a finished run's folder or of a folder of seeds, or the one of a folder of weights."""
    agents, configs = zip(*(_load(seed) for seed in seeds_of(folder)), strict=True)
    if len({(config.experiment, config.agent, config.preset) for config in configs}) > 1:
        raise ValueError(f"{folder}: these are weights of different agents")
    return Trained(stack(agents), configs[0])


def load_first(folder: Path) -> Agent:
    """The agent of a finished run's or folder's first seed."""
    return _load(seeds_of(folder)[0])[0]


def _load(folder: Path) -> tuple[Agent, RunConfig]:
    config = config_in(folder)
    try:
        stored = as_stored(agent_shapes(config), read_page(folder).get("precision", FULL))
    except ValueError as error:
        raise ValueError(f"{folder}: {error}") from error
    agent = restored(read_checkpoint(folder, stored))
    for path, leaf in jax.tree_util.tree_leaves_with_path(agent):
        if not np.isfinite(leaf).all():
            name = jax.tree_util.keystr(path).lstrip(".")
            raise ValueError(f"{folder}: not an agent that can play: {name} is not finite")
    return agent, config
