"""The contract of environments: Minecraft keeps it, and the check notices who does not."""

from functools import cache, partial
from pathlib import Path
from runpy import run_path
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from compiled import at

from cofca.envs.autoreset import AutoReset, make_pool
from cofca.envs.minecraft import CONDITIONS, Level, Minecraft, MinecraftParams, oracle, own_level
from cofca.envs.rollout import play, random_policy
from cofca.testing.environment import check_environment, traced_once
from envs.first_try import FirstTry

PARAMS = MinecraftParams()
NESTED = MinecraftParams(length=(5, 15), max_depth=3, conditions=CONDITIONS, wait=True)
KEY = jax.random.key(0)


@pytest.mark.parametrize("params", [None, NESTED], ids=["default", "nested"])
def test_minecraft_keeps_the_contract(params):
    check_environment(Minecraft(), params)


def test_unsolvable_nested_levels_keep_the_contract():
    check_environment(FirstTry(), NESTED)


# Who breaks the contract is a small environment, which compiles fast: what the check notices is the same in all.
Corridor: Any = run_path(str(Path(__file__).parents[2] / "examples" / "corridor.py"))["Corridor"]


class ResetsItself(Corridor):
    def advance(self, key, state, action, response, params):
        state, outcome = super().advance(key, state, action, response, params)
        over = outcome.terminated | outcome.truncated
        start = self.start(state.level, params)
        return jax.tree.map(lambda new, old: jnp.where(over, new, old), start, state), outcome


class WidensAnObservation(Corridor):
    def observe(self, state, params):
        obs = super().observe(state, params)
        return obs._replace(mask=obs.mask.astype(jnp.int32))


class ChangesTypeInAStep(Corridor):
    def step(self, key, state, action, params):
        obs, state, *outcome = super().step(key, state, action, params)
        return obs, state._replace(time=state.time.astype(jnp.int16)), *outcome


class ExceedsALimit(Corridor):
    def observe(self, state, params):
        obs = super().observe(state, params)
        return obs._replace(grid=2 * obs.grid)


class DependsOnTheBatch(Corridor):
    def levels(self, keys, params):
        made = super().levels(keys, params)
        turns = jnp.arange(keys.shape[0])[:, None]
        return made._replace(lamps=jnp.where(turns % 2, made.lamps[:, ::-1], made.lamps))


class IgnoresTheKey(Corridor):
    def levels(self, keys, params):
        return super().levels(jax.random.split(jax.random.key(0), keys.shape[0]), params)


class ForgetsTheKey(Corridor):
    def levels(self, keys, params):
        return super().levels(keys, params)._replace(key=jax.vmap(partial(jax.random.fold_in, data=1))(keys))


class RewardsTheDead(Corridor):
    def advance(self, key, state, action, response, params):
        state, outcome = super().advance(key, state, action, response, params)
        return state, outcome._replace(reward=outcome.terminated.astype(jnp.float32))


class RewardsEveryStep(Corridor):
    def advance(self, key, state, action, response, params):
        state, outcome = super().advance(key, state, action, response, params)
        return state, outcome._replace(reward=jnp.float32(1))


class EndsTwice(Corridor):
    def advance(self, key, state, action, response, params):
        state, outcome = super().advance(key, state, action, response, params)
        return state, outcome._replace(truncated=outcome.truncated | outcome.terminated)


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        (ResetsItself, "a finished episode must stay as it is"),
        (WidensAnObservation, "observation mask is int32, its limit int8"),
        (ChangesTypeInAStep, "changed the shape or type of observation or state"),
        (ExceedsALimit, "observation grid exceeds its limit"),
        (DependsOnTheBatch, "levels must not depend on their batch"),
        (IgnoresTheKey, "levels must not depend on their batch"),
        (ForgetsTheKey, "the key of a state's level must restart its episode"),
        (RewardsTheDead, "a finished episode gives no further reward"),
        (RewardsEveryStep, "reward comes only with success"),
        (EndsTwice, "terminated or truncated, not both"),
    ],
)
def test_broken_environments_are_found_out(broken, complaint):
    with pytest.raises(AssertionError, match=complaint):
        check_environment(broken())


@pytest.mark.parametrize("other", [jnp.zeros(3), jnp.zeros(2, jnp.int32)], ids=["shape", "type"])
def test_traced_once_raises_when_a_function_is_traced_again(other):
    double = traced_once(lambda number: 2 * number)
    assert double(jnp.ones(2)).tolist() == [2, 2]
    assert double(jnp.zeros(2)).tolist() == [0, 0]
    with pytest.raises(AssertionError, match="was traced again"):
        double(other)


@cache
def first_tries() -> Level:
    return jax.jit(partial(FirstTry().levels, params=PARAMS))(jax.random.split(KEY, 3))


def different_levels() -> list[Level]:
    """Levels made in bulk, and levels of one's own."""
    made = [at(first_tries(), number) for number in range(3)]
    drawing = "\n".join(["@iggw."] + ["m....."] * 5)
    return [*made, own_level(KEY, "mine iron", PARAMS, drawing), own_level(KEY, "sell gold", PARAMS, drawing)]


def test_the_parts_of_a_step_are_traced_once_for_all_levels():
    env = Minecraft()
    start, observe, respond, advance = (
        traced_once(partial(part, params=PARAMS)) for part in (env.start, env.observe, env.respond, env.advance)
    )
    choose = traced_once(oracle)
    for one in different_levels():
        state = start(one)
        for _ in range(3):
            command = choose(state)
            observe(state)
            state, _ = advance(KEY, state, command, respond(KEY, state, command))


def test_pools_and_so_levels_are_traced_once_for_all_keys():
    """That resets are is part of the contract."""
    once = traced_once(lambda keys: make_pool(Minecraft(), keys, PARAMS))
    for seed in range(3):
        once(jax.random.split(jax.random.key(seed), 2))


def test_autoreset_and_rollout_are_traced_once():
    env = FirstTry()
    auto = AutoReset(env, 3)
    reset, step = (traced_once(partial(part, params=PARAMS)) for part in (auto.reset, auto.step))
    pool_of, levels_of = (jax.jit(partial(part, params=PARAMS)) for part in (partial(make_pool, env), env.levels))
    whole = traced_once(lambda keys, levels: play(keys, env, levels, random_policy(env, PARAMS), PARAMS))
    for seed in range(3):
        keys = jax.random.split(jax.random.key(seed), 3)
        pool = pool_of(keys)
        _, playing = reset(pool)
        for key in keys:
            playing, _ = step(key, playing, jnp.arange(3), pool)
        whole(keys, levels_of(keys))
