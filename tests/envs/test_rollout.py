"""Whole episodes: each level is played once, and by itself."""

from collections.abc import Callable
from functools import cache, partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from compiled import at, part
from jaxtyping import Array

from cofca.envs.minecraft.env import Minecraft
from cofca.envs.minecraft.params import MinecraftParams
from cofca.envs.minecraft.world import State
from cofca.envs.registry import domain
from cofca.envs.rollout import Episodes, Policy, Respond, Taken, Watcher, memoryless, play, random_policy, scripted

ENV, PARAMS, NUMBER = Minecraft(), MinecraftParams(length=(1, 4)), 24
KEYS = jax.random.split(jax.random.key(5), NUMBER)
POLICIES = {"oracle": memoryless(domain("minecraft").oracle), "random": random_policy(ENV, PARAMS)}


@cache
def levels() -> Array:
    return jax.jit(partial(ENV.levels, params=PARAMS))(jax.random.split(jax.random.key(2), NUMBER))


@cache
def played(who: str, lanes: int | None) -> Episodes:
    whole = jax.jit(lambda keys, levels: play(keys, ENV, levels, POLICIES[who], PARAMS, lanes))
    return jax.device_get(whole(KEYS, levels()))


@cache
def step_of(who: str) -> Callable:
    """A time step, given a key for it."""

    def step(key: Array, number: int, state: State) -> tuple:
        keys = jax.random.split(jax.random.fold_in(key, number), 3)
        action = POLICIES[who].step(keys[:2], state, (), lambda action: jnp.int32(0)).action
        return ENV.step(keys[2], state, action, PARAMS)

    return jax.jit(step)


start = jax.jit(lambda levels, place: ENV.start(at(levels, place), PARAMS))


def alone(who: str, place: int) -> tuple[float, int, np.ndarray]:
    """One episode, step by step."""
    state = start(levels(), place)
    total, steps = 0.0, 0
    while True:
        _, state, reward, terminated, truncated, info = step_of(who)(KEYS[place], steps, state)
        total, steps = total + float(reward), steps + 1
        if terminated or truncated:
            return total, steps, np.asarray(info.transitions)


@pytest.mark.parametrize("who", POLICIES)
def test_an_episode_is_the_one_that_is_played_alone(who: str) -> None:
    ends = played(who, 5)
    for place in (0, 7, NUMBER - 1):
        total, steps, transitions = alone(who, place)
        assert (ends.returns[place], ends.steps[place]) == (total, steps)
        assert np.array_equal(ends.info.transitions[place], transitions)


@pytest.mark.parametrize("lanes", [1, 5, 100, None])
def test_no_episode_depends_on_those_beside_it(lanes: int | None) -> None:
    one, other = played("random", lanes), played("random", NUMBER)
    jax.tree.map(np.testing.assert_array_equal, one, other)
    assert len(set(one.steps.tolist())) > 3


def test_the_oracle_wins_every_level() -> None:
    assert (played("oracle", 5).returns == 1).all()


def test_a_watcher_sees_every_step_with_the_pointer_and_changes_nothing() -> None:
    """One that counts steps, adds up pointers, and keeps the time of the last state."""

    def see(notes: Array, before: State, pointer: Array, action: Array, after: State, params: MinecraftParams) -> Array:
        return jnp.stack([notes[0] + 1, notes[1] + pointer, after.time, notes[3] + (after.time > before.time)])

    watcher = Watcher(lambda state: jnp.zeros(4, jnp.int32), see, lambda notes: {})

    def step(keys: Array, state: State, memory: tuple, respond: Respond) -> Taken:
        return POLICIES["random"].step(keys, state, memory, respond)._replace(pointer=state.time % 3)

    policy = POLICIES["random"]._replace(step=step)
    whole = jax.jit(lambda keys, levels: play(keys, ENV, levels, policy, PARAMS, 5, watcher))
    ends, alone = whole(KEYS, levels()), played("random", 5)
    jax.tree.map(np.testing.assert_array_equal, ends._replace(notes=()), alone)
    pointers = [sum(step % 3 for step in range(steps)) for steps in alone.steps.tolist()]
    expected = np.stack([alone.steps, pointers, alone.steps, alone.steps], axis=1)
    np.testing.assert_array_equal(ends.notes, expected)


def test_a_policy_begins_each_episode_with_a_fresh_memory() -> None:
    """One that counts its time steps, and waits for the end."""
    seen = []

    def count(keys: Array, state: State, memory: Array, respond: Respond) -> Taken:
        action = memory % 9
        jax.debug.callback(lambda count, time: seen.append((int(count), int(time))), memory, state.time)
        return Taken(action, respond(action), memory + 1, jnp.int32(-1))

    counting = Policy(lambda state: jnp.int32(0), count)
    whole = jax.jit(lambda keys, levels: play(keys, ENV, levels, counting, PARAMS, 2))
    jax.block_until_ready(whole(KEYS[:4], part(levels(), 0, 4)))
    jax.effects_barrier()
    assert seen
    assert all(count == time for count, time in seen)


def test_who_plays_by_a_script_acts_with_the_first_key_and_hears_the_response() -> None:
    """And points where its memory after the action says."""

    def act(key: Array, state: Array, memory: Array) -> tuple[Array, Array]:
        return state + jax.random.randint(key, (), 0, 1000), memory + 1

    policy = scripted(lambda state: 10 * state, act, lambda memory: 2 * memory)
    keys = jax.random.split(jax.random.key(0))
    taken = policy.step(keys, jnp.int32(5), policy.begin(jnp.int32(5)), lambda action: -action)
    action = 5 + jax.random.randint(keys[0], (), 0, 1000)
    assert tuple(map(int, taken)) == (action, -action, 51, 102)
