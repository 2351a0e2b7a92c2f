"""Whole episodes: let a policy play each level of a batch to its end."""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, Int32, PRNGKeyArray

from cofca.environment import Environment, Outcome

Policy = Callable[[PRNGKeyArray, Any], Int[Array, ""]]
"""From a key and a state to an action. Only references (the oracle, random choices) may look at states."""


class Episodes(NamedTuple):
    """How a batch of episodes went."""

    returns: Float[Array, " episodes"]
    steps: Int32[Array, " episodes"]
    info: Any
    """The domain's info of each episode's last step."""


def play(key: PRNGKeyArray, env: Environment, levels: Any, policy: Policy, params: Any) -> Episodes:
    """Play all levels side by side until the last episode has ended. Finished ones stay as they are."""

    def step(key: PRNGKeyArray, state: Any) -> tuple[Any, Outcome]:
        policy_key, env_key = jax.random.split(key)
        action = policy(policy_key, state)
        response = env.respond(env_key, state, action, params)
        return env.advance(env_key, state, action, response, params)

    def body(carry: tuple) -> tuple:
        key, states, outcome, returns, steps = carry
        key, now = jax.random.split(key)
        steps = steps + ~_over(outcome)
        states, outcome = jax.vmap(step)(jax.random.split(now, steps.size), states)
        return key, states, outcome, returns + outcome.reward, steps

    states = jax.vmap(lambda level: env.start(level, params))(levels)
    keys = jax.random.split(key, jax.tree.leaves(levels)[0].shape[0])
    shapes = jax.eval_shape(lambda: jax.vmap(step)(keys, states)[1])
    nothing = jax.tree.map(lambda leaf: jnp.zeros(leaf.shape, leaf.dtype), shapes)
    begin = key, states, nothing, nothing.reward, jnp.zeros(keys.shape[0], jnp.int32)
    end = jax.lax.while_loop(lambda carry: ~_over(carry[2]).all(), body, begin)
    _, _, outcome, returns, steps = end
    return Episodes(returns, steps, outcome.info)


def _over(outcome: Outcome) -> Bool[Array, " episodes"]:
    return outcome.terminated | outcome.truncated


def random_policy(num_actions: int) -> Policy:
    """Uniformly random actions: the floor of what an agent can do."""
    return lambda key, state: jax.random.randint(key, (), 0, num_actions)
