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
from cofca.experiments.scoring import Progress, score
from cofca.experiments.specs import experiment as find_experiment
from cofca.experiments.train import open_run, train_run
from cofca.experiments.typed import new_config, typed_policy
from cofca.experiments.zoo import load as load_one
from cofca.experiments.zoo import load_trained
from cofca.utils.references import names_code


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
    policy: Any,
    experiment: str | None = None,
    *,
    episodes: int = 1000,
    level_seed: int = 0,
    worker: str | None = None,
    progress: Progress = lambda done, of: None,
) -> dict[str, Any]:
    """Success on an experiment's bins, as `cofca evaluate --json` prints it.

    `policy` is the name or folder of weights; or FILE.py:POLICY or any policy: a function from an observation to an
    action, a `BatchedPolicy`, an `Agent`, or what `cofca.interop.policies` makes of other models; or a list of such
    policies, which are seeds of one. Policies need an experiment. `progress` is told how many of how many episodes have
    been played.
    """
    is_name = isinstance(policy, str | Path)
    if is_name and not names_code(str(policy)):
        agents, config = load_trained(policy)
        spec = find_experiment(experiment or config.experiment)
        sets, total = eval_sets(spec, episodes, level_seed, worker or config.worker), episodes * len(spec.bins)
        return evaluate_agents(agents, config.ppo, sets, lambda bins: progress(bins * episodes, total))
    if experiment is None:
        raise ValueError("score it on which levels? name an experiment")
    found = typed_policy(str(policy)) if is_name else policy
    return score(found, find_experiment(experiment), episodes, level_seed, worker or PLANNER, progress)
