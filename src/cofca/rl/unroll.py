"""The recurrent states of a rollout, unrolled again, and how gradients go back through time.

By itself JAX finds the gradient of the weights time step by time step, and adds these up. Here the way back through
time leaves the weights alone: it only tells how each state changes all later ones. What weights and features change in
every single step comes from all steps at once.
"""

from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from cofca.agents.base import Agent
from cofca.utils.loops import on_cpu

States = Float[Array, "steps envs hidden"]
Acted = tuple[Int[Array, "..."], Int[Array, "..."]]
"""The actions and their responses."""


@jax.custom_jvp
def unroll(
    agent: Agent, features: Any, acted: Acted, done: Bool[Array, "steps envs"], start: Float[Array, "envs hidden"]
) -> States:
    """The states at the start of all time steps. Pointers are stored: only here one time step waits for another."""
    return _unroll(agent, features, acted, done, start, jnp.zeros((*done.shape, start.shape[-1])))


@unroll.defjvp
def _differential(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[States, States]:
    """The states do not depend on where they started: those are as they were."""
    agent, features, acted, done, start = primals

    def change_by(more: States) -> States:
        return _unroll(agent, features, acted, done, start, more)

    states, change = jax.linearize(change_by, jnp.zeros((*done.shape, start.shape[-1])))

    def steps(agent: Agent, features: Any) -> States:
        return jax.vmap(_following, (None, 0, 0, 0, 0))(agent, features, acted, done, states)

    _, more = jax.jvp(steps, (agent, features), tangents[:2])
    return states, change(more)


def _unroll(
    agent: Agent, features: Any, acted: Acted, done: Bool[Array, "steps envs"], start: Float[Array, "envs hidden"],
    more: States,
) -> States:  # fmt: skip
    """`more` is added after each time step: that way changes come in."""

    def step(states: Array, now: tuple[Any, Acted, Array, Array]) -> tuple[Array, Array]:
        features, acted, done, more = now
        return _following(agent, features, acted, done, states) + more, states

    return jax.lax.scan(step, start, (features, acted, done, more), unroll=1 if on_cpu() else 5)[1]


def _following(
    agent: Agent, features: Any, acted: Acted, done: Bool[Array, " envs"], states: Float[Array, "envs hidden"]
) -> Float[Array, "envs hidden"]:
    """The states of all environments after a time step."""
    following = jax.vmap(agent.next_hidden)(jax.vmap(agent.core)(features, states), *acted)
    return jnp.where(done[:, None], 0.0, following.astype(jnp.float32))
