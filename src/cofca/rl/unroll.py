"""The recurrent states of a rollout, lived through again, and how gradients go back through time.

By itself JAX finds the gradient of the weights time step by time step, and adds these up. Here the way back through
time leaves the weights alone: it only tells how each state changes all later ones. What weights and percepts change in
every single step comes from all steps at once.
"""

from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from cofca.agents.base import Agent
from cofca.utils.loops import on_cpu

States = Float[Array, "steps envs hidden"]


@jax.custom_jvp
def live_through(
    agent: Agent, percepts: Any, done: Bool[Array, "steps envs"], start: Float[Array, "envs hidden"]
) -> States:
    """The states at the start of all time steps. Pointers are stored: only here one time step waits for another."""
    return _live(agent, percepts, done, start, jnp.zeros((*done.shape, start.shape[-1])))


@live_through.defjvp
def _differential(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[States, States]:
    """What is lived through does not depend on where it started: those states are as they were."""
    agent, percepts, done, start = primals

    def live(more: States) -> States:
        return _live(agent, percepts, done, start, more)

    states, change = jax.linearize(live, jnp.zeros((*done.shape, start.shape[-1])))

    def steps(agent: Agent, percepts: Any) -> States:
        return jax.vmap(_following, (None, 0, 0, 0))(agent, percepts, done, states)

    _, more = jax.jvp(steps, (agent, percepts), tangents[:2])
    return states, change(more)


def _live(
    agent: Agent, percepts: Any, done: Bool[Array, "steps envs"], start: Float[Array, "envs hidden"], more: States
) -> States:
    """`more` is added after each time step: that way changes come in."""

    def step(states: Array, now: tuple[Any, Array, Array]) -> tuple[Array, Array]:
        percept, done, more = now
        return _following(agent, percept, done, states) + more, states

    return jax.lax.scan(step, start, (percepts, done, more), unroll=1 if on_cpu() else 5)[1]


def _following(
    agent: Agent, percept: Any, done: Bool[Array, " envs"], states: Float[Array, "envs hidden"]
) -> Float[Array, "envs hidden"]:
    """The states of all environments after a time step."""
    following = jax.vmap(agent.hidden)(jax.vmap(agent.recall)(percept, states))
    return jnp.where(done[:, None], 0.0, following.astype(jnp.float32))
