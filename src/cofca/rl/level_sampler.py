"""The levels to learn from: a pool of fresh ones for each seed, and some that were failed before."""

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int32, PRNGKeyArray, UInt32

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
    turn: Int32[Array, " envs"]
    """Where each environment is in the order of the pool; it plays another level only while it tries one again."""
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
    return LevelSampler(pool, playing, playing.slot, level, known, no_failures(config.failures), jnp.float32(0))


def draw_keys(
    fresh_key: PRNGKeyArray, take_key: PRNGKeyArray, sampler: LevelSampler, config: PPOConfig
) -> tuple[LevelSampler, Array, Array]:
    """The keys of a new pool, and which of them are replayed: fresh ones and some out of the failure buffer."""
    fresh = jax.random.key_data(jax.random.split(fresh_key, config.levels))
    if not config.failures:
        return sampler, fresh, jnp.zeros(config.levels, bool)
    pool = sampler.pool
    failures = distinct(put(sampler.failures, pool.keys, pool.replayed & ~pool.played))
    if not config.replays:
        failures, keys, replayed = take(take_key, failures, fresh, replay_probability(sampler, config))
        return sampler._replace(failures=failures), keys, replayed
    fresh, rest = jnp.split(fresh, [config.levels - config.replays])
    failures, rest, retried = take(take_key, failures, rest, jnp.float32(1))
    replayed = jnp.concatenate([jnp.zeros(len(fresh), bool), retried])
    return sampler._replace(failures=failures), jnp.concatenate([fresh, rest]), replayed


def replay_probability(sampler: LevelSampler, config: PPOConfig) -> Float[Array, ""]:
    """Of trying a failed level again: in proportion to the success rate."""
    return config.failure_probability * sampler.success


def draw_retries(key: PRNGKeyArray, shape: tuple[int, ...], config: PPOConfig) -> Float[Array, "*shape 2"] | None:
    """Two uniform numbers for each time step: whether to try a failed level again, and which."""
    return jax.random.uniform(jax.random.fold_in(key, 1), (*shape, 2)) if config.replays else None


def next_level(
    sampler: LevelSampler, turn: Int32[Array, ""], retry: Float[Array, "2"] | None, auto: AutoReset, config: PPOConfig
) -> tuple[Int32[Array, ""], Int32[Array, ""]]:
    """The place in the pool of the next level of an environment, and where it then is in the order of the pool."""
    following = auto.following(turn, config.levels - config.replays)
    if retry is None:
        return following, following
    failed = sampler.pool.replayed.sum(dtype=jnp.int32)
    again = (failed > 0) & (retry[0] < replay_probability(sampler, config))
    # What `take` has put into the pool comes first.
    which = config.levels - config.replays + jnp.floor(retry[1] * failed).astype(jnp.int32)
    return jnp.where(again, which, following), jnp.where(again, turn, following)


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
    new = playing, playing.slot, sampler.pool.keys[playing.slot]
    old = sampler.playing, sampler.turn, sampler.level
    playing, turn, level = jax.tree.map(lambda one, other: jnp.where(first, one, other), new, old)
    return sampler._replace(playing=playing, turn=turn, level=level)


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
