"""The demonstration: train a little, see how far trained agents get on far longer instructions, and watch one."""

import io
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

import jax
import numpy as np

from cofca.agents.trace import trace
from cofca.envs.custom_level import custom_level
from cofca.envs.registry import domain
from cofca.experiments.eval_set import EvalSet
from cofca.experiments.presets import TUNED, preset
from cofca.experiments.specs import Bin, experiment
from cofca.experiments.train import open_run, train_run
from cofca.experiments.weights import Trained, load_weights
from cofca.experiments.zoo import config_of, find_weights, load, names, one_of
from cofca.rl.config import settled
from cofca.runs.config import RunConfig
from cofca.runs.loggers.base import Listener
from cofca.viewer.export import script_of, text_of
from cofca.viewer.record import record

EXPERIMENT, AGENT = "minecraft-length", "cofca-r"
SHORT, LONG = (Bin(low, high, {"length": (low, high)}) for low, high in ((1, 10), (41, 50)))
"""As long as in training, and five times longer."""
JUST_NOW = "trained just now"
SHORT_RUN: dict[str, Any] = {"minibatches": 3, "learning_rate": 2e-3, "levels": 2048, "updates_per_pool": 16}
"""Other than in long runs: more gradient steps on the same experience."""
PROGRAM = """mine wood
while more iron than gold
    mine iron
    inspect gold
endwhile
if more merchants than iron
    sell iron
else
    mine gold
endif
if more gold than merchants
    mine gold
endif
inspect wood
"""


class Curve(NamedTuple):
    """Success while training."""

    steps: list[int]
    success: list[float]


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


def compare(just_now: Trained, episodes: int, level_seed: int) -> dict[str, float]:
    """Success on long instructions, of random choices, of every agent that comes with the package and of the one that
    was trained just now, of the oracle."""
    levels = EvalSet(domain("minecraft"), LONG, episodes, level_seed)
    scores = {"random": float((levels.random.returns > 0).mean())}
    for name in names():
        if config_of(name).experiment == EXPERIMENT:
            scores[name] = _success(levels, load_weights(one_of(find_weights(name))))
    scores[f"{AGENT}, {JUST_NOW}"] = _success(levels, just_now)
    return {**scores, "oracle": float((levels.oracle.returns > 0).mean())}


def _success(levels: EvalSet, trained: Trained) -> float:
    return float((levels.played(trained.agents, trained.config.ppo).returns > 0).mean())


def watch(name: str, seed: int) -> dict[str, Any]:
    """An episode of one agent, to look at."""
    chosen, key = domain("minecraft"), jax.random.key(seed)
    level, params = custom_level(chosen, key, PROGRAM)
    return record(chosen, name, level, params, trace(key, load(name), chosen.environment(), level, params))


def write_report(
    path: Path, curve: Curve, final: float, scores: dict[str, float], episodes: int, told: dict[str, Any]
) -> None:
    """Everything on one page that needs nothing else."""
    rows = "".join(f"<tr><td>{escape(name)}</td><td>{share:.2f}</td></tr>" for name, share in scores.items())
    fill = {
        "style": text_of("style.css"),
        "steps": f"{curve.steps[-1]:,}",
        "first": f"{curve.success[0]:.2f}",
        "last": f"{curve.success[-1]:.2f}",
        "final": f"{final:.2f}",
        "curve": picture_of(curve),
        "rows": rows,
        "episodes": str(episodes),
        "player": script_of([told]),
    }
    path.write_text(Template(text_of("report.html")).substitute(fill), encoding="utf-8")


def picture_of(curve: Curve) -> str:
    """The curve as SVG."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    from cofca.paper.plots.plot_style import STYLE

    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(7, 3), layout="constrained")
        axes = figure.subplots()
        axes.plot(np.array(curve.steps) / 1000, curve.success, color="#0072B2")
        axes.set(xlabel="thousand steps", ylabel="success on fresh levels", ylim=(0, 1))
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None}, transparent=True)
    return file.getvalue().partition("<svg")[2].join(["<svg", ""])
