"""An episode told step by step: what an agent saw, chose and could have chosen."""

from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray

from cofca.agents.base import Agent, Decision, Memory, choose_action, choose_move, draw_chances, masked
from cofca.envs.base import Environment, Outcome


class Reasons(NamedTuple):
    """The probabilities behind a decision."""

    actions: Float[Array, " actions"]
    gate: Float[Array, ""]
    """Of opening."""
    columns: Float[Array, "lines columns"]
    """P, each column a distribution over lines."""
    weights: Float[Array, " columns"]
    """φ."""
    targets: Float[Array, " lines"]
    """Where the pointer goes if the gate opens: the columns, weighed."""
    value: Float[Array, ""]


class Step(NamedTuple):
    """One time step of an episode."""

    state: Any
    """Before it."""
    pointer: int
    """Before it."""
    decision: Decision
    response: int
    reasons: Reasons
    after: Any
    """The state after it."""
    ended: bool
    reward: float

    @property
    def pointer_after(self) -> int:
        """Where it is in the next time step."""
        return int(self.decision.target) if self.decision.gate else self.pointer


def tell(
    key: PRNGKeyArray, agent: Agent, env: Environment, level: Any, params: Any, greedy: bool = False
) -> Iterator[Step]:
    """Play a level to its end."""
    agent = agent.prepared()
    state, memory = begin(level, env, params), agent.initial_memory()
    for time in count():
        chance = jax.random.fold_in(key, time)
        after, remembered, outcome, told = _advance(agent, chance, state, memory, jnp.bool_(greedy), env, params)
        decision, response, reasons = jax.device_get(told)
        ended = bool(outcome.terminated | outcome.truncated)
        pointer, reward = int(memory.pointer), float(outcome.reward)
        yield Step(state, pointer, decision, int(response), reasons, after, ended, reward)
        if ended:
            return
        state, memory = after, remembered


@partial(jax.jit, static_argnames=("env", "params"))
def begin(level: Any, env: Environment, params: Any) -> Any:
    """The state at the start of a level, compiled once."""
    return env.start(level, params)


@partial(jax.jit, static_argnames=("env", "params"))
def _advance(
    agent: Agent, key: PRNGKeyArray, state: Any, memory: Memory, greedy: Bool[Array, ""], env: Environment, params: Any
) -> tuple[Any, Memory, Outcome, tuple[Decision, Int[Array, ""], Reasons]]:
    act_key, move_key, env_key = jax.random.split(key, 3)
    obs = env.observe(state, params)
    view = agent.look(obs, memory)
    logits = masked(agent.policy(view), obs)
    action = jnp.where(greedy, choose_action(None, logits), choose_action(draw_chances(act_key, ()), logits))
    response = env.respond(env_key, state, action, params)
    movement = agent.movement(view, action, response)
    likeliest, sampled = choose_move(None, movement), choose_move(draw_chances(move_key, ()), movement)
    decision = Decision(action, *jax.tree.map(partial(jnp.where, greedy), likeliest, sampled))
    mixture = agent.mixture(view, action, response)
    reasons = Reasons(
        actions=jax.nn.softmax(logits),
        gate=jax.nn.sigmoid(movement.gate),
        columns=jnp.exp(mixture.columns),
        weights=jnp.exp(mixture.weights),
        targets=jnp.exp(movement.targets),
        value=agent.value(view),
    )
    after, outcome = env.advance(env_key, state, action, response, params)
    return after, agent.remember(view, memory, decision, response), outcome, (decision, response, reasons)
