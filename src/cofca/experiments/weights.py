"""Trained agents, by folder."""

from pathlib import Path
from typing import NamedTuple

import jax
import numpy as np

from cofca.agents.base import Agent
from cofca.experiments.agent_factory import agent_shapes
from cofca.experiments.precision import FULL, as_stored, restored
from cofca.runs.checkpoint import PAGE, read_checkpoint, read_page
from cofca.runs.config import RunConfig, config_of, read_config
from cofca.runs.layout import CONFIG, FINAL
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


def trained_as(folder: Path) -> RunConfig:
    """What the weights in a folder were trained for, without reading them."""
    return _config(seeds_of(folder)[0])


def seeds_of(folder: Path) -> list[Path]:
    """The folders of the seeds in a folder, in order; a folder of weights is one itself."""
    folders = [folder]
    if (folder / CONFIG).exists():
        folders = [folder / FINAL / f"seed{seed}" for seed in range(read_config(folder).seeds)]
        if not all(seed.exists() for seed in folders):
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
        stored = as_stored(agent_shapes(config), read_page(folder).get("precision", FULL))
    except ValueError as error:
        raise ValueError(f"{folder}: {error}") from error
    agent = restored(read_checkpoint(folder, stored))
    for path, leaf in jax.tree_util.tree_leaves_with_path(agent):
        if not np.isfinite(leaf).all():
            name = jax.tree_util.keystr(path).lstrip(".")
            raise ValueError(f"{folder}: not an agent that can play: {name} is not finite")
    return agent, config
