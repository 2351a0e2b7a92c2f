"""A time step in words: why an episode ended."""

import jax
import jax.numpy as jnp

from cofca.envs.starcraft import StarCraft, StarCraftParams, own_level
from cofca.envs.starcraft.render.words import words
from cofca.envs.starcraft.symbols import NOTHING

PARAMS = StarCraftParams(length=(2, 2), steps_per_line=1)


def test_what_was_still_to_be_done_is_told_when_the_time_is_up() -> None:
    env, map_ = StarCraft(), "@m....\ng.....\n" + 4 * "......\n"
    state = env.start(own_level(jax.random.key(0), "Build Pylon\nTrain Adept", PARAMS, map_), PARAMS)
    why = []
    for _ in range(2):
        after = env.advance(jax.random.key(0), state, jnp.int32(NOTHING), jnp.int32(1), PARAMS)[0]
        why.append(words(state, after, NOTHING, 1, PARAMS).why)
        state = after
    assert why == ["", "out of time: line 1, Build Pylon, was still to be done"]
