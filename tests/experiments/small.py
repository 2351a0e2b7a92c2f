"""A small experiment: the tiny preset with bins of its own."""

import pytest
from tiny_preset import TINY

from cofca.experiments.eval_set import EvalSet, eval_sets
from cofca.experiments.presets import PRESETS, TUNED
from cofca.experiments.specs import EXPERIMENTS, Bin, Experiment

TRAIN = {"length": (1, 3), "steps_per_line": 4}
# Of the same shape, so that they are compiled once.
BINS = tuple(Bin(low, 3, {"length": (2, 3), "steps_per_line": 4}) for low in (2, 3))
SMALL = Experiment("starcraft-length", "starcraft", TRAIN, BINS)
EPISODES = 24


def small_sets(level_seed: int = 0) -> list[EvalSet]:
    return eval_sets(SMALL, EPISODES, level_seed)


def small_agents(patch: pytest.MonkeyPatch) -> None:
    """All agents are small ones, and learn in no time."""
    patch.setitem(PRESETS, TUNED, TINY)


def small_experiment(patch: pytest.MonkeyPatch) -> None:
    """The experiment and its agents are small ones."""
    patch.setitem(EXPERIMENTS, SMALL.name, SMALL)
    small_agents(patch)
