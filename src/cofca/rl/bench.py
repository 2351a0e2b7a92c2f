"""Speed of training, measured: levels, rollouts and updates apart, and all of it together."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import jax

from cofca.agents.base import Agent
from cofca.rl.compile import Program, compile_program
from cofca.rl.cost import cost_of
from cofca.rl.ppo import (
    Learner,
    Setup,
    begin,
    bootstrap_values,
    collect_trajectories,
    gae,
    learn,
    update,
    with_precision,
)

ROUNDS = 5
"""Timed rounds, of which the median counts."""


class Prepared(NamedTuple):
    """All that is measured, compiled."""

    program: Program
    learners: Learner
    roll: Callable[[Learner], Any]
    """The rollouts of all seeds by themselves."""
    change: Callable[[Learner, Any], Any]
    """Their updates by themselves."""
    rollouts: Any
    setup: Setup
    compile_seconds: float
    """Of the program that trains."""


def prepare(agents: Agent, setup: Setup, seed: int = 0) -> Prepared:
    """Compile."""
    seeds = jax.tree.leaves(agents)[0].shape[0]
    started = time.perf_counter()
    keys = jax.random.split(jax.random.key(seed), seeds)
    program = compile_program(keys, agents, setup)
    learners = jax.block_until_ready(program.refresh(begin(keys, agents, setup)))
    compile_seconds = time.perf_counter() - started

    def change(learner: Learner, rollout: Any) -> Any:
        next_values = bootstrap_values(with_precision(learner.agent, setup.config), rollout, setup)
        advantages, returns = gae(rollout, next_values, setup.config)
        return learn(learner, rollout, advantages, returns, setup)

    roll, changing = jax.jit(jax.vmap(partial(collect_trajectories, setup=setup))), jax.jit(jax.vmap(change))
    _, rollouts = jax.block_until_ready(roll(learners))
    jax.block_until_ready(changing(learners, rollouts))
    return Prepared(program, learners, roll, changing, rollouts, setup, compile_seconds)


def measure(prepared: Prepared) -> dict[str, Any]:
    """Time all of it, and its parts."""
    program, learners, config = prepared.program, prepared.learners, prepared.setup.config
    agents = learners.agent
    seeds = jax.tree.leaves(agents)[0].shape[0]
    parts = {
        "rollout_seconds": [_timed(prepared.roll, learners)[0] for _ in range(ROUNDS)],
        "update_seconds": [_timed(prepared.change, learners, prepared.rollouts)[0] for _ in range(ROUNDS)],
    }
    paper = _on_paper(learners, prepared.setup)
    level_seconds, train_seconds = [], []
    for _ in range(ROUNDS + 1):
        seconds, learners = _timed(program.refresh, learners)
        level_seconds.append(seconds)
        seconds, (learners, _) = _timed(program.train, learners)
        train_seconds.append(seconds)
    both = [levels + training for levels, training in zip(level_seconds[1:], train_seconds[1:], strict=True)]
    speed = seeds * config.batch * config.updates_per_pool / _median(both)
    return {
        "device": jax.devices()[0].device_kind,
        "seeds": seeds,
        "envs": config.envs,
        "steps_per_update": config.batch,
        "parameters": sum(leaf.size for leaf in jax.tree.leaves(agents)) // seeds,
        "steps_per_second": speed,
        "steps_per_second_per_seed": speed / seeds,
        **{name: _median(seconds) for name, seconds in parts.items()},
        **paper,
        "level_seconds": _median(level_seconds[1:]) / config.updates_per_pool,
        "compile_seconds": prepared.compile_seconds,
        "peak_memory_bytes": _peak(program.train.memory_analysis()),
    }


def _on_paper(learners: Learner, setup: Setup) -> dict[str, float]:
    """What a step costs, learning from it included."""
    one = jax.eval_shape(lambda many: jax.tree.map(lambda leaf: leaf[0], many), learners)
    cost = cost_of(partial(update, setup=setup), one)
    return {
        "operations_per_step": cost.operations / setup.config.batch,
        "bytes_per_step": cost.bytes / setup.config.batch,
    }


def _timed(function: Callable[..., Any], *args: Any) -> tuple[float, Any]:
    started = time.perf_counter()
    result = jax.block_until_ready(function(*args))
    return time.perf_counter() - started, result


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


def _peak(memory: Any) -> int | None:
    """Device memory of arguments, results and work space; what the allocator saw, where it tells."""
    stats = jax.devices()[0].memory_stats()
    if stats and "peak_bytes_in_use" in stats:
        return int(stats["peak_bytes_in_use"])
    return None if memory is None else memory.argument_size_in_bytes + memory.temp_size_in_bytes
