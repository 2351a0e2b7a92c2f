"""Speed of training, measured: levels, rollouts and updates apart, and all of it together."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import jax

from cofca.agents.agent import Agent
from cofca.training.cost import cost_of
from cofca.training.ppo import Learner, Setup, begin, collect, compute, estimate, foresee, learn, update
from cofca.training.program import compile_program

ROUNDS = 5
"""Timed rounds, of which the median counts."""


def bench_train(agents: Agent, setup: Setup, seed: int = 0) -> dict[str, Any]:
    """Train a little, with as many seeds as there are agents."""
    seeds = jax.tree.leaves(agents)[0].shape[0]
    started = time.perf_counter()
    keys = jax.random.split(jax.random.key(seed), seeds)
    program = compile_program(keys, agents, setup)
    learners = jax.block_until_ready(program.refresh(begin(keys, agents, setup)))
    compile_seconds = time.perf_counter() - started
    parts, paper = _parts(learners, setup), _on_paper(learners, setup)
    level_seconds, train_seconds = [], []
    for _ in range(ROUNDS + 1):
        seconds, learners = _timed(program.refresh, learners)
        level_seconds.append(seconds)
        seconds, (learners, _) = _timed(program.train, learners)
        train_seconds.append(seconds)
    updates, config = setup.config.updates_per_pool, setup.config
    both = [levels + training for levels, training in zip(level_seconds[1:], train_seconds[1:], strict=True)]
    speed = seeds * config.batch * updates / _median(both)
    memory = program.train.memory_analysis()
    return {
        "device": jax.devices()[0].device_kind,
        "seeds": seeds,
        "envs": config.envs,
        "steps_per_update": config.batch,
        "parameters": sum(leaf.size for leaf in jax.tree.leaves(agents)) // seeds,
        "steps_per_second": speed,
        "steps_per_second_per_seed": speed / seeds,
        **parts,
        **paper,
        "level_seconds": _median(level_seconds[1:]) / updates,
        "compile_seconds": compile_seconds,
        "peak_memory_bytes": _peak(memory),
    }


def _parts(learners: Learner, setup: Setup) -> dict[str, float]:
    """Rollout and update of all seeds, each compiled by itself."""

    def change(learner: Learner, rollout: Any) -> Any:
        advantages, returns = estimate(rollout, foresee(compute(learner.agent, setup.config), rollout), setup.config)
        return learn(learner, rollout, advantages, returns, setup)

    roll = jax.jit(jax.vmap(partial(collect, setup=setup)))
    _, rollouts = jax.block_until_ready(roll(learners))
    changing = jax.jit(jax.vmap(change))
    jax.block_until_ready(changing(learners, rollouts))
    times = {
        "rollout_seconds": [_timed(roll, learners)[0] for _ in range(ROUNDS)],
        "update_seconds": [_timed(changing, learners, rollouts)[0] for _ in range(ROUNDS)],
    }
    return {name: _median(seconds) for name, seconds in times.items()}


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
