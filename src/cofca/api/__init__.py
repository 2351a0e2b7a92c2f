"""What `import cofca` offers: environments, trained agents, training and evaluation in one call each."""

from pathlib import Path
from typing import Any

from cofca.agents.base import Agent
from cofca.envs.base import Environment
from cofca.envs.domain import PLANNER
from cofca.experiments.build import find_domain
from cofca.experiments.eval_set import eval_sets
from cofca.experiments.evaluate import evaluate as evaluate_agents
from cofca.experiments.presets import TUNED
from cofca.experiments.specs import experiment as find_experiment
from cofca.experiments.train import open_run, train_run
from cofca.experiments.typed import new_config
from cofca.experiments.zoo import load as load_one
from cofca.experiments.zoo import load_trained


def make(domain: str, worker: str = PLANNER, **params: Any) -> tuple[Environment, Any]:
    """An environment and its parameters: `env, params = cofca.make("minecraft", length=(1, 10))`."""
    found = find_domain(domain, worker)
    return found.environment(), found.params(**params)


def load(name: str | Path) -> Agent:
    """A trained agent by its name, such as "minecraft-length/cofca-s", or from the folder of a run of one's own."""
    return load_one(name)


def train(
    experiment: str,
    out: str | Path,
    agent: str | None = None,
    preset: str = TUNED,
    *,
    settings: tuple[str, ...] = (),
    levels: tuple[str, ...] = (),
    **config: Any,
) -> Path:
    """Train an agent in a new folder, as `cofca train` does, and return where its weights lie.

    `settings` are PPO's, such as `("envs=64",)`; `levels` are those of the training levels; `config` is the rest of a
    `RunConfig`: seeds, steps, seed, worker, evaluate_every.
    """
    given = {"preset": preset, **({} if agent is None else {"agent": agent}), **config}
    run = open_run(Path(out), new_config(experiment, given, settings, levels), resume=False)
    train_run(run, [])
    return Path(out) / "final"


def evaluate(
    weights: str | Path, experiment: str | None = None, *, episodes: int = 1000, level_seed: int = 0
) -> dict[str, Any]:
    """Success of trained agents on an experiment's bins, as `cofca evaluate --json` prints it."""
    agents, config = load_trained(weights)
    spec = find_experiment(experiment or config.experiment)
    return evaluate_agents(agents, config.ppo, eval_sets(spec, episodes, level_seed, config.worker))
