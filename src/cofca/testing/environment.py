"""For whoever writes an environment: check that it keeps the contract of `cofca.envs.base`."""

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from cofca.envs.base import Environment

STRANGE_ACTIONS = (-(2**31), -1, 10**6, 2**31 - 1)


def check_environment(env: Environment, params: Any = None, *, seed: int = 0, steps: int = 50) -> None:
    """Play random and senseless actions and raise `AssertionError` at the first promise that is not kept."""
    params = env.default_params if params is None else params
    reset = traced_once(partial(env.reset, params=params))
    step = traced_once(partial(env.step, params=params))
    first, second = jax.random.split(jax.random.key(seed))
    obs, state = reset(first)
    _same(state, reset(first)[1], "the same key must give the same level")
    reset(second)
    _check_limits(env, obs, params)
    again = reset(env.level_of(state).key)[1]
    _same(state, again, "the key of a state's level must restart its episode")

    structure = shapes((obs, state))
    rng = np.random.default_rng(seed)
    actions = [*STRANGE_ACTIONS, *rng.integers(0, env.num_actions(params), steps).tolist()]
    ended, facts = False, None
    for number, action in enumerate(actions):
        before = state
        obs, state, reward, terminated, truncated, info = step(
            jax.random.fold_in(first, number), state, jnp.int32(action)
        )
        _require(
            shapes((obs, state)) == structure, f"action {action} changed the shape or type of observation or state"
        )
        facts = facts or shapes(info)
        _require(shapes(info) == facts, "info must keep its structure")
        _check_limits(env, obs, params)
        _check_outcome(reward, terminated, truncated)
        if ended:
            _same(before, state, "a finished episode must stay as it is")
            _require(float(reward) == 0, "a finished episode gives no further reward")
        ended = bool(terminated) or bool(truncated)
    _check_batched(env, params, seed, reset)


def traced_once(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function and raise if it is ever traced a second time."""
    traces = 0

    def counted(*args: Any) -> Any:
        nonlocal traces
        traces += 1
        _require(traces == 1, f"{function} was traced again: a shape, type or constant changed between calls")
        return function(*args)

    return jax.jit(counted)


def shapes(tree: Any) -> Any:
    """The shape and type of every array."""
    return jax.tree.map(lambda leaf: (leaf.shape, leaf.dtype), tree)


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise AssertionError(message)


def _plain(leaf: Any) -> np.ndarray:
    is_key = jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)
    return np.asarray(jax.random.key_data(leaf) if is_key else leaf)


def _same(one: Any, other: Any, message: str) -> None:
    pairs = zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True)
    _require(all(np.array_equal(_plain(a), _plain(b)) for a, b in pairs), message)


def _check_limits(env: Environment, obs: Any, params: Any) -> None:
    limits = env.observation_limits(params)
    _require(type(obs) is type(limits), "observation_limits must have the type of an observation")
    for name, value, limit in zip(obs._fields, obs, limits, strict=True):
        _require(value.shape == limit.shape, f"observation {name} has shape {value.shape}, its limit {limit.shape}")
        _require(value.dtype == limit.dtype, f"observation {name} is {value.dtype}, its limit {limit.dtype}")
        _require(bool((np.asarray(value) >= 0).all()), f"observation {name} is negative")
        _require(bool((np.asarray(value) <= np.asarray(limit)).all()), f"observation {name} exceeds its limit")


def _check_outcome(reward: Any, terminated: Any, truncated: Any) -> None:
    _require(reward.dtype == jnp.float32 and reward.shape == (), "reward must be one float32")
    for name, flag in {"terminated": terminated, "truncated": truncated}.items():
        _require(flag.dtype == jnp.bool and flag.shape == (), f"{name} must be one bool")
    _require(not (bool(terminated) and bool(truncated)), "an episode is terminated or truncated, not both")
    _require(float(reward) == 0 or bool(terminated), "reward comes only with success, which terminates")


def _check_batched(env: Environment, params: Any, seed: int, reset: Callable[..., Any]) -> None:
    """A level made in a batch must be the level made alone."""
    keys = jax.random.split(jax.random.key(seed), 3)
    batch = jax.jit(partial(env.levels, params=params))(keys)
    rows = [_plain(leaf) for leaf in jax.tree.leaves(batch)]
    for number, key in enumerate(keys):
        alone = map(_plain, jax.tree.leaves(env.level_of(reset(key)[1])))
        equal = all(np.array_equal(row[number], leaf) for row, leaf in zip(rows, alone, strict=True))
        _require(equal, "levels must not depend on their batch")
