"""A run of an experiment, from its configuration to its weights."""

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from cofca.experiments.agent_factory import training_params
from cofca.experiments.build import make_agents, make_setup
from cofca.experiments.eval_set import eval_sets
from cofca.experiments.evaluate import WATCHED, watch
from cofca.experiments.presets import preset
from cofca.experiments.protocol import PaperEvaluation
from cofca.experiments.specs import experiment, watched
from cofca.rl.sharding import Devices
from cofca.runs.config import PAPER, RunConfig
from cofca.runs.loggers.base import Listener
from cofca.runs.run import Evaluate, Run, require_recorded


def describe(config: RunConfig) -> dict[str, Any]:
    """All that a run trains, as JSON: its configuration, the agent's architecture and the parameters of its levels."""
    chosen = experiment(config.experiment)
    params = training_params(chosen, config.levels)
    return {
        **config.page(),
        "architecture": preset(config.preset).agent(chosen.domain, config.agent).page(),
        "training_levels": {part.name: _plain(getattr(params, part.name)) for part in fields(params)},
    }


def open_run(folder: Path, config: RunConfig, resume: bool, devices: Devices | None = None) -> Run:
    """A new run, or one that goes on, compiled."""
    if resume:
        require_recorded(folder, config)
    return Run(folder, config, make_setup(config), make_agents(config), resume, devices)


def train_run(run: Run, listeners: Sequence[Listener]) -> None:
    """Train to the end, with evaluations on the way."""
    run.train(listeners, evaluation(run.config))


def evaluation(config: RunConfig) -> Evaluate:
    """What evaluates agents while they train."""
    spec = experiment(config.experiment)
    if config.protocol == PAPER:
        as_published = PaperEvaluation(spec, config.worker)
        return lambda agents, steps: as_published(agents, config.ppo, steps)
    sets = eval_sets(watched(spec), config.evaluation_episodes, WATCHED, config.worker)
    return lambda agents, steps: watch(agents, config.ppo, sets)


def _plain(value: Any) -> Any:
    """A parameter as JSON: numbers as they are, names as one types them."""
    if isinstance(value, tuple):
        return [part if isinstance(part, int | float) else str(part) for part in value]
    return value
