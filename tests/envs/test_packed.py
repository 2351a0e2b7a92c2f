"""Packing: what comes out is what went in."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from cofca.envs.packed import PackedEnvironment, pack, shapes_of, unpack
from cofca.envs.starcraft import StarCraft, StarCraftParams
from cofca.testing.environment import check_environment


class Mixed(NamedTuple):
    """All kinds of leaves."""

    flags: Any
    small: Any
    half: Any
    whole: Any
    key: Any
    nothing: Any
    nested: Any


def mixed(*batch: int) -> Mixed:
    rng = np.random.default_rng(0)
    return Mixed(
        flags=jnp.asarray(rng.random((*batch, 3)) < 0.5),
        small=jnp.asarray(rng.integers(-128, 128, (*batch, 2, 2)), jnp.int8),
        half=(jnp.asarray(rng.normal(size=batch), jnp.bfloat16), jnp.asarray(rng.integers(-9, 9, batch), jnp.int16)),
        whole=jnp.asarray(rng.normal(size=(*batch, 4)), jnp.float32).at[..., 0].set(jnp.nan),
        key=jax.random.split(jax.random.key(1), batch),
        nothing=jnp.zeros((*batch, 0)),
        nested={"count": jnp.full(batch, 2**31 - 1, jnp.int32), "none": None},
    )


@pytest.mark.parametrize("batch", [(), (5,), (2, 3)])
def test_a_tree_comes_back_bit_for_bit(batch: tuple[int, ...]) -> None:
    tree = mixed(*batch)
    packed = pack(tree, batch)
    again = unpack(packed, shapes_of(tree, len(batch)), batch)
    assert [row.shape[len(batch) :] for row in packed] == [(3 + 4,), (2,), (4 + 2 + 1,)]
    assert jax.tree.structure(tree) == jax.tree.structure(again)
    for one, other in zip(jax.tree.leaves(tree), jax.tree.leaves(again), strict=True):
        assert (one.shape, one.dtype) == (other.shape, other.dtype)
        if jnp.issubdtype(one.dtype, jax.dtypes.prng_key):
            one, other = jax.random.key_data(one), jax.random.key_data(other)
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes()


def test_a_packed_environment_is_an_environment() -> None:
    params = StarCraftParams(length=(1, 3), steps_per_line=3)
    check_environment(PackedEnvironment(StarCraft(), params), params)


def test_a_packed_environment_does_what_it_packs() -> None:
    params = StarCraftParams(length=(2, 3))
    env = StarCraft()
    packed = PackedEnvironment(env, params)
    keys = jax.random.split(jax.random.key(0), 30)
    (obs, state), (obs_too, state_too) = env.reset(keys[0], params), packed.reset(keys[0], params)
    step, step_too = jax.jit(env.step, static_argnums=3), jax.jit(packed.step, static_argnums=3)
    for key in keys:
        assert jax.tree.all(jax.tree.map(np.array_equal, obs, obs_too))
        action = jnp.argmax(env.allowed(state, params) * jax.random.uniform(key, (env.num_actions(params),)))
        obs, state, *outcome = step(key, state, action, params)
        obs_too, state_too, *outcome_too = step_too(key, state_too, action, params)
        assert jax.tree.all(jax.tree.map(np.array_equal, outcome, outcome_too))
