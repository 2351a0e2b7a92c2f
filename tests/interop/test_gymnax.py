"""Gymnax's API: the functional environment itself until an episode ends, then a level of the pool."""

import copy
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from compiled import at, part, plain, same
from envs.first_try import FirstTry

from cofca.envs.minecraft import MinecraftParams
from cofca.envs.starcraft import StarCraft, StarCraftParams
from cofca.interop.gymnax import GymnaxEnvironment, LegacyGymnaxEnvironment, LevelPool, flatten
from cofca.testing.environment import traced_once
from interop.test_imports import run_python

ENV, SETTING = FirstTry(), MinecraftParams(length=(1, 2), steps_per_line=8)
"""Time runs out soon, so that episodes end in both ways."""
LIMITS = ENV.observation_limits(SETTING)
LEVELS, NUM, STEPS = 12, 6, 40


class Step(NamedTuple):
    """A step of all environments, and what it would be without resets."""

    given: Any
    """Keys, states and actions."""
    obs: Any
    state: Any
    reward: Any
    terminated: Any
    truncated: Any
    info: Any
    raw: Any

    @property
    def done(self) -> Any:
        return self.terminated | self.truncated


@pytest.fixture(scope="module")
def wrapped() -> GymnaxEnvironment:
    return GymnaxEnvironment(ENV, SETTING, levels=LEVELS, seed=1)


@pytest.fixture(scope="module")
def pool(wrapped: GymnaxEnvironment) -> LevelPool:
    """Other levels than the environment's own."""
    return wrapped.fresh_params(jax.random.key(9))


@pytest.fixture(scope="module")
def resets(wrapped: GymnaxEnvironment, pool: LevelPool) -> tuple[Any, Any]:
    """Observations and states of many resets."""
    reset = jax.jit(jax.vmap(wrapped.reset, in_axes=(0, None)))
    return reset(jax.random.split(jax.random.key(5), 100), pool)


@pytest.fixture(scope="module")
def play(wrapped: GymnaxEnvironment, pool: LevelPool, resets: tuple[Any, Any]) -> list[Step]:
    """Random actions in environments side by side."""
    step = traced_once(jax.vmap(wrapped.step, in_axes=(0, 0, 0, None)))
    raw_step = jax.jit(jax.vmap(lambda key, *now: ENV.step(jax.random.split(key)[0], *now, SETTING)))
    state = part(resets[1], 0, NUM)
    steps = []
    for key in jax.random.split(jax.random.key(2), STEPS):
        keys, actions = chances(key)
        given = keys, state, actions
        steps.append(Step(given, *step(*given, pool), raw_step(*given)))
        state = steps[-1].state
    return steps


@jax.jit
def chances(key: Any) -> tuple[Any, Any]:
    """A key and a random action for each environment."""
    return jax.random.split(key, NUM), jax.random.randint(key, (NUM,), 0, ENV.num_actions(SETTING))


@jax.jit
def start(levels: Any) -> Any:
    return jax.vmap(lambda level: ENV.start(level, SETTING))(levels)


@jax.jit
def look(states: Any) -> Any:
    """The rows of what the environment itself observes."""
    return jax.vmap(lambda state: flatten(ENV.observe(state, SETTING), LIMITS))(states)


def level_keys(states: Any) -> set[tuple[int, ...]]:
    return {tuple(key) for key in jax.random.key_data(states.level.key).reshape(-1, 2).tolist()}


def test_it_has_what_trainers_ask_for(wrapped: GymnaxEnvironment) -> None:
    params = wrapped.default_params
    assert (wrapped.name, wrapped.num_actions, wrapped.action_space(params).n) == ("FirstTry", 9, 9)
    grid, inventory, line = 6 * 6 * 7, 3 * 36, 3 * 16 + 1
    assert wrapped.observation_space(params).shape == (grid + inventory + 2 * line,)


def test_spaces_sample_what_they_contain(wrapped: GymnaxEnvironment) -> None:
    actions, rows = wrapped.action_space(), wrapped.observation_space()
    keys = jax.random.split(jax.random.key(0), 200)
    assert set(jax.vmap(actions.sample)(keys).tolist()) == set(range(9))
    assert [bool(actions.contains(action)) for action in (-1, 0, 8, 9)] == [False, True, True, False]
    row = rows.sample(keys[0])
    assert (row.shape, row.dtype) == (rows.shape, rows.dtype)
    assert rows.contains(row)
    assert not rows.contains(row.at[3].set(2))
    assert not rows.contains(row.at[3].set(-1))


def test_a_reset_starts_a_level_of_the_pool_as_the_environment_does(pool: LevelPool, resets: tuple[Any, Any]) -> None:
    obs, states = resets
    assert len(level_keys(pool.start)) == LEVELS
    assert level_keys(states) == level_keys(pool.start)  # each is drawn sooner or later
    assert same(states, start(states.level))
    assert same(obs, look(states))


def test_a_step_brings_what_the_environment_itself_brings(play: list[Step]) -> None:
    for step in play:
        _, state, reward, terminated, truncated, info = step.raw
        assert same((step.reward, step.terminated, step.truncated), (reward, terminated, truncated))
        ends = {"terminated": terminated, "truncated": truncated, "final_observation": look(state)}
        assert same(step.info, {**info._asdict(), **ends})


def test_running_episodes_go_on(play: list[Step]) -> None:
    for step in play:
        for number in np.flatnonzero(~np.asarray(step.done)):
            assert same(at(step.state, number), at(step.raw[1], number))


def test_after_the_end_comes_the_start_of_a_level_of_the_pool(pool: LevelPool, play: list[Step]) -> None:
    places, drawn = {tuple(key): place for place, key in enumerate(plain(pool.start.level.key).tolist())}, []
    for step in play:
        for number in np.flatnonzero(step.done):
            state = at(step.state, number)
            drawn.append(places[tuple(plain(state.level.key).tolist())])
            assert same(state, at(pool.start, drawn[-1]))
    assert len(set(drawn)) > LEVELS // 2
    for flag in ("terminated", "truncated"):
        assert any(step.info[flag].any() for step in play)


def test_what_is_seen_is_the_state_after_the_reset(wrapped: GymnaxEnvironment, play: list[Step]) -> None:
    for step in play:
        assert same(step.obs, look(step.state))
        assert wrapped.observation_space().contains(step.obs)


def test_alone_and_with_a_key_of_the_old_kind_it_is_the_same(
    wrapped: GymnaxEnvironment, pool: LevelPool, play: list[Step]
) -> None:
    last = next(step for step in play if step.done.any())
    number = int(np.argmax(last.done))
    key, state, action = at(last.given, number)
    alone = jax.jit(wrapped.step)(jax.random.key_data(key), state, action, pool)
    assert same(alone, at(last[1:7], number))


def test_new_levels_need_no_new_program(wrapped: GymnaxEnvironment, pool: LevelPool) -> None:
    reset, key = traced_once(wrapped.reset), jax.random.key(0)
    assert not level_keys(pool.start) & level_keys(wrapped.default_params.start)
    for params in (pool, wrapped.default_params):
        assert level_keys(reset(key, params)[1]) <= level_keys(params.start)


def test_without_params_it_uses_its_own(wrapped: GymnaxEnvironment) -> None:
    key = jax.random.key(0)
    assert same(jax.jit(wrapped.reset)(key), jax.jit(wrapped.reset)(key, wrapped.default_params))


def test_the_keys_of_levels_are_those_asked_for(wrapped: GymnaxEnvironment) -> None:
    keys = jax.random.split(jax.random.key(1), LEVELS)
    for pool in (wrapped.default_params, wrapped.fresh_params(jax.random.PRNGKey(1))):
        assert same(pool.start.level.key, keys)
        assert same(pool.start, start(pool.start.level))


@pytest.mark.parametrize(("env", "params"), [(ENV, SETTING), (StarCraft(), StarCraftParams(length=(2, 3)))])
def test_a_row_tells_everything_that_was_observed(env: Any, params: Any) -> None:
    limits = env.observation_limits(params)
    rng = np.random.default_rng(0)
    obs = jax.tree.map(lambda limit: jnp.asarray(rng.integers(0, np.asarray(limit) + 1), limit.dtype), limits)
    row = flatten(obs, limits)
    assert set(row.tolist()) == {0, 1}
    for value, limit in zip(obs, limits, strict=True):
        size = 1 if limit.max() == 1 else int(limit.max()) + 1
        part, row = row[: value.size * size].reshape(value.size, size), row[value.size * size :]
        assert (part.argmax(axis=1) if size > 1 else part[:, 0]).tolist() == value.ravel().tolist()
    assert row.size == 0


def test_it_needs_neither_gymnax_nor_gymnasium() -> None:
    imports = "import sys, cofca.envs.minecraft, cofca.interop.gymnax"
    assert run_python(f"{imports}; print({{'gymnax', 'gymnasium'}} & set(sys.modules))") == "set()"


def test_what_was_seen_before_a_reset_is_kept(play: list[Step]) -> None:
    for step in play:
        for number, done in enumerate(np.asarray(step.done).tolist()):
            assert done != same(at(step.obs, number), at(step.info["final_observation"], number))


def test_before_1_0_there_was_one_flag(wrapped: GymnaxEnvironment, pool: LevelPool, play: list[Step]) -> None:
    legacy = LegacyGymnaxEnvironment(wrapped)
    last = next(step for step in play if step.done.any())
    assert same(traced_once(jax.vmap(legacy.step, in_axes=(0, 0, 0, None)))(*last.given, pool), legacy_of(last))
    assert (legacy.name, legacy.num_actions) == (wrapped.name, wrapped.num_actions)
    assert copy.deepcopy(legacy).default_params is wrapped.default_params


def legacy_of(step: Step) -> tuple[Any, ...]:
    return step.obs, step.state, step.reward, step.done, step.info


def test_a_pool_can_be_copied_while_a_program_is_traced(pool: LevelPool) -> None:
    jax.eval_shape(lambda: copy.deepcopy(pool))


@pytest.mark.soak
def test_it_works_inside_the_wrappers_of_gymnax(wrapped: GymnaxEnvironment) -> None:
    wrappers = pytest.importorskip("gymnax.wrappers")
    from gymnax.environments.spaces import Discrete

    assert isinstance(wrapped.action_space(), Discrete)
    env = wrappers.LogWrapper(wrappers.FlattenObservationWrapper(wrapped))
    params = wrapped.default_params

    def step(state: Any, key: Any) -> tuple[Any, Any]:
        keys = jax.random.split(key, NUM)
        _, state, reward, terminated, truncated, info = jax.vmap(env.step, in_axes=(0, 0, 0, None))(
            keys, state, jnp.zeros(NUM, jnp.int32), params
        )
        return state, (reward, terminated | truncated, info)

    assert env.observation_space(params).shape == wrapped.observation_space(params).shape
    _, state = jax.vmap(env.reset, in_axes=(0, None))(jax.random.split(jax.random.PRNGKey(0), NUM), params)
    _, (reward, done, info) = jax.lax.scan(step, state, jax.random.split(jax.random.PRNGKey(1), STEPS))
    assert same(info["returned_episode"], done)
    assert same(info["returned_episode_returns"][done], reward[done])
    assert reward.sum() > 0


@pytest.mark.soak
def test_it_works_inside_the_wrapper_for_older_trainers(wrapped: GymnaxEnvironment, play: list[Step]) -> None:
    wrappers = pytest.importorskip("gymnax.wrappers")
    given = play[0].given
    args = *jax.tree.map(lambda leaf: leaf[0], given), wrapped.default_params
    assert same(wrappers.LegacyStepAPIWrapper(wrapped).step(*args), LegacyGymnaxEnvironment(wrapped).step(*args))
