"""An episode step by step: what an agent saw, chose and could have chosen."""

from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray, UInt32

from cofca.agents.base import Agent, Memory
from cofca.agents.cofca_r import CofcaR
from cofca.agents.decide import chances_of, decide
from cofca.agents.distribution import Decision
from cofca.agents.fused import fuse
from cofca.agents.modules.first_return import depths
from cofca.envs.base import Environment
from cofca.utils.compilation import quick_jit


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
    # What is told of a step lies on the host: there nothing is compiled to look at it.
    before = jax.device_get(state)
    for time in count():
        pointer = int(memory.pointer)
        state, memory, told = _advance(agent, key, np.uint32(time), state, memory, np.bool_(greedy), env, params)
        after, (decision, response, reasons, ended, reward) = jax.device_get((state, told))
        yield Step(before, pointer, decision, int(response), reasons, after, bool(ended), float(reward))
        if ended:
            return
        before = after


@quick_jit
def _ready(agent: Agent) -> tuple[Agent, Memory]:
    return fuse(agent), agent.initial_memory()


@partial(quick_jit, static_argnums=(1, 2))
def begin(level: Any, env: Environment, params: Any) -> Any:
    """The state at the start of a level, compiled once."""
    return env.start(level, params)


@partial(quick_jit, static_argnums=(6, 7))
def _advance(
    agent: Agent,
    key: PRNGKeyArray,
    time: UInt32[Array, ""],
    state: Any,
    memory: Memory,
    greedy: Bool[Array, ""],
    env: Environment,
    params: Any,
) -> tuple[Any, Memory, tuple[Decision, Int[Array, ""], Reasons, Bool[Array, ""], Float[Array, ""]]]:
    """A time step: state and memory after it, and what is told of it."""
    keys = jax.random.split(jax.random.fold_in(key, time), 3)
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
    ended = outcome.terminated | outcome.truncated
    return after, step.memory, (step.decision, step.response, reasons, ended, outcome.reward)


def _depths(agent: Agent, obs: Any, memory: Memory) -> Float[Array, "lines returns"] | None:
    if not isinstance(agent, CofcaR):
        return None
    a, b, _ = agent.forward(obs, memory).B
    return depths(a, b)
