"""Whole episodes: let a policy play each level of a batch to its end."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, Int32, PRNGKeyArray

from cofca.draws import pick
from cofca.environment import Environment, Outcome
from cofca.loops import blank


def _unmoved(key: PRNGKeyArray, state: Any, memory: Any, action: Int[Array, ""], response: Int[Array, ""]) -> Any:
    return memory


class Policy(NamedTuple):
    """An agent that looks at states. Only references (the oracle, random choices) may do that."""

    begin: Callable[[Any], Any]
    """From the first state of an episode to the memory it starts with."""
    act: Callable[[PRNGKeyArray, Any, Any], tuple[Int[Array, ""], Any]]
    """From a key, a state and the memory to an action and the memory after it."""
    heed: Callable[[PRNGKeyArray, Any, Any, Int[Array, ""], Int[Array, ""]], Any] = _unmoved
    """From a key, a state, the memory, the action and its response to the memory of the next time step."""


class Episodes(NamedTuple):
    """How a batch of episodes went."""

    returns: Float[Array, " episodes"]
    steps: Int32[Array, " episodes"]
    info: Any
    """The domain's info of each episode's last step."""


@cache
def memoryless(choose: Callable[[Any], Int[Array, ""]]) -> Policy:
    """The policy that chooses by the state alone; the same one every time, so that it is compiled once."""
    return Policy(lambda state: (), lambda key, state, memory: (choose(state), memory))


@cache
def random_policy(env: Environment, params: Any) -> Policy:
    """Uniformly random choices among the allowed ones: the floor of what an agent can do."""

    def act(key: PRNGKeyArray, state: Any, memory: Any) -> tuple[Int[Array, ""], Any]:
        return pick(jax.random.uniform(key), env.allowed(state, params)), memory

    return Policy(lambda state: (), act)


def play(key: PRNGKeyArray, env: Environment, levels: Any, policy: Policy, params: Any) -> Episodes:
    """Play all levels side by side until the last episode has ended. Finished ones stay as they are."""

    def step(key: PRNGKeyArray, state: Any, memory: Any) -> tuple[Any, Any, Outcome]:
        policy_key, heed_key, env_key = jax.random.split(key, 3)
        action, memory = policy.act(policy_key, state, memory)
        response = env.respond(env_key, state, action, params)
        memory = policy.heed(heed_key, state, memory, action, response)
        state, outcome = env.advance(env_key, state, action, response, params)
        return state, memory, outcome

    def body(carry: tuple) -> tuple:
        key, states, memories, outcome, returns, steps = carry
        key, now = jax.random.split(key)
        steps = steps + ~_over(outcome)
        states, memories, outcome = jax.vmap(step)(jax.random.split(now, steps.size), states, memories)
        return key, states, memories, outcome, returns + outcome.reward, steps

    states = jax.vmap(partial(env.start, params=params))(levels)
    memories = jax.vmap(policy.begin)(states)
    keys = jax.random.split(key, jax.tree.leaves(levels)[0].shape[0])
    nothing = blank(jax.eval_shape(lambda: jax.vmap(step)(keys, states, memories)[2]))
    begin = key, states, memories, nothing, nothing.reward, jnp.zeros(keys.shape[0], jnp.int32)
    *_, outcome, returns, steps = jax.lax.while_loop(lambda carry: ~_over(carry[3]).all(), body, begin)
    return Episodes(returns, steps, outcome.info)


def _over(outcome: Outcome) -> Bool[Array, " episodes"]:
    return outcome.terminated | outcome.truncated
