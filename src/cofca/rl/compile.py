"""Training, compiled: making levels and learning, both at the same time, each once."""

import gc
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import jax
from jaxtyping import Array, Key

from cofca.agents.base import Agent
from cofca.rl.ppo import Learner, Setup, anonymous, begin, new_levels, refresh, train
from cofca.rl.sharding import Devices
from cofca.utils.loops import on_cpu
from cofca.utils.memory import keep_memory

MAPS = Path("/proc/self/maps")
MOST_MAPS = 30_000


class Program(NamedTuple):
    """The two compiled parts of training."""

    refresh: Callable[[Learner], Learner]
    """From learners to learners with another pool of levels."""
    train: jax.stages.Compiled
    """From learners to learners and metrics."""


def compile_program(keys: Key[Array, " seeds"], agents: Agent, setup: Setup, devices: Devices | None = None) -> Program:
    """Compile both parts. What has been compiled for the same setup and shapes is not compiled again."""
    if on_cpu():
        keep_memory()
    learners = jax.eval_shape(partial(begin, setup=setup), keys, agents)
    if devices and (layout := devices.layout(learners)):
        return _divided(learners, setup, layout, devices)
    levels, learning = _compiling(new_levels, anonymous(learners), setup), _compiling(train, learners, setup)
    return Program(partial(refresh, setup=setup, make=levels.result()), learning.result())


def forget_if_many() -> None:
    """Forget all compiled programs if there are very many.

    On a CPU each of them takes some of the 65,530 memory maps that Linux gives a process; without any left the compiler
    crashes. One job takes thousands, so a grid would end like that."""
    if MAPS.exists() and MAPS.read_bytes().count(b"\n") > MOST_MAPS:
        _begun.cache_clear()
        jax.clear_caches()
        gc.collect()


def _divided(learners: Learner, setup: Setup, layout: Learner, devices: Devices) -> Program:
    """The same for learners that are laid out over many devices, and stay so."""

    def compiled(part: Any, shapes: Learner, places: Learner, outputs: Any) -> jax.stages.Compiled:
        whole = partial(part.__wrapped__, setup=setup)
        return jax.jit(whole, in_shardings=(places,), out_shardings=outputs, donate_argnums=0).lower(shapes).compile()

    nobody = anonymous(layout)
    levels = compiled(new_levels, anonymous(learners), nobody, nobody)
    learning = compiled(train, learners, layout, (layout, devices.everywhere))
    return Program(partial(refresh, setup=setup, make=levels), learning)


def _compiling(part: Any, learners: Learner, setup: Setup) -> Future[jax.stages.Compiled]:
    leaves, structure = jax.tree.flatten(learners)
    return _begun(part, tuple(leaves), structure, setup)


@lru_cache
def _begun(part: Any, leaves: tuple, structure: Any, setup: Setup) -> Future[jax.stages.Compiled]:
    # Tracing is Python and has to be done one after the other; compiling is not.
    lowered = part.lower(jax.tree.unflatten(structure, leaves), setup)
    return _pool().submit(lowered.compile)


@lru_cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor()
