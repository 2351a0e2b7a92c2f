"""Levels played by policies outside of JAX: worlds are compiled, and one policy chooses for many of them at once.

Levels and chances are those of `cofca.envs.rollout.play`: who chooses alike has the same episodes.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, Int32, Key, UInt32

from cofca.envs.base import Environment
from cofca.envs.rollout import step_keys
from cofca.experiments.eval_set import EvalSet
from cofca.experiments.policies import BatchedPolicy, PolicyError, checked, limits_of, named, their_code
from cofca.utils.compilation import MOST_PARAMS
from cofca.utils.trees import take, where

LANES = 128
"""Environments side by side."""


class Lanes(NamedTuple):
    """The episodes that are being played side by side."""

    turn: Int32[Array, " lanes"]
    """Which level each plays; one that does not exist where there are no more."""
    steps: Int32[Array, " lanes"]
    state: Any
    returns: Float[Array, " lanes"]
    coming: Int32[Array, ""]
    """The next level."""


class View(NamedTuple):
    """What a policy is shown of all lanes."""

    obs: dict[str, Any]
    mask: Bool[Array, "lanes actions"]
    key: UInt32[Array, "lanes 2 2"]


class Told(NamedTuple):
    """What became of an action."""

    response: Int[Array, " lanes"]
    turn: Int32[Array, " lanes"]
    over: Bool[Array, " lanes"]
    won: Bool[Array, " lanes"]


class Compiled(NamedTuple):
    """What is compiled of an environment with given parameters."""

    start: Callable[..., Any]
    """From levels to states."""
    enter: Callable[..., tuple[Lanes, View]]
    """From keys, states and numbers of levels to the first lanes."""
    step: Callable[..., tuple[Lanes, View, Told]]
    """From keys, states, lanes and actions to the lanes after them. Where an episode ends the next level starts."""


@lru_cache(maxsize=MOST_PARAMS)
def compiled(env: Environment, params: Any) -> Compiled:
    """All policies share what is compiled."""
    limits = limits_of(env, params)

    def view(keys: Key[Array, " episodes"], lanes: Lanes) -> View:
        chances = jax.vmap(step_keys)(take(keys, lanes.turn), lanes.steps)
        obs = jax.vmap(lambda state: named(env.observe(state, params), limits))(lanes.state)
        mask = jax.vmap(lambda state: env.allowed(state, params))(lanes.state)
        return View(obs, mask, jax.random.key_data(chances[:, :2]))

    def enter(keys: Key[Array, " episodes"], states: Any, turn: Int32[Array, " lanes"]) -> tuple[Lanes, View]:
        lanes = Lanes(turn, jnp.zeros_like(turn), take(states, turn), jnp.zeros(turn.shape), jnp.int32(turn.size))
        return lanes, view(keys, lanes)

    def one(key: Key[Array, ""], number: Int32[Array, ""], state: Any, action: Int32[Array, ""]) -> tuple[Any, ...]:
        chance = step_keys(key, number)[2]
        response = env.respond(chance, state, action, params)
        after, outcome = env.advance(chance, state, action, response, params)
        return after, response, outcome.terminated | outcome.truncated, outcome.reward

    def step(
        keys: Key[Array, " episodes"], states: Any, lanes: Lanes, actions: Int32[Array, " lanes"]
    ) -> tuple[Lanes, View, Told]:
        after, response, over, reward = jax.vmap(one)(take(keys, lanes.turn), lanes.steps, lanes.state, actions)
        turn = jnp.where(over, lanes.coming + jnp.cumsum(over) - 1, lanes.turn)
        state = jax.tree.map(partial(where, over), take(states, turn), after)
        steps, returns = jnp.where(over, 0, lanes.steps + 1), lanes.returns + reward
        now = Lanes(turn, steps, state, jnp.where(over, 0, returns), lanes.coming + over.sum(dtype=jnp.int32))
        return now, view(keys, now), Told(response, lanes.turn, over, returns > 0)

    return Compiled(jax.jit(jax.vmap(partial(env.start, params=params))), jax.jit(enter), jax.jit(step))


def play_hosted(
    policy: BatchedPolicy, levels: EvalSet, heard: Callable[[int], None] = lambda ended: None
) -> Bool[np.ndarray, " episodes"]:
    """Which levels of a set a policy solves. Whoever has finished goes on with the next one; `heard` is told how many
    have just finished."""
    run, keys, width = compiled(levels.env, levels.params.playing), levels.keys, min(levels.episodes, LANES)
    number = levels.env.num_actions(levels.params.playing)
    states = run.start(levels.levels)
    lanes, view = run.enter(keys, states, jnp.arange(width, dtype=jnp.int32))
    fresh, memory = _initial(policy, width), _initial(policy, width)
    won, left = np.zeros(levels.episodes, bool), levels.episodes
    while left:
        # Copied, so that they are the policy's own to write on.
        obs, mask, key = jax.tree.map(np.array, view)
        with their_code():
            returned = policy.act(obs, memory, mask, key)
        if not isinstance(returned, tuple) or len(returned) != 2:
            raise PolicyError(f"act returned {type(returned).__name__}; expected actions and a state")
        lanes, view, told = run.step(keys, states, lanes, checked(returned[0], width, number))
        told = jax.tree.map(np.array, told)
        memory = _restarted(_heard(policy, returned[1], told.response), fresh, told.over)
        ended = told.over & (told.turn < levels.episodes)
        won[told.turn[ended]] = told.won[ended]
        left -= int(ended.sum())
        heard(int(ended.sum()))
    return won


def _initial(policy: BatchedPolicy, width: int) -> Any:
    with their_code():
        memory = policy.initial(width)
    for leaf in jax.tree.leaves(memory):
        shape = tuple(getattr(leaf, "shape", ()))
        if shape[:1] != (width,):
            raise PolicyError(f"initial({width}) has a part of shape {shape}; expected the {width} environments first")
    return memory


def _heard(policy: BatchedPolicy, memory: Any, response: np.ndarray) -> Any:
    """The memory of a policy that heeds responses."""
    heed = getattr(policy, "observe_response", None)
    if heed is None:
        return memory
    with their_code():
        return heed(memory, response)


def _restarted(memory: Any, fresh: Any, over: Bool[np.ndarray, " lanes"]) -> Any:
    """Who starts an episode remembers nothing."""
    if not over.any():
        return memory
    try:
        return jax.tree.map(lambda now, first: _replaced(now, first, over), memory, fresh)
    except (IndexError, RuntimeError, TypeError, ValueError) as error:
        raise PolicyError(f"act returned another kind of state than initial: {' '.join(str(error).split())}") from None


def _replaced(now: Any, first: Any, over: Bool[np.ndarray, " lanes"]) -> Any:
    if isinstance(now, jax.Array):
        return where(jnp.asarray(over), jnp.asarray(first), now)
    # Tensors of PyTorch are copied by another name.
    copy = now.clone() if callable(getattr(now, "clone", None)) else np.array(now)
    copy[over] = first[over]
    return copy
