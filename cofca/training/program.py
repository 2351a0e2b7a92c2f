"""Training, compiled: making levels and learning, both at the same time, each once."""

from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from typing import Any, NamedTuple

import jax
from jaxtyping import Array, Key

from cofca.agents.agent import Agent
from cofca.training.ppo import Setup, begin, refresh, train


class Program(NamedTuple):
    """The two compiled parts of training."""

    refresh: jax.stages.Compiled
    """From learners to learners."""
    train: jax.stages.Compiled
    """From learners to learners and metrics."""


def compile_program(keys: Key[Array, " seeds"], agents: Agent, setup: Setup) -> Program:
    """Compile both parts. The same setup and agents of the same shapes are compiled once."""
    shapes = jax.eval_shape(partial(begin, setup=setup), keys, agents)
    leaves, structure = jax.tree.flatten(shapes)
    return _compiled(tuple(leaves), structure, setup)


@lru_cache
def _compiled(leaves: tuple, structure: Any, setup: Setup) -> Program:
    learners = jax.tree.unflatten(structure, leaves)
    with ThreadPoolExecutor() as pool:
        jobs = [pool.submit(part.lower(learners, setup).compile) for part in (refresh, train)]
    return Program(*(job.result() for job in jobs))
