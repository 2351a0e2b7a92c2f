"""What is compiled of environments with given parameters, once for all of them."""

from functools import lru_cache, partial
from typing import Any, NamedTuple

import jax
from jaxtyping import Array, Bool, Float, Int, UInt32

from cofca.envs.autoreset import AutoReset, make_pool
from cofca.envs.base import Environment
from cofca.experiments.build import find_domain
from cofca.experiments.policies import limits_of, named

MOST_COMPILED = 2
"""Sets of parameters whose compiled functions are kept for the next environment. Those in use are kept anyway."""


class Seen(NamedTuple):
    """What there is to see of a state."""

    obs: dict[str, Array]
    allowed: Bool[Array, "*envs actions"]
    level_key: UInt32[Array, "*envs 2"]
    """The key of the state's level, as numbers that can be stored."""


class Step(NamedTuple):
    """What came of a step."""

    now: Seen
    final: Seen
    """Of the episode that was played; the same as `now` unless a vector environment has begun another one."""
    response: Int[Array, "*envs"]
    reward: Float[Array, "*envs"]
    terminated: Bool[Array, "*envs"]
    truncated: Bool[Array, "*envs"]
    info: dict[str, Array]


class Compiled(NamedTuple):
    """The compiled functions of one environment."""

    reset: Any
    """From a key to the start of its level: the state and what is seen."""
    start: Any
    """The same from a level."""
    step: Any
    """From a key, a state and an action to the state after it and a `Step`."""


class CompiledVector(NamedTuple):
    """The compiled functions of many environments."""

    make_pool: Any
    reset: Any
    step: Any


@lru_cache(maxsize=MOST_COMPILED)
def compiled(domain_name: str, worker: str, params: Any) -> Compiled:
    """All environments with the same parameters share what is compiled."""
    env = find_domain(domain_name, worker).environment()
    see = _seer(env, params)

    def reset(key: Array) -> tuple[Any, Seen]:
        state = env.reset(key, params)[1]
        return state, see(state)

    def start(level: Any) -> tuple[Any, Seen]:
        state = env.start(level, params)
        return state, see(state)

    def step(key: Array, state: Any, action: Array) -> tuple[Any, Step]:
        response = env.respond(key, state, action, params)
        state, outcome = env.advance(key, state, action, response, params)
        seen = see(state)
        return state, Step(seen, seen, response, **outcome._replace(info=outcome.info._asdict())._asdict())

    return Compiled(jax.jit(reset), jax.jit(start), jax.jit(step))


@lru_cache(maxsize=MOST_COMPILED)
def compiled_vector(domain_name: str, worker: str, params: Any, num: int) -> CompiledVector:
    """The compiled functions of so many environments."""
    env = find_domain(domain_name, worker).environment()
    auto, see = AutoReset(env, num), jax.vmap(_seer(env, params))

    def reset(pool: Any) -> tuple[Any, Seen]:
        playing = auto.reset(pool, params)[1]
        return playing, see(playing.state)

    def step(key: Array, playing: Any, actions: Array, pool: Any) -> tuple[Any, Step]:
        playing, result = auto.step(key, playing, actions, pool, params)
        outcome = result.reward, result.terminated, result.truncated, result.info._asdict()
        return playing, Step(see(playing.state), see(result.final_state), result.response, *outcome)

    return CompiledVector(jax.jit(partial(make_pool, env, params=params)), jax.jit(reset), jax.jit(step))


def _seer(env: Environment, params: Any) -> Any:
    limits = limits_of(env, params)

    def see(state: Any) -> Seen:
        obs = named(env.observe(state, params), limits)
        return Seen(obs, env.allowed(state, params), jax.random.key_data(env.level_of(state).key))

    return see
