"""From an experiment's name to agents, and from folders to trained ones."""

from pathlib import Path
from typing import Any, NamedTuple

import jax

from cofca.agents.agent import Agent
from cofca.agents.layers import stack
from cofca.agents.registry import make_agent
from cofca.agents.spec import spec_of
from cofca.domains import Domain, domain
from cofca.experiments.table import Experiment, experiment
from cofca.training.checkpoint import read_checkpoint, read_page
from cofca.training.ppo import Setup
from cofca.training.run import RunConfig


class Trained(NamedTuple):
    """Weights and what they were trained for."""

    agent: Agent
    experiment: Experiment
    name: str
    """Of the agent."""
    seed: int


def make_agents(config: RunConfig) -> Agent:
    """The agents of a run before training, a seed each, side by side."""
    found = experiment(config.experiment)
    keys = jax.random.split(jax.random.fold_in(jax.random.key(config.seed), 1), config.seeds)
    return stack([_make(key, config.agent, found) for key in keys])


def make_setup(config: RunConfig) -> Setup:
    """The environment and parameters of a run."""
    found = experiment(config.experiment)
    chosen = domain(found.domain)
    return Setup(chosen.environment(), chosen.params(**found.train), config.ppo, config.updates)


def load_weights(folder: Path) -> list[Trained]:
    """The agents of a finished run's folder, or of one folder of weights."""
    if (folder / "config.json").exists() and not (folder / "final").exists():
        raise ValueError(f"{folder}: this run is not finished: it has no final weights")
    folders = list((folder / "final").glob("seed*")) or [folder]
    return sorted((_load(found) for found in folders), key=lambda trained: trained.seed)


def _load(folder: Path) -> Trained:
    page = read_page(folder)
    config = page.get("config", {})
    if "experiment" not in config or "agent" not in config or "seed" not in page:
        raise ValueError(f"{folder}: these are not an agent's weights")
    found = experiment(config["experiment"])
    like = _make(jax.random.key(0), config["agent"], found)
    return Trained(read_checkpoint(folder, like), found, config["agent"], page["seed"])


def _make(key: Any, name: str, found: Experiment) -> Agent:
    chosen: Domain = domain(found.domain)
    spec = spec_of(chosen.environment(), chosen.params(**found.train))
    return make_agent(key, name, found.domain, spec)
