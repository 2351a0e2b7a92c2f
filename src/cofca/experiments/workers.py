"""Workers by name: the planner, the learned one whose weights come with the package, or one's own."""

from functools import cache
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Int, Int8, PRNGKeyArray

from cofca.agents import worker as agents
from cofca.agents.distribution import sample
from cofca.agents.fused import fuse
from cofca.envs.minecraft.env import channels
from cofca.envs.minecraft.symbols import WAIT, Primitive
from cofca.envs.minecraft.worker import View, Worker, planner, words
from cofca.experiments.weights import load_weights
from cofca.utils.loops import on_cpu

LEARNED = Path(__file__).parent / "shipped" / "worker"
"""Trained by `cofca train worker`."""


@cache
def find_worker(name: str) -> Worker:
    """The planner, the learned worker, or the one in a folder of weights. The same name is the same object."""
    if name == "planner":
        return planner
    folder = LEARNED if name == "learned" else Path(name)
    if not folder.exists():
        raise ValueError(f"unknown worker {name!r}; expected planner, learned or a folder of a worker's weights")
    trained = load_weights(folder)
    if not isinstance(trained.agents, agents.Worker):
        raise ValueError(f"{folder}: these are the weights of {trained.config.agent}, not of a worker")
    # As precise as it was trained: an accelerator is then twice as fast, a CPU is not.
    precision = jnp.float32 if on_cpu() else jnp.bfloat16
    ready = jax.jit(lambda agents: fuse(jax.tree.map(lambda leaf: leaf[0].astype(precision), agents)))
    return learned(jax.tree.map(np.asarray, ready(trained.agents)))


def learned(agent: agents.Worker) -> Worker:
    """A worker that samples its primitives, as the paper's does."""

    def answer(key: PRNGKeyArray, view: View, command: Int[Array, ""]) -> Int8[Array, ""]:
        thought = agent.ponder(channels(view.cells, view.worker), view.inventory, *words(command))
        primitive = sample(jax.random.uniform(key), agent.act(thought))
        waits = (command < 0) | (command >= WAIT)
        return jnp.where(waits, Primitive.STAY, primitive).astype(jnp.int8)

    return answer
