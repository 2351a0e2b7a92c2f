"""The training program of an agent, ready to be compiled."""

from dataclasses import replace
from typing import Any

import jax

from cofca.agents.base import Agent
from cofca.experiments.build import make_agents, make_setup
from cofca.experiments.presets import TUNED, preset
from cofca.experiments.specs import experiment
from cofca.rl.config import settled
from cofca.rl.ppo import Setup
from cofca.runs.config import RunConfig

UPDATES = 1000
"""Of the whole training: the schedules end there."""


def training_program(
    domain: str,
    agent: str,
    seeds: int,
    envs: int,
    bfloat16: bool | None = None,
    worker: str = "planner",
    updates_per_pool: int | None = None,
) -> tuple[jax.Array, Agent, Setup]:
    """Keys, agents and setup of a training with the preset `tuned`. By default the precision suits the machine."""
    trained = experiment(f"{domain}-length")
    given = {"envs": envs, "bfloat16": bfloat16, "updates_per_pool": updates_per_pool}
    changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    ppo = settled(replace(preset(TUNED).ppo[trained.domain], **changes))
    config = RunConfig(trained.name, agent, TUNED, seeds, UPDATES * ppo.batch, worker=worker, ppo=ppo)
    return jax.random.split(jax.random.key(0), seeds), make_agents(config), make_setup(config)
