"""What is compiled of an environment that is played in words, once for all episodes."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import jax
from jaxtyping import Array, Bool

from cofca.envs.base import Environment
from cofca.envs.rollout import step_keys
from cofca.utils.compilation import MOST_PARAMS


class Now(NamedTuple):
    """Where an episode stands, and what is to be seen of it."""

    state: Any
    obs: Any
    allowed: Bool[Array, " actions"]


class Compiled(NamedTuple):
    """The compiled functions of an environment with given parameters."""

    level: Callable[..., Any]
    """From a key to its level."""
    start: Callable[..., Now]
    """From a level to its start."""
    choose: Callable[..., tuple[Now, Any, Any]]
    """From the key of an episode, the number of choices before, a state and a choice to what comes of it: where the
    episode then stands, the response and the outcome."""


@lru_cache(maxsize=MOST_PARAMS)
def compiled(env: Environment, params: Any) -> Compiled:
    """All episodes with the same parameters share what is compiled."""

    def now(state: Any) -> Now:
        return Now(state, env.observe(state, params), env.allowed(state, params))

    def level(key: Array) -> Any:
        return jax.tree.map(lambda batch: batch[0], env.levels(key[None], params))

    def start(level: Any) -> Now:
        return now(env.start(level, params))

    def choose(key: Array, number: Array, state: Any, choice: Array) -> tuple[Now, Any, Any]:
        # The same chances as those of `cofca.envs.rollout.play`: who chooses alike has the same episode.
        chance = step_keys(key, number)[2]
        response = env.respond(chance, state, choice, params)
        state, outcome = env.advance(chance, state, choice, response, params)
        return now(state), response, outcome

    return Compiled(jax.jit(level), jax.jit(start), jax.jit(choose))
