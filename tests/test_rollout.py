"""Whole episodes: each level is played once, and by itself."""

from functools import cache, partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jaxtyping import Array

from cofca.envs.minecraft.env import Minecraft
from cofca.envs.minecraft.params import MinecraftParams
from cofca.envs.minecraft.world import State
from cofca.envs.registry import domain
from cofca.envs.rollout import Episodes, Policy, Watcher, memoryless, play, random_policy

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


def alone(who: str, place: int) -> tuple[float, int, np.ndarray]:
    """One episode, step by step."""
    step, act = jax.jit(partial(ENV.step, params=PARAMS)), jax.jit(POLICIES[who].act)
    state = ENV.start(jax.tree.map(lambda batch: batch[place], levels()), PARAMS)
    total, steps = 0.0, 0
    while True:
        chosen, _, chance = jax.random.split(jax.random.fold_in(KEYS[place], steps), 3)
        action, _ = act(chosen, state, ())
        _, state, reward, terminated, truncated, info = step(chance, state, action)
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
    policy = POLICIES["random"]._replace(pointer=lambda state, memory: state.time % 3)
    whole = jax.jit(lambda keys, levels: play(keys, ENV, levels, policy, PARAMS, 5, watcher))
    ends, alone = whole(KEYS, levels()), played("random", 5)
    jax.tree.map(np.testing.assert_array_equal, ends._replace(notes=()), alone)
    pointers = [sum(step % 3 for step in range(steps)) for steps in alone.steps.tolist()]
    expected = np.stack([alone.steps, pointers, alone.steps, alone.steps], axis=1)
    np.testing.assert_array_equal(ends.notes, expected)


def test_a_policy_begins_each_episode_with_a_fresh_memory() -> None:
    """One that counts its time steps, and waits for the end."""

    def count(key: Array, state: Array, memory: Array) -> tuple[Array, Array]:
        return memory % 9, memory + 1

    seen = []

    def heed(key: Array, state: Array, memory: Array, action: Array, response: Array) -> Array:
        jax.debug.callback(lambda count, time: seen.append((int(count), int(time))), memory, state.time)
        return memory

    counting = Policy(lambda state: jnp.int32(0), count, heed)
    jax.block_until_ready(play(KEYS[:4], ENV, jax.tree.map(lambda batch: batch[:4], levels()), counting, PARAMS, 2))
    jax.effects_barrier()
    assert seen
    assert all(count == time + 1 for count, time in seen)
