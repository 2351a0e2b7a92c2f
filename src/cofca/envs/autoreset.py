"""Endless episodes: whoever finishes goes on with another level out of a pool.

Levels are made in bulk beforehand, because a reset inside the step would, under `vmap`, be computed for every
environment at every step. A pool holds the states at the start of its levels, so that a reset is one gather.
It is refreshed by making another from new keys; keys of failed episodes among them restart those episodes.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, Int32, Key, PRNGKeyArray

from cofca.envs.base import Environment


class Playing(NamedTuple):
    """A state of the wrapped environment and the place of its level in the pool."""

    state: Any
    slot: Int32[Array, ""]


class Transition(NamedTuple):
    """One step of one environment. `obs` belongs to the next episode where this one ended."""

    obs: Any
    response: Int[Array, ""]
    reward: Float[Array, ""]
    terminated: Bool[Array, ""]
    truncated: Bool[Array, ""]
    info: Any
    final_obs: Any
    """The observation before the reset; like the state, it costs nothing where it is not used."""
    final_state: Any


class AutoReset(NamedTuple):
    """`num` environments that take their levels from a pool in turn.

    Environment i starts with level i and goes on with every `num`-th, so that nobody meets the level of another. Once
    round, it goes on one level further: so it meets other levels than before even in a pool of just `num`.
    """

    env: Environment
    num: int

    def reset(self, pool: Any, params: Any) -> tuple[Any, Playing]:
        """Start all environments, batched."""
        slots = jnp.arange(self.num, dtype=jnp.int32) % _size(pool)
        states = _take(pool, slots)
        return jax.vmap(lambda state: self.env.observe(state, params))(states), Playing(states, slots)

    def step(
        self, key: PRNGKeyArray, playing: Playing, actions: Int[Array, " num"], pool: Any, params: Any
    ) -> tuple[Playing, Transition]:
        """Step all environments, batched, and reset those whose episode ended."""
        keys = jax.random.split(key, self.num)

        def one(key: PRNGKeyArray, playing: Playing, action: Int[Array, ""]) -> tuple[Playing, Transition]:
            response = self.env.respond(key, playing.state, action, params)
            return self.advance(key, playing, action, response, pool, params)

        return jax.vmap(one)(keys, playing, actions)

    def following(self, slot: Int[Array, "..."], size: int) -> Int[Array, "..."]:
        """Where whoever has finished a level finds the next in a pool of this size."""
        further = slot + self.num
        return (further + (further >= size)) % size

    def advance(
        self,
        key: PRNGKeyArray,
        playing: Playing,
        action: Int[Array, ""],
        response: Int[Array, ""],
        pool: Any,
        params: Any,
        next_slot: Int[Array, ""] | None = None,
    ) -> tuple[Playing, Transition]:
        """The second half of one environment's step: for agents that decide in between. By default levels come in
        turn."""
        state, outcome = self.env.advance(key, playing.state, action, response, params)
        done = outcome.terminated | outcome.truncated
        if next_slot is None:
            next_slot = self.following(playing.slot, _size(pool))
        slot = jnp.where(done, next_slot, playing.slot)
        after = jax.tree.map(lambda new, old: jnp.where(done, new, old), _take(pool, slot), state)
        obs = self.env.observe(after, params)
        return Playing(after, slot), Transition(obs, response, *outcome, self.env.observe(state, params), state)


def make_pool(env: Environment, keys: Key[Array, " levels"], params: Any) -> Any:
    """The start states of the levels of these keys."""
    return jax.vmap(lambda level: env.start(level, params))(env.levels(keys, params))


def _take(pool: Any, slot: Int32[Array, "..."]) -> Any:
    return jax.tree.map(lambda states: states[slot], pool)


def _size(pool: Any) -> int:
    return jax.tree.leaves(pool)[0].shape[0]
