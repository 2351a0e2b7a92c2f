"""Endless episodes: the wrapper is the environment itself until an episode ends, then the next level of the pool."""

from functools import cache, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from compiled import at, part, same

from cofca.envs.autoreset import AutoReset, Playing, Transition, make_pool
from cofca.envs.minecraft import MinecraftParams
from envs.first_try import FirstTry

ENV, NUM, STEPS = FirstTry(), 4, 80
MAKING = MinecraftParams(length=(1, 10))
PLAYING = MinecraftParams(length=(1, 10), steps_per_line=4)
"""Time runs out soon, so that episodes end in both ways."""
POOLS = [6, NUM, 3]
"""Levels in the pool: more than there are environments, as many, and fewer."""

make = jax.jit(partial(make_pool, ENV, params=MAKING))
raw_step = jax.jit(jax.vmap(partial(ENV.step, params=PLAYING)))
observe = jax.jit(partial(ENV.observe, params=PLAYING))
reset = jax.jit(partial(AutoReset(ENV, NUM).reset, params=PLAYING))


@jax.jit
def chances(key: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Random actions, and a key for each environment."""
    return jax.random.randint(key, (NUM,), 0, ENV.num_actions(PLAYING)), jax.random.split(key, NUM)


class Step(NamedTuple):
    """A step of all environments, and what it would be without resets."""

    before: Playing
    after: Playing
    transition: Transition
    raw: tuple

    @property
    def done(self) -> np.ndarray:
        return np.asarray(self.transition.terminated) | np.asarray(self.transition.truncated)


@cache
def whole_pool() -> Any:
    return make(jax.random.split(jax.random.key(0), max(POOLS)))


def pool_of(size: int) -> Any:
    return part(whole_pool(), 0, size)


@cache
def play(size: int) -> list[Step]:
    """Random actions with a pool of so many levels."""
    auto, pool = AutoReset(ENV, NUM), pool_of(size)
    step = jax.jit(partial(auto.step, params=PLAYING))
    _, playing = reset(pool)
    steps = []
    for key in jax.random.split(jax.random.key(size), STEPS):
        actions, keys = chances(key)
        raw = raw_step(keys, playing.state, actions)
        after, transition = step(key, playing, actions, pool)
        steps.append(Step(playing, after, transition, raw))
        playing = after
    return steps


@pytest.mark.parametrize("size", POOLS)
def test_episodes_end_by_themselves_and_by_time(size):
    for flag in ("terminated", "truncated"):
        assert any(getattr(step.transition, flag).any() for step in play(size))


def test_reset_starts_environment_i_with_level_i():
    obs, playing = reset(pool_of(NUM))
    assert playing.slot.tolist() == [0, 1, 2, 3]
    assert same(playing.state, pool_of(NUM))
    assert same(obs, jax.jit(jax.vmap(observe))(pool_of(NUM)))


def test_a_pool_smaller_than_the_number_of_environments_is_used_round_and_round():
    _, playing = reset(pool_of(3))
    assert playing.slot.tolist() == [0, 1, 2, 0]
    assert same(at(playing.state, 3), at(playing.state, 0))


@pytest.mark.parametrize("size", POOLS)
def test_what_a_step_brings_is_what_the_environment_itself_brings(size):
    for step in play(size):
        _, _, reward, terminated, truncated, info = step.raw
        now = step.transition
        assert same((now.reward, now.terminated, now.truncated, now.info), (reward, terminated, truncated, info))
        assert same(now.response, info.primitive)


@pytest.mark.parametrize("size", POOLS)
def test_running_episodes_go_on_as_in_the_environment_itself(size):
    for step in play(size):
        obs, state, *_ = step.raw
        for number in np.flatnonzero(~step.done):
            assert same(at(step.after.state, number), at(state, number))
            assert same(at(step.transition.obs, number), at(obs, number))
            assert step.after.slot[number] == step.before.slot[number]


@pytest.mark.parametrize("size", POOLS)
def test_after_the_end_comes_the_start_of_the_level_num_further_on_and_once_round_one_more(size):
    for step in play(size):
        for number in np.flatnonzero(step.done):
            further = int(step.before.slot[number]) + NUM
            slot = further if further < size else (further + 1) % size
            start = at(pool_of(size), slot)
            assert step.after.slot[number] == slot
            assert same(at(step.after.state, number), start)
            assert same(at(step.transition.obs, number), observe(start))


@pytest.mark.parametrize("num", [1, 2, 3, 7, 8, 150])
def test_until_a_pool_is_used_up_nobody_meets_a_level_twice_or_that_of_another(num):
    slots, met = jnp.arange(num), set()
    for _ in range(8):
        met |= set(slots.tolist())
        slots = AutoReset(ENV, num).following(slots, 8 * num)
    assert met == set(range(8 * num))


@pytest.mark.parametrize("size", POOLS)
def test_the_final_observation_is_the_one_before_the_reset(size):
    differs = False
    for step in play(size):
        assert same(step.transition.final_obs, step.raw[0])
        differs |= not same(step.transition.final_obs, step.transition.obs)
    assert differs


def test_stored_keys_restart_failed_episodes():
    failed = []
    for step in play(max(POOLS)):
        lost = step.transition.terminated & (step.transition.reward == 0)
        failed += [(step.before.slot[n], step.before.state.level.key[n]) for n in np.flatnonzero(lost)]
    slots, keys = zip(*failed[-max(POOLS) :], strict=True)
    assert same(make(jnp.stack(keys)), at(whole_pool(), jnp.stack(slots)))
