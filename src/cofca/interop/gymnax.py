"""Gymnax 1.0: the API that fully compiled trainers expect, and the older one. Gymnax itself is not needed.

Generating a level takes far longer than a time step, and under `vmap` a reset inside a step is computed for every
environment at every step. So levels are made in bulk: a pool of them is the `params` that trainers hand to every call,
and a reset draws one of the pool. `default_params` is the pool made with the environment; a training that hands over
`fresh_params(key)` every now and then goes on with levels never seen before, and nothing is compiled again.
"""

import sys
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, Integer, PRNGKeyArray

from cofca.envs.autoreset import make_pool
from cofca.envs.base import Environment


class Discrete(NamedTuple):
    """The integers from 0 up to n."""

    n: int
    shape: tuple[int, ...] = ()
    dtype: Any = jnp.int32

    def sample(self, key: PRNGKeyArray) -> Int[Array, ""]:
        """Any of them."""
        return jax.random.randint(key, self.shape, 0, self.n, self.dtype)

    def contains(self, x: Any) -> Bool[Array, ""]:
        """Whether it is one of them."""
        return (jnp.asarray(x) >= 0) & (jnp.asarray(x) < self.n)


class Box(NamedTuple):
    """Arrays of a shape whose numbers lie between two bounds."""

    low: float
    high: float
    shape: tuple[int, ...]
    dtype: Any = jnp.float32

    def sample(self, key: PRNGKeyArray) -> Float[Array, "..."]:
        """Any of them."""
        return jax.random.uniform(key, self.shape, self.dtype, self.low, self.high)

    def contains(self, x: Any) -> Bool[Array, ""]:
        """Whether it is one of them."""
        return jnp.all((jnp.asarray(x) >= self.low) & (jnp.asarray(x) <= self.high))


MOST_STEPS = 2**15
"""Time limits stay below."""


@jax.tree_util.register_pytree_node_class
class LevelPool:
    """What takes the place of gymnax's parameters: the levels that resets draw from."""

    def __init__(self, start: Any, max_steps_in_episode: Any = MOST_STEPS) -> None:
        """The states at the start of the levels, batched, and what evaluations of trainers go by; episodes end by
        themselves."""
        self.start, self.max_steps_in_episode = start, max_steps_in_episode

    def __deepcopy__(self, memo: dict[int, Any]) -> "LevelPool":
        # It never changes, and trainers that copy their settings while they are traced can't copy random keys.
        return self

    def tree_flatten(self) -> tuple[tuple[Any, Any], None]:
        """Its arrays."""
        return (self.start, self.max_steps_in_episode), None

    @classmethod
    def tree_unflatten(cls, _: None, arrays: tuple[Any, Any]) -> "LevelPool":
        """A pool of these."""
        return cls(*arrays)


class GymnaxEnvironment:
    """A functional environment with the `reset` and `step` of gymnax 1.0, which resets itself.

    An observation is one row of zeros and ones: flags as they are, symbols and counts as one-hots. A state is the
    environment's own. `info` is a dictionary of the environment's info, `terminated`, `truncated` and
    `final_observation`, which is what is seen before a reset.
    """

    def __init__(self, env: Environment, setting: Any = None, *, levels: int = 4096, seed: int = 0) -> None:
        """`setting` is what the environment calls its params; `levels` is the size of a pool."""
        self.env, self.setting, self.levels = env, env.default_params if setting is None else setting, levels
        self._limits = env.observation_limits(self.setting)
        self._make_pool = jax.jit(partial(make_pool, env, params=self.setting))
        self.default_params = self.fresh_params(jax.random.key(seed))

    def fresh_params(self, key: PRNGKeyArray) -> LevelPool:
        """A pool of new levels."""
        return LevelPool(self._make_pool(jax.random.split(_typed(key), self.levels)))

    def reset(self, key: PRNGKeyArray, params: LevelPool | None = None) -> tuple[Float[Array, " numbers"], Any]:
        """Start a level of the pool: observation, state."""
        state = self._draw(key, params)
        return self.observe(state), state

    def step(
        self, key: PRNGKeyArray, state: Any, action: Int[Array, ""], params: LevelPool | None = None
    ) -> tuple[Float[Array, " numbers"], Any, Float[Array, ""], Bool[Array, ""], Bool[Array, ""], dict[str, Array]]:
        """One time step: observation, state, reward, terminated, truncated, info. After an end the first two are the
        next level's."""
        step_key, draw_key = jax.random.split(_typed(key))
        seen, after, reward, terminated, truncated, info = self.env.step(step_key, state, action, self.setting)
        state = jax.tree.map(partial(jnp.where, terminated | truncated), self._draw(draw_key, params), after)
        ends = {"terminated": terminated, "truncated": truncated, "final_observation": flatten(seen, self._limits)}
        return self.observe(state), state, reward, terminated, truncated, {**info._asdict(), **ends}

    def _draw(self, key: PRNGKeyArray, params: LevelPool | None) -> Any:
        start = (self.default_params if params is None else params).start
        slot = jax.random.randint(key, (), 0, jax.tree.leaves(start)[0].shape[0])
        return jax.tree.map(lambda states: states[slot], start)

    def observe(self, state: Any) -> Float[Array, " numbers"]:
        """What is seen in a state, as one row."""
        return flatten(self.env.observe(state, self.setting), self._limits)

    def action_space(self, params: LevelPool | None = None) -> Any:
        """The environment's actions."""
        return _spaces().Discrete(self.num_actions)

    def observation_space(self, params: LevelPool | None = None) -> Any:
        """Rows of zeros and ones."""
        return _spaces().Box(0.0, 1.0, jax.eval_shape(self.reset, jax.random.key(0))[0].shape, jnp.float32)

    @property
    def name(self) -> str:
        """The environment's name."""
        return type(self.env).__name__

    @property
    def num_actions(self) -> int:
        """How many actions there are."""
        return self.env.num_actions(self.setting)


class LegacyGymnaxEnvironment:
    """The same as gymnax had it before 1.0: `step` brings observation, state, reward, done, info."""

    def __init__(self, env: GymnaxEnvironment) -> None:
        self._env = env

    def __getattr__(self, name: str) -> Any:
        if name == "_env":  # while being copied
            raise AttributeError(name)
        return getattr(self._env, name)

    def step(
        self, key: PRNGKeyArray, state: Any, action: Int[Array, ""], params: LevelPool | None = None
    ) -> tuple[Float[Array, " numbers"], Any, Float[Array, ""], Bool[Array, ""], dict[str, Array]]:
        """One time step; `info` tells how an episode ended."""
        obs, state, reward, terminated, truncated, info = self._env.step(key, state, action, params)
        return obs, state, reward, terminated | truncated, info


def _spaces() -> Any:
    """Where gymnax is in use its own spaces, which trainers know by their class; otherwise those of this module."""
    return sys.modules.get("gymnax.environments.spaces", sys.modules[__name__])


def flatten(obs: Any, limits: Any) -> Float[Array, " numbers"]:
    """All numbers of an observation in a row: those of 0 or 1 as they are, others as one-hots up to their limit."""

    def row(values: Integer[Array, "..."], limit: Any) -> Float[Array, " numbers"]:
        largest = int(np.asarray(limit).max())
        return (values if largest == 1 else jax.nn.one_hot(values, largest + 1)).astype(jnp.float32).ravel()

    return jnp.concatenate([row(values, limit) for values, limit in zip(obs, limits, strict=True)])


def _typed(key: PRNGKeyArray) -> PRNGKeyArray:
    """The kind of key that environments take; gymnax's users often have JAX's old kind."""
    return key if jnp.issubdtype(key.dtype, jax.dtypes.prng_key) else jax.random.wrap_key_data(key)
