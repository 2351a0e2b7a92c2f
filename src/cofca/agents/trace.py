"""An episode step by step: what an agent saw, chose and could have chosen."""

from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray

from cofca.agents.base import Agent, Memory
from cofca.agents.cofca_r import CofcaR
from cofca.agents.decide import chances_of, decide
from cofca.agents.distribution import Decision
from cofca.agents.fused import fuse
from cofca.agents.modules.first_return import depths
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
    depths: Float[Array, "lines returns"] | None = None
    """L, which first returns go by; None of agents without them. It depends on the lines alone."""


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


def trace(
    key: PRNGKeyArray, agent: Agent, env: Environment, level: Any, params: Any, greedy: bool = False
) -> Iterator[Step]:
    """Play a level to its end."""
    agent, memory = _ready(agent)
    state = begin(level, env, params)
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


@jax.jit
def _ready(agent: Agent) -> tuple[Agent, Memory]:
    return fuse(agent), agent.initial_memory()


@partial(jax.jit, static_argnames=("env", "params"))
def begin(level: Any, env: Environment, params: Any) -> Any:
    """The state at the start of a level, compiled once."""
    return env.start(level, params)


@partial(jax.jit, static_argnames=("env", "params"))
def _advance(
    agent: Agent, key: PRNGKeyArray, state: Any, memory: Memory, greedy: Bool[Array, ""], env: Environment, params: Any
) -> tuple[Any, Memory, Outcome, tuple[Decision, Int[Array, ""], Reasons]]:
    keys = jax.random.split(key, 3)
    respond = partial(env.respond, keys[2], state, params=params)
    obs = env.observe(state, params)
    step = decide(agent, obs, memory, chances_of(keys[:2]), respond, greedy)
    logits, movement = step.policy
    reasons = Reasons(
        actions=jax.nn.softmax(logits),
        gate=jax.nn.sigmoid(movement.gate),
        columns=jnp.exp(movement.columns),
        weights=jnp.exp(movement.weights),
        targets=jnp.exp(movement.targets),
        value=step.value,
        depths=_depths(agent, obs, memory),
    )
    after, outcome = env.advance(keys[2], state, step.decision.action, step.response, params)
    return after, step.memory, outcome, (step.decision, step.response, reasons)


def _depths(agent: Agent, obs: Any, memory: Memory) -> Float[Array, "lines returns"] | None:
    if not isinstance(agent, CofcaR):
        return None
    a, b, _ = agent.forward(obs, memory).B
    return depths(a, b)
