"""The levels to learn from: a pool of fresh ones for each seed, and some that were failed before."""

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, PRNGKeyArray, UInt32

from cofca.envs.autoreset import AutoReset, Playing, make_pool
from cofca.envs.packed import Packed, PackedEnvironment
from cofca.rl.config import PPOConfig
from cofca.rl.failure_buffer import Failures, distinct, no_failures, put, take


class Pool(NamedTuple):
    """The levels of a while, and which of them have been played."""

    states: Packed
    """At the start of the levels."""
    keys: UInt32[Array, "levels words"]
    replayed: Bool[Array, " levels"]
    """Which come out of the failure buffer."""
    played: Bool[Array, " levels"]


class LevelSampler(NamedTuple):
    """Where a seed is among its levels."""

    pool: Pool
    playing: Playing
    level: UInt32[Array, "envs words"]
    """The keys of the levels that are being played, perhaps of an earlier pool."""
    known: Bool[Array, " envs"]
    """Who is playing a level that is not fresh."""
    failures: Failures
    success: Float[Array, ""]
    """Moving success rate on fresh levels."""

    @property
    def met(self) -> Bool[Array, " levels"]:
        """Which levels of the pool are not fresh."""
        return self.pool.replayed | self.pool.played


def no_levels(env: PackedEnvironment, config: PPOConfig) -> LevelSampler:
    """Before the first pool."""
    no = jnp.zeros(config.levels, bool)
    pool = Pool(env.no_states(config.levels), jnp.zeros((config.levels, 2), jnp.uint32), replayed=no, played=no)
    playing = Playing(env.no_states(config.envs), jnp.zeros(config.envs, jnp.int32))
    level, known = jnp.zeros((config.envs, 2), jnp.uint32), jnp.zeros(config.envs, bool)
    return LevelSampler(pool, playing, level, known, no_failures(config.failures), jnp.float32(0))


def draw_keys(
    fresh_key: PRNGKeyArray, take_key: PRNGKeyArray, sampler: LevelSampler, config: PPOConfig
) -> tuple[LevelSampler, Array, Array]:
    """The keys of a new pool, and which of them are replayed: fresh ones and some out of the failure buffer."""
    fresh = jax.random.key_data(jax.random.split(fresh_key, config.levels))
    if not config.failures:
        return sampler, fresh, jnp.zeros(config.levels, bool)
    pool = sampler.pool
    failures = distinct(put(sampler.failures, pool.keys, pool.replayed & ~pool.played))
    probability = config.failure_probability * sampler.success
    failures, keys, replayed = take(take_key, failures, fresh, probability)
    return sampler._replace(failures=failures), keys, replayed


def new_pools(
    keys: tuple[Array, Array],
    samplers: LevelSampler,
    first: Bool[Array, " seeds"],
    env: PackedEnvironment,
    config: PPOConfig,
) -> LevelSampler:
    """Another pool of levels for each seed. In the first pool all start to play; in a later one they go on."""
    samplers, words, replayed = jax.vmap(partial(draw_keys, config=config))(*keys, samplers)
    # All seeds' levels are made in one batch.
    made = make_pool(env, jax.random.wrap_key_data(words.reshape(-1, words.shape[-1])), env.params)
    states = jax.tree.map(lambda leaf: leaf.reshape(*replayed.shape, *leaf.shape[1:]), made)
    pools = Pool(states, words, replayed, jnp.zeros_like(replayed))
    return jax.vmap(partial(_start, env=env, config=config))(samplers._replace(pool=pools), first)


def _start(sampler: LevelSampler, first: Bool[Array, ""], env: PackedEnvironment, config: PPOConfig) -> LevelSampler:
    _, playing = AutoReset(env, config.envs).reset(sampler.pool.states, env.params)
    new = playing, sampler.pool.keys[playing.slot]
    now = jax.tree.map(lambda one, other: jnp.where(first, one, other), new, (sampler.playing, sampler.level))
    return sampler._replace(playing=now[0], level=now[1])


def count_success(
    sampler: LevelSampler, level: UInt32[Array, "*episodes words"], done: Array, fresh: Array, won: Array,
    config: PPOConfig,
) -> LevelSampler:  # fmt: skip
    """Follow the success rate on fresh levels, and put failed episodes into the buffer."""
    fresh = done & fresh
    episodes, successes = fresh.sum(), (fresh & won).sum()
    share = successes / jnp.maximum(episodes, 1)
    change = jnp.where(episodes > 0, share - sampler.success, 0.0)
    failures: Any = sampler.failures
    if config.failures:
        failures = put(failures, level.reshape(-1, 2), (done & ~won).reshape(-1))
    return sampler._replace(success=sampler.success + config.success_smoothing * change, failures=failures)
