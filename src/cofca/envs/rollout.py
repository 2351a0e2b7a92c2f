"""Whole episodes: let a policy play each level of a batch to its end."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, Int32, Key, PRNGKeyArray

from cofca.envs.base import Environment, Outcome
from cofca.utils.loops import on_cpu
from cofca.utils.prng import pick
from cofca.utils.trees import take, where

LANES, LANES_ON_CPU = 1024, 16
"""Episodes side by side. On a CPU a few, since the longest episodes are computed with all lanes in the end."""


Respond = Callable[[Int[Array, ""]], Int[Array, ""]]
"""From an action to its response: the environment's."""


class Taken(NamedTuple):
    """What a policy did in a time step."""

    action: Int[Array, ""]
    response: Int[Array, ""]
    memory: Any
    """Of the next time step."""
    pointer: Int[Array, ""]
    """The line the action was chosen by; -1 for those without a pointer."""


class Policy(NamedTuple):
    """Whoever plays. Only references (the oracle, random choices) may look at the whole state."""

    begin: Callable[[Any], Any]
    """From the first state of an episode to the memory it starts with."""
    step: Callable[[Key[Array, "2"], Any, Any, Respond], Taken]
    """From two keys, a state, the memory and what responds to an action to what was done."""


def scripted(
    begin: Callable[[Any], Any],
    act: Callable[[PRNGKeyArray, Any, Any], tuple[Int[Array, ""], Any]],
    pointer: Callable[[Any], Int[Array, ""]] = lambda memory: jnp.int32(-1),
) -> Policy:
    """A policy that heeds no responses: from a key, a state and the memory to an action and the memory after it."""

    def step(keys: Key[Array, "2"], state: Any, memory: Any, respond: Respond) -> Taken:
        action, memory = act(keys[0], state, memory)
        return Taken(action, respond(action), memory, pointer(memory))

    return Policy(begin, step)


class Watcher(NamedTuple):
    """Somebody who sees all of an episode, takes notes, and changes nothing."""

    begin: Callable[[Any], Any]
    """From the first state of an episode to the notes it starts with."""
    see: Callable[[Any, Any, Int[Array, ""], Int[Array, ""], Any, Any], Any]
    """From the notes, a state, the pointer, the action, the state after it and the parameters to the notes after it."""
    report: Callable[[Any], dict[str, Any]]
    """From the notes at the end of many episodes to what they say."""


NOBODY = Watcher(lambda state: (), lambda notes, *seen: notes, lambda notes: {})


class Episodes(NamedTuple):
    """How a batch of episodes went."""

    returns: Float[Array, " episodes"]
    steps: Int32[Array, " episodes"]
    info: Any
    """The domain's info of each episode's last step."""
    notes: Any = ()
    """The watcher's, at the end of each episode."""


@cache
def memoryless(choose: Callable[[Any], Int[Array, ""]]) -> Policy:
    """The policy that chooses by the state alone; the same one every time, so that it is compiled once."""
    return scripted(lambda state: (), lambda key, state, memory: (choose(state), memory))


@cache
def random_policy(env: Environment, params: Any) -> Policy:
    """Uniformly random choices among the allowed ones: the floor of what an agent can do."""

    def act(key: PRNGKeyArray, state: Any, memory: Any) -> tuple[Int[Array, ""], Any]:
        return pick(jax.random.uniform(key), env.allowed(state, params)), memory

    return scripted(lambda state: (), act)


class Lanes(NamedTuple):
    """The episodes that are being played side by side."""

    turn: Int32[Array, " lanes"]
    """Which level each plays; one that does not exist where there are no more."""
    state: Any
    memory: Any
    returns: Float[Array, " lanes"]
    steps: Int32[Array, " lanes"]
    notes: Any


def play(
    keys: Key[Array, " episodes"],
    env: Environment,
    levels: Any,
    policy: Policy,
    params: Any,
    lanes: int | None = None,
    watcher: Watcher = NOBODY,
) -> Episodes:
    """Play every level to its end, with its own key. Whoever has finished goes on with the next one.

    So nobody waits for the longest episode, and none depends on what is played beside it. `lanes` is how many are
    played side by side; by default what suits the machine.
    """
    number = keys.shape[0]
    states = jax.vmap(partial(env.start, params=params))(levels)
    starts = states, jax.vmap(policy.begin)(states)
    step = jax.vmap(partial(_step, env=env, policy=policy, params=params, watcher=watcher))

    def enter(turn: Int32[Array, " lanes"]) -> Lanes:
        state, memory = take(starts, turn)
        notes = jax.vmap(watcher.begin)(state)
        return Lanes(turn, state, memory, jnp.zeros(turn.shape), jnp.zeros(turn.shape, jnp.int32), notes)

    def body(carry: tuple[Lanes, Int32[Array, ""], Episodes]) -> tuple[Lanes, Int32[Array, ""], Episodes]:
        now, coming, ends = carry
        state, memory, outcome, notes = step(take(keys, now.turn), now.steps, now.state, now.memory, now.notes)
        now = Lanes(now.turn, state, memory, now.returns + outcome.reward, now.steps + 1, notes)
        over = outcome.terminated | outcome.truncated
        place = jnp.where(over, now.turn, number)
        found = Episodes(now.returns, now.steps, outcome.info, now.notes)
        ends = jax.tree.map(lambda whole, new: whole.at[place].set(new, mode="drop"), ends, found)
        new = enter(coming + jnp.cumsum(over) - 1)
        return jax.tree.map(partial(where, over), new, now), coming + over.sum(), ends

    width = min(number, lanes or (LANES_ON_CPU if on_cpu() else LANES))
    begin = enter(jnp.arange(width))
    info = jax.eval_shape(step, keys[:width], begin.steps, begin.state, begin.memory, begin.notes)[2].info
    shapes = Episodes(begin.returns, begin.steps, info, begin.notes)
    ends = jax.tree.map(lambda leaf: jnp.zeros((number, *leaf.shape[1:]), leaf.dtype), shapes)
    return jax.lax.while_loop(lambda carry: (carry[0].turn < number).any(), body, (begin, jnp.int32(width), ends))[2]


def step_keys(key: PRNGKeyArray, number: Int[Array, ""]) -> Key[Array, "3"]:
    """From the key of an episode and the time steps before to those of a time step: two for whoever plays, the last for
    the environment."""
    return jax.random.split(jax.random.fold_in(key, number), 3)


def _step(
    key: PRNGKeyArray,
    number: Int32[Array, ""],
    state: Any,
    memory: Any,
    notes: Any,
    env: Environment,
    policy: Policy,
    params: Any,
    watcher: Watcher,
) -> tuple[Any, Any, Outcome, Any]:
    keys = step_keys(key, number)
    env_key = keys[2]
    taken = policy.step(keys[:2], state, memory, lambda action: env.respond(env_key, state, action, params))
    after, outcome = env.advance(env_key, state, taken.action, taken.response, params)
    return after, taken.memory, outcome, watcher.see(notes, state, taken.pointer, taken.action, after, params)
