"""Gymnax: the API that trainers in the manner of gymnax and PureJaxRL expect. Gymnax itself is not needed.

Generating a level takes far longer than a time step, and under `vmap` a reset inside a step is computed for every
environment at every step. So levels are made in bulk: a pool of them is the `params` that trainers hand to every call,
and a reset draws one of the pool. `default_params` is the pool made with the environment; a training that hands over
`fresh_params(key)` every now and then goes on with levels never seen before, and nothing is compiled again.
"""

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


class LevelPool(NamedTuple):
    """What takes the place of gymnax's parameters: the levels that resets draw from."""

    start: Any
    """The states at the start of the levels, batched."""


class GymnaxEnvironment:
    """A functional environment with gymnax's `reset` and `step`, which resets itself.

    An observation is one row of zeros and ones: flags as they are, symbols and counts as one-hots. A state is the
    environment's own. `info` is a dictionary of the environment's info, `terminated` and `truncated`.
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
    ) -> tuple[Float[Array, " numbers"], Any, Float[Array, ""], Bool[Array, ""], dict[str, Array]]:
        """One time step: observation, state, reward, done, info. After an end the first two are the next level's."""
        step_key, draw_key = jax.random.split(_typed(key))
        _, state, reward, terminated, truncated, info = self.env.step(step_key, state, action, self.setting)
        done = terminated | truncated
        state = jax.tree.map(partial(jnp.where, done), self._draw(draw_key, params), state)
        facts = {**info._asdict(), "terminated": terminated, "truncated": truncated}
        return self.observe(state), state, reward, done, facts

    def _draw(self, key: PRNGKeyArray, params: LevelPool | None) -> Any:
        start = (self.default_params if params is None else params).start
        slot = jax.random.randint(key, (), 0, jax.tree.leaves(start)[0].shape[0])
        return jax.tree.map(lambda states: states[slot], start)

    def observe(self, state: Any) -> Float[Array, " numbers"]:
        """What is seen in a state, as one row."""
        return flatten(self.env.observe(state, self.setting), self._limits)

    def action_space(self, params: LevelPool | None = None) -> Discrete:
        """The environment's actions."""
        return Discrete(self.num_actions)

    def observation_space(self, params: LevelPool | None = None) -> Box:
        """Rows of zeros and ones."""
        return Box(0.0, 1.0, jax.eval_shape(self.reset, jax.random.key(0))[0].shape)

    @property
    def name(self) -> str:
        """The environment's name."""
        return type(self.env).__name__

    @property
    def num_actions(self) -> int:
        """How many actions there are."""
        return self.env.num_actions(self.setting)


def flatten(obs: Any, limits: Any) -> Float[Array, " numbers"]:
    """All numbers of an observation in a row: those of 0 or 1 as they are, others as one-hots up to their limit."""

    def row(values: Integer[Array, "..."], limit: Any) -> Float[Array, " numbers"]:
        largest = int(np.asarray(limit).max())
        return (values if largest == 1 else jax.nn.one_hot(values, largest + 1)).astype(jnp.float32).ravel()

    return jnp.concatenate([row(values, limit) for values, limit in zip(obs, limits, strict=True)])


def _typed(key: PRNGKeyArray) -> PRNGKeyArray:
    """The kind of key that environments take; gymnax's users often have JAX's old kind."""
    return key if jnp.issubdtype(key.dtype, jax.dtypes.prng_key) else jax.random.wrap_key_data(key)
