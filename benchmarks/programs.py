"""The training program of an agent at the paper's sizes, to be compiled and looked at."""

from dataclasses import replace
from typing import Any

import jax

from cofca.agents.base import Agent
from cofca.envs.registry import PLANNER
from cofca.experiments.specs import experiment
from cofca.experiments.weights import make_agents, make_setup
from cofca.rl.config import settled
from cofca.rl.ppo import Setup
from cofca.runs.config import RunConfig


def program_of(
    domain: str,
    agent: str,
    seeds: int,
    envs: int,
    bfloat16: bool | None = None,
    worker: str = PLANNER,
    updates: int | None = None,
) -> tuple[jax.Array, Agent, Setup]:
    """Keys, agents and what does not change. The precision is the one that suits the machine, unless another is asked
    for."""
    trained = experiment(f"{domain}-length")
    given = {"bfloat16": bfloat16, "updates_per_pool": updates}
    changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    ppo = replace(settled(trained.ppo), envs=envs, **changes)
    config = RunConfig(trained.name, agent, seeds, 1000 * ppo.batch, worker=worker, ppo=ppo)
    return jax.random.split(jax.random.key(0), seeds), make_agents(config), make_setup(config)
