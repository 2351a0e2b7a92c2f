"""A preset that compiles and trains in seconds."""

from dataclasses import replace
from functools import cache

import jax
import jax.numpy as jnp
from agents.samples import small_sizes
from jax.flatten_util import ravel_pytree

from cofca.agents.base import Agent
from cofca.utils.trees import stack
from cofca.agents.registry import make_agent
from cofca.envs.spec import spec_of
from cofca.envs.starcraft import StarCraft, StarCraftParams
from cofca.rl.config import PPOConfig
from cofca.rl.ppo import Learner, Setup, begin, optimizer, refresh

TINY = PPOConfig(envs=8, steps=8, levels=32, updates_per_pool=2, epochs=1, failures=16, failure_probability=1.0)
POOLS, SEEDS = 4, 2
"""Pools of levels in the whole training, and learners side by side."""


def setup_of(config: PPOConfig = TINY) -> Setup:
    """Time runs out soon, so that episodes end in both ways."""
    return Setup(StarCraft(), StarCraftParams(length=(1, 3), steps_per_line=4), config, POOLS * config.updates_per_pool)


SETUP = setup_of()


@cache
def agents_of(name: str) -> Agent:
    """As they are called, or `NAME with history`."""
    name, with_history, _ = name.partition(" with history")
    spec, sizes = spec_of(SETUP.env, SETUP.params), small_sizes(name, "starcraft")
    sizes = replace(sizes, before=True, history=6) if with_history else sizes
    return stack(
        [make_agent(key, name, "starcraft", spec, sizes) for key in jax.random.split(jax.random.key(1), SEEDS)]
    )


@cache
def _begun() -> Learner:
    return refresh(begin(jax.random.split(jax.random.key(0), SEEDS), agents_of("cofca-s"), SETUP), SETUP)


def begun() -> Learner:
    """Learners that have learned nothing yet. Training may overwrite them: they are copies."""
    return jax.tree.map(jnp.copy, _begun())


def with_agents(name: str, learners: Learner, setup: Setup = SETUP) -> Learner:
    """The same with other agents: neither levels nor episodes depend on who plays."""
    agents = agents_of(name)
    memory = jax.vmap(lambda agent: agent.initial_memory())(agents)
    memory = jax.tree.map(lambda leaf: jnp.repeat(leaf[:, None], setup.config.envs, axis=1), memory)
    state = jax.vmap(lambda agent: optimizer(setup).init(ravel_pytree(agent)[0]))(agents)
    return learners._replace(agent=agents, memory=memory, optimizer=state)
