"""Packing: what comes out is what went in."""

from functools import partial
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
        whole=jnp.asarray(
            np.concatenate([np.full((*batch, 1), np.nan), rng.normal(size=(*batch, 3))], -1), jnp.float32
        ),
        key=jax.random.split(jax.random.key(1), batch),
        nothing=jnp.zeros((*batch, 0)),
        nested={"count": jnp.full(batch, 2**31 - 1, jnp.int32), "none": None},
    )


@pytest.mark.parametrize("batch", [(), (5,), (2, 3)])
def test_a_tree_comes_back_bit_for_bit(batch: tuple[int, ...]) -> None:
    tree = mixed(*batch)
    shapes = shapes_of(tree, len(batch))
    packed = jax.jit(lambda tree: pack(tree, batch))(tree)
    again = jax.jit(lambda packed: unpack(packed, shapes, batch))(packed)
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
    (obs, state), (obs_too, state_too) = (
        jax.jit(one.reset, static_argnums=1)(keys[0], params) for one in (env, packed)
    )
    step, step_too = jax.jit(env.step, static_argnums=3), jax.jit(packed.step, static_argnums=3)
    choose = jax.jit(lambda key, mask: jnp.argmax(mask * jax.random.uniform(key, mask.shape)))
    allowed = jax.jit(partial(env.allowed, params=params))
    for key in keys:
        assert jax.tree.all(jax.tree.map(np.array_equal, obs, obs_too))
        action = choose(key, allowed(state))
        obs, state, *outcome = step(key, state, action, params)
        obs_too, state_too, *outcome_too = step_too(key, state_too, action, params)
        assert jax.tree.all(jax.tree.map(np.array_equal, outcome, outcome_too))
