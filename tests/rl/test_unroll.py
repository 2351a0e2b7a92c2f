"""Gradients through time are those that JAX finds step by step."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from experiments.tiny import SETUP, WITH_HISTORY, agents_of

from cofca.agents.base import Agent
from cofca.agents.fused import encode_all, fuse
from cofca.envs.spec import spec_of
from cofca.rl import unroll

STEPS, ENVS = 6, 3


def remembered(live: Any, agent: Agent) -> Any:
    """A score of the states that an agent lives through with observations of all kinds, and its gradient."""
    keys = jax.random.split(jax.random.key(0), 6)
    shape = STEPS, ENVS

    def seen(limit: jax.Array) -> jax.Array:
        drawn = jax.random.uniform(keys[0], (*shape, *limit.shape)) * (limit + 1.0)
        return drawn.astype(limit.dtype)

    obs = jax.tree.map(seen, SETUP.env.observation_limits(SETUP.params))
    memory = jax.tree.map(lambda leaf: jnp.zeros((*shape, *leaf.shape), leaf.dtype), agent.initial_memory())
    done = jax.random.bernoulli(keys[1], 0.2, shape)
    start = jax.random.normal(keys[2], (ENVS, agent.hidden_size))
    weights = jax.random.normal(keys[3], (*shape, agent.hidden_size))
    spec = spec_of(SETUP.env, SETUP.params)
    actions = jax.random.randint(keys[4], shape, 0, spec.actions)
    responses = jax.random.randint(keys[5], shape, 0, spec.responses)

    def score(agent: Agent) -> tuple[jax.Array, jax.Array]:
        agent = fuse(agent)
        states = live(agent, encode_all(agent, obs, memory), (actions, responses), done, start)
        return (states * weights).sum(), states

    return jax.jit(jax.value_and_grad(score, has_aux=True))(agent)


def step_by_step(agent: Agent, features: Any, acted: Any, done: jax.Array, start: jax.Array) -> jax.Array:
    return unroll._unroll(agent, features, acted, done, start, jnp.zeros((*done.shape, start.shape[-1])))


@pytest.mark.parametrize("name", ["olsk", "unstructured", WITH_HISTORY])
def test_they_are_those_of_going_back_step_by_step(name: str) -> None:
    agent = jax.tree.map(lambda leaf: leaf[0], agents_of(name))
    (_, states), found = remembered(unroll.unroll, agent)
    (_, same), expected = remembered(step_by_step, agent)
    assert np.array_equal(states, same)
    assert any(np.abs(leaf).max() > 1e-3 for leaf in jax.tree.leaves(found))
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-4)
