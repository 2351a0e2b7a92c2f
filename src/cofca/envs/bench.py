"""Speed of environments, measured: steps per second on this machine, compilation apart."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int32, Key, PRNGKeyArray

from cofca.envs.autoreset import AutoReset, Playing, make_pool
from cofca.envs.domain import Domain
from cofca.utils.prng import pick

ROUNDS = 5
"""Timed rounds, of which the median counts. Each begins with a fresh pool of levels."""


def bench_env(domain: Domain, params: Any, envs: int, steps: int, pool: int, seed: int = 0) -> dict[str, Any]:
    """Random actions in `envs` environments, `steps` steps a round, levels from a pool made anew every round."""
    env = domain.environment()
    auto = AutoReset(env, envs)

    def choose(uniform: Float[Array, ""], state: Any) -> Int32[Array, ""]:
        return pick(uniform, env.allowed(state, params))

    def round_(carry: tuple[Playing, Array], key: PRNGKeyArray) -> tuple[Playing, Array]:
        playing, _ = carry
        pool_key, step_key = jax.random.split(key)
        levels = make_pool(env, jax.random.split(pool_key, pool), params)

        def step(carry: tuple[Playing, Array], key: PRNGKeyArray) -> tuple:
            playing, total = carry
            action_key, env_key = jax.random.split(key)
            actions = jax.vmap(choose)(jax.random.uniform(action_key, (envs,)), playing.state)
            playing, transition = auto.step(env_key, playing, actions, levels, params)
            # Every number of the observation is used, so that none of it is optimised away.
            seen = sum(leaf.astype(jnp.int32).sum() for leaf in jax.tree.leaves(transition.obs))
            return (playing, total + seen + transition.reward.sum().astype(jnp.int32)), None

        carry, _ = jax.lax.scan(step, (playing, jnp.int32(0)), jax.random.split(step_key, steps))
        return carry

    keys = jax.random.split(jax.random.key(seed), ROUNDS + 2)
    first = jax.jit(partial(make_pool, env, params=params))(jax.random.split(keys[0], pool))
    _, playing = jax.jit(partial(auto.reset, params=params))(first)
    result = measure(round_, (playing, jnp.int32(0)), keys[1:], envs * steps)
    level_bytes = sum(leaf.nbytes for leaf in jax.tree.leaves(_level_arrays(env, first))) / pool
    return {
        "domain": domain.name,
        "device": jax.devices()[0].device_kind,
        "envs": envs,
        "steps_per_round": steps,
        "pool": pool,
        **result,
        "level_bytes": level_bytes,
    }


def _level_arrays(env: Any, states: Any) -> Any:
    level = env.level_of(states)
    return jax.tree.map(
        lambda leaf: jax.random.key_data(leaf) if jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key) else leaf,
        level,
    )


def measure(round_: Callable, carry: Any, keys: Key[Array, " rounds"], steps: int) -> dict[str, Any]:
    """Compile, warm up with the first key, and time one round for each other key."""
    started = time.perf_counter()
    compiled = jax.jit(round_, donate_argnums=0).lower(carry, keys[0]).compile()
    compile_seconds = time.perf_counter() - started
    memory = compiled.memory_analysis()
    carry = jax.block_until_ready(compiled(carry, keys[0]))
    seconds = []
    for key in keys[1:]:
        started = time.perf_counter()
        carry = jax.block_until_ready(compiled(carry, key))
        seconds.append(time.perf_counter() - started)
    median = sorted(seconds)[len(seconds) // 2]
    return {
        "steps_per_second": steps / median,
        "seconds_per_round": seconds,
        "compile_seconds": compile_seconds,
        "memory_bytes": _memory(memory),
    }


def _memory(analysis: Any) -> int | None:
    """Device memory of arguments, results and work space, where the compiler tells."""
    if analysis is None:
        return None
    return analysis.argument_size_in_bytes + analysis.output_size_in_bytes + analysis.temp_size_in_bytes


def bench_levels(domain: Domain, params: Any, levels: int, seed: int = 0) -> dict[str, Any]:
    """How fast levels are made: drawn, filtered and played by the oracle."""
    env = domain.environment()

    def round_(carry: Array, key: PRNGKeyArray) -> Array:
        made = env.levels(jax.random.split(key, levels), params)
        return carry + jax.tree.leaves(_level_arrays_only(made))[0].astype(jnp.int32).sum()

    keys = jax.random.split(jax.random.key(seed), ROUNDS + 1)
    result = measure(round_, jnp.int32(0), keys, levels)
    result["levels_per_second"] = result.pop("steps_per_second")
    return {"domain": domain.name, "device": jax.devices()[0].device_kind, "levels": levels, **result}


def _level_arrays_only(levels: Any) -> list[Array]:
    leaves = jax.tree.leaves(levels)
    return [leaf for leaf in leaves if not jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)]
