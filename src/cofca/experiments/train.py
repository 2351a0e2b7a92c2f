"""A run of an experiment, from its configuration to its weights."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from cofca.experiments.build import make_agents, make_setup
from cofca.experiments.eval_set import eval_sets
from cofca.experiments.evaluate import WATCHED, watch
from cofca.experiments.specs import experiment
from cofca.rl.sharding import Devices
from cofca.runs.config import RunConfig
from cofca.runs.loggers.base import Listener
from cofca.runs.run import Run


def open_run(folder: Path, config: RunConfig, resume: bool, devices: Devices | None = None) -> Run:
    """A new run, or one that goes on, compiled."""
    return Run(folder, config, make_setup(config), make_agents(config), resume, devices)


def train_run(run: Run, listeners: Sequence[Listener]) -> None:
    """Train to the end, with evaluations on the way."""
    config = run.config
    sets = eval_sets(experiment(config.experiment), config.evaluation_episodes, WATCHED, config.worker)
    run.train(listeners, partial(watch, ppo=config.ppo, sets=sets))
