"""The training program of an agent at the paper's sizes, to be compiled and looked at."""

from dataclasses import replace

import jax

from cofca.agents.agent import Agent
from cofca.experiments.table import experiment
from cofca.experiments.weights import make_agents, make_setup
from cofca.training.config import settled
from cofca.training.ppo import Setup
from cofca.training.run_config import RunConfig


def program_of(domain: str, agent: str, seeds: int, envs: int, bfloat16: bool) -> tuple[jax.Array, Agent, Setup]:
    """Keys, agents and what does not change."""
    trained = experiment(f"{domain}-length")
    ppo = replace(settled(trained.ppo), envs=envs, bfloat16=bfloat16)
    config = RunConfig(trained.name, agent, seeds, 1000 * ppo.batch, ppo=ppo)
    return jax.random.split(jax.random.key(0), seeds), make_agents(config), make_setup(config)
