"""The demonstration: train a little, see how far agents get on far longer instructions."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cofca.envs.registry import domain
from cofca.experiments.eval_set import EvalSet
from cofca.experiments.presets import TUNED, preset
from cofca.experiments.specs import Bin, experiment
from cofca.experiments.train import open_run, train_run
from cofca.experiments.weights import Trained, load_weights
from cofca.experiments.zoo import find_weights, one_of
from cofca.paper.plots.plot_style import agent_label
from cofca.rl.config import settled
from cofca.runs.config import RunConfig
from cofca.runs.loggers.base import Listener
from cofca.viewer.comparison import Row, rows_of
from cofca.viewer.report import Curve

EXPERIMENT, AGENT = "minecraft-length", "cofca-r"
SHORT, LONG = (Bin(low, high, {"length": (low, high)}) for low, high in ((1, 10), (41, 50)))
"""As long as in training, and five times longer."""
PLAYED = ("cofca-r", "cofca-s", "unstructured")
"""Agents of the package that play here. Each takes longer to compile than to play, so that these are not all."""
SHORT_RUN: dict[str, Any] = {
    "minibatches": 3, "learning_rate": 2e-3, "levels": 2048, "updates_per_pool": 16, "columns": True,
}  # fmt: skip
"""Other than in long runs: more gradient steps on the same experience, and an entropy that keeps all columns in use."""


def short_run(steps: int, seed: int) -> RunConfig:
    """The quickest learner on the paper's levels, for as long as a person likes to wait."""
    tuned = preset(TUNED).ppo_of(experiment(EXPERIMENT).domain, AGENT)
    ppo = replace(tuned, **SHORT_RUN)
    return RunConfig(EXPERIMENT, AGENT, seeds=1, steps=steps, seed=seed, ppo=settled(ppo), evaluate_every=0)


def train(folder: Path, config: RunConfig, listeners: Sequence[Listener]) -> tuple[Curve, Trained]:
    """Train, and keep how it went and what came of it."""
    curve = Curve([], [])

    def listen(journal: str, line: dict[str, Any]) -> None:
        if journal == "metrics":
            curve.steps.append(line["steps"])
            curve.success.append(line["success"][0])

    train_run(open_run(folder, config, resume=False), [*listeners, listen])
    return curve, load_weights(folder)


def fresh_success(trained: Trained, episodes: int, level_seed: int) -> float:
    """Success on fresh levels as long as in training."""
    return _success(EvalSet(domain("minecraft"), SHORT, episodes, level_seed), trained)


def compare(just_now: Trained, episodes: int, level_seed: int) -> list[Row]:
    """Success on long instructions: what the results say of all agents, and what the one that was trained just now and
    some of the package's reach here."""
    levels = EvalSet(domain("minecraft"), LONG, episodes, level_seed)
    shipped = {name: load_weights(one_of(find_weights(f"{EXPERIMENT}/{name}"))) for name in PLAYED}
    played = {(name, trained.config.preset): _success(levels, trained) for name, trained in shipped.items()}
    name = agent_label(AGENT, TUNED).partition(" (")[0]
    new = Row(f"{name}, trained just now", here=_success(levels, just_now), kind="new")
    return rows_of(EXPERIMENT, played, [new])


def _success(levels: EvalSet, trained: Trained) -> float:
    return float((levels.played(trained.agents, trained.config.ppo).returns > 0).mean())
