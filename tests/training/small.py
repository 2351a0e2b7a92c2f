"""A small experiment: the tiny preset with bins of its own, and small agents for it."""

from typing import Any

import jax

from cofca.agents.base import Agent
from cofca.agents.registry import make_agent
from cofca.envs.spec import spec_of
from cofca.experiments.eval_set import Course
from cofca.experiments.evaluate import courses
from cofca.experiments.specs import Bin, Experiment

from .tiny import SETUP, TINY, small_sizes

TRAIN = {"length": (1, 3), "steps_per_line": 4}
# Of the same shape, so that they are compiled once.
BINS = tuple(Bin(low, 3, {"length": (2, 3), "steps_per_line": 4}) for low in (2, 3))
SMALL = Experiment("starcraft-length", "starcraft", TRAIN, BINS, TINY)
EPISODES = 24


def small_courses(level_seed: int = 0) -> list[Course]:
    return courses(SMALL, EPISODES, level_seed)


def make_small(key: jax.Array, config: Any, found: Any) -> Agent:
    """In place of an agent of the paper's sizes."""
    name = config.agent
    return make_agent(key, name, "starcraft", spec_of(SETUP.env, SETUP.params), small_sizes(name, "starcraft"))
