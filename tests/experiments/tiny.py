"""Training that compiles and runs in seconds, and learners that have just begun."""

from dataclasses import replace
from functools import cache, partial
from typing import Any

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree
from tiny_preset import TINY, TINY_PPO

from cofca.agents.base import Agent
from cofca.agents.encoders.action_gru import ActionGRUEncoder
from cofca.envs.spec import spec_of
from cofca.envs.starcraft import StarCraft, StarCraftParams
from cofca.experiments.presets import AgentPreset
from cofca.rl.config import PPOConfig
from cofca.rl.ppo import Learner, Setup, begin, optimizer, refresh
from cofca.utils.trees import stack

POOLS, SEEDS = 4, 2
"""Pools of levels in the whole training, and learners side by side."""
AGENTS = tuple(TINY.agents["starcraft"])
WITH_HISTORY = "cofca-s with history"
"""One with a recurrent state over its actions."""


def setup_of(config: PPOConfig = TINY_PPO) -> Setup:
    """Time runs out soon, so that episodes end in both ways."""
    return Setup(StarCraft(), StarCraftParams(length=(1, 3), steps_per_line=4), config, POOLS * config.updates_per_pool)


SETUP = setup_of()


def with_history(agent: AgentPreset, gru: int = 6) -> AgentPreset:
    """The same agent, whose encoder sees all actions before."""
    assert agent.encoder
    inner = partial(agent.encoder, **agent.encoder_numbers)
    return replace(agent, encoder=ActionGRUEncoder, encoder_numbers={"inner": inner, "gru": gru})


@cache
def agents_of(name: str) -> Agent:
    """As they are called, or `WITH_HISTORY`."""
    agent = TINY.agent("starcraft", name.removesuffix(" with history"))
    make = with_history(agent) if name == WITH_HISTORY else agent
    spec = spec_of(SETUP.env, SETUP.params)
    return stack([make(key, spec) for key in jax.random.split(jax.random.key(1), SEEDS)])


@cache
def _begun() -> Learner:
    return refresh(begin(jax.random.split(jax.random.key(0), SEEDS), agents_of("cofca-s"), SETUP), SETUP)


def begun() -> Learner:
    """Learners that have learned nothing yet. Training may overwrite them: they are copies."""
    return _copied(_begun())


@jax.jit
def _copied(learners: Learner) -> Learner:
    return jax.tree.map(jnp.copy, learners)


def with_agents(name: str, learners: Learner, setup: Setup = SETUP) -> Learner:
    """The same with other agents: neither levels nor episodes depend on who plays."""

    @jax.jit
    @jax.vmap
    def started(agent: Agent) -> tuple[Any, Any]:
        memory = jax.tree.map(lambda leaf: jnp.repeat(leaf[None], setup.config.envs, axis=0), agent.initial_memory())
        return memory, optimizer(setup).init(ravel_pytree(agent)[0])

    agents = agents_of(name)
    memory, state = started(agents)
    return learners._replace(agent=agents, memory=memory, optimizer=state)
