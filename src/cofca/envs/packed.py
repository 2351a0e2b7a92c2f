"""Trees of arrays as three rows of numbers, by width.

An accelerator needs a few microseconds to begin on an array, however small it is. A loop whose step carries and puts
out dozens of small ones spends its time on beginning; packed, they are three.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, Key, PRNGKeyArray, UInt8, UInt16, UInt32

from cofca.envs.autoreset import make_pool
from cofca.envs.base import Environment, Outcome

ROWS = (jnp.uint8, jnp.uint16, jnp.uint32)


class Packed(NamedTuple):
    """All numbers of a tree of one, two and four bytes."""

    bytes: UInt8[Array, "*batch bytes"]
    halves: UInt16[Array, "*batch halves"]
    words: UInt32[Array, "*batch words"]


def pack(tree: Any, batch: tuple[int, ...] = ()) -> Packed:
    """Pack a tree whose leaves all have these leading axes."""
    rows: dict[Any, list[Array]] = {kind: [jnp.zeros((*batch, 0), kind)] for kind in ROWS}
    for leaf in jax.tree.leaves(tree):
        plain = _plain(leaf)
        kind = ROWS[plain.dtype.itemsize // 2]
        rows[kind].append(jax.lax.bitcast_convert_type(plain, kind).reshape(*batch, -1))
    return Packed(*(jnp.concatenate(parts, axis=-1) for parts in rows.values()))


def unpack(packed: Packed, like: Any, batch: tuple[int, ...] = ()) -> Any:
    """The tree again, from what says its shapes (without the leading axes) and types."""
    rows = dict(zip(ROWS, packed, strict=True))
    taken = dict.fromkeys(ROWS, 0)

    def one(leaf: jax.ShapeDtypeStruct) -> Array:
        plain = jax.eval_shape(_plain, leaf)
        kind = ROWS[plain.dtype.itemsize // 2]
        begin, size = taken[kind], int(np.prod(plain.shape, dtype=int))
        taken[kind] = begin + size
        found = rows[kind][..., begin : begin + size].reshape(*batch, *plain.shape)
        return _as(found, leaf.dtype)

    return jax.tree.map(one, like)


def shapes_of(tree: Any, axes: int) -> Any:
    """Shapes and types of a tree's leaves without so many leading axes."""
    return jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape[axes:], leaf.dtype), tree)


def _plain(leaf: Array) -> Array:
    """Keys as their numbers, truths as bytes."""
    if jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key):
        return jax.random.key_data(leaf)
    return leaf.astype(jnp.uint8) if jnp.issubdtype(leaf.dtype, bool) else leaf


def _as(found: Array, dtype: Any) -> Array:
    if jnp.issubdtype(dtype, jax.dtypes.prng_key):
        return jax.random.wrap_key_data(found)
    return found > 0 if jnp.issubdtype(dtype, bool) else jax.lax.bitcast_convert_type(found, dtype)


class PackedEnvironment(Environment[Any, Any, Packed, Any]):
    """An environment whose states are packed: to carry and to reset them costs three arrays."""

    env: Environment = eqx.field(static=True)
    params: Any = eqx.field(static=True)
    """Of the levels whose states are packed."""

    @property
    def default_params(self) -> Any:
        """Those it was made for."""
        return self.params

    def levels(self, keys: Key[Array, " levels"], params: Any) -> Any:
        """The levels are not packed."""
        return self.env.levels(keys, params)

    def start(self, level: Any, params: Any) -> Packed:
        """The packed state at the start of a level."""
        return pack(self.env.start(level, params))

    def observe(self, state: Packed, params: Any) -> Any:
        """What the agent sees."""
        return self.env.observe(self._unpacked(state), params)

    def respond(self, key: PRNGKeyArray, state: Packed, action: Int[Array, ""], params: Any) -> Int[Array, ""]:
        """What the agent sees of its action's consequence."""
        return self.env.respond(key, self._unpacked(state), action, params)

    def advance(
        self, key: PRNGKeyArray, state: Packed, action: Int[Array, ""], response: Int[Array, ""], params: Any
    ) -> tuple[Packed, Outcome]:
        """Move the world."""
        after, outcome = self.env.advance(key, self._unpacked(state), action, response, params)
        return pack(after), outcome

    def allowed(self, state: Packed, params: Any) -> Bool[Array, " actions"]:
        """The actions that make sense."""
        return self.env.allowed(self._unpacked(state), params)

    def level_of(self, state: Packed) -> Any:
        """The level of a packed state."""
        return self.env.level_of(self._unpacked(state))

    def num_actions(self, params: Any) -> int:
        """As many as there are."""
        return self.env.num_actions(params)

    def num_responses(self, params: Any) -> int:
        """As many as there are."""
        return self.env.num_responses(params)

    def first_cell(self, params: Any) -> int | None:
        """As there is."""
        return self.env.first_cell(params)

    def named(self, params: Any) -> tuple[int, ...] | None:
        """As there are."""
        return self.env.named(params)

    def concludes(self, response: Int[Array, ""]) -> Bool[Array, ""]:
        """Responses are not packed."""
        return self.env.concludes(response)

    def observation_limits(self, params: Any) -> Any:
        """Observations are not packed."""
        return self.env.observation_limits(params)

    def no_states(self, number: int) -> Packed:
        """So many states of zeros, to begin with."""
        one = jax.eval_shape(pack, _state_shapes(self.env, self.params))
        return Packed(*(jnp.zeros((number, *row.shape), row.dtype) for row in one))

    def _unpacked(self, state: Packed) -> Any:
        return unpack(state, _state_shapes(self.env, self.params))


@lru_cache
def _state_shapes(env: Environment, params: Any) -> Any:
    states = jax.eval_shape(lambda keys: make_pool(env, keys, params), jax.random.split(jax.random.key(0), 1))
    return shapes_of(states, axes=1)
