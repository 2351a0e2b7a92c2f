"""Who is recorded."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from cofca.agents.base import Agent
from cofca.envs.domain import PLANNER
from cofca.envs.rollout import Policy, Taken, memoryless, random_policy
from cofca.experiments.eval_set import EvalSet, agent_policy
from cofca.experiments.policies import BatchedPolicy, JaxPolicy, as_batched
from cofca.experiments.scoring import compiled_policy
from cofca.experiments.specs import Experiment, experiment
from cofca.experiments.typed import typed_policy
from cofca.experiments.zoo import config_of, load
from cofca.rl.ppo import with_precision
from cofca.utils.references import is_reference

ORACLE, RANDOM = "oracle", "random"


class Player(NamedTuple):
    """Somebody who plays, by name."""

    name: str
    policy: Callable[[EvalSet], Policy]
    """What is compiled, by the levels that are played."""
    hosted: BatchedPolicy | None = None
    """Who chooses for it outside of JAX, if somebody does."""
    worker: str = PLANNER
    """Who carries out its commands unless somebody else is asked for."""


def player(name: str, spec: Experiment) -> Player:
    """The oracle, random choices, weights by name or folder, or any policy, as FILE.py:POLICY."""
    if name == ORACLE:
        return Player(name, lambda levels: memoryless(levels.domain.oracle))
    if name == RANDOM:
        return Player(name, lambda levels: random_policy(levels.env, levels.params.playing))
    if is_reference(name) and not Path(name).exists():
        return _own(name, typed_policy(name))
    config = config_of(name)
    trained_in = experiment(config.experiment).domain
    if trained_in != spec.domain:
        raise ValueError(f"{name}: an agent of {trained_in}, not of {spec.domain}")
    agent = with_precision(load(name), config.ppo)
    return Player(name, lambda levels: _sampled(agent, levels), worker=config.worker)


def _own(name: str, found: Any) -> Player:
    """Somebody's policy; what is written in JAX is compiled."""
    if isinstance(found, Agent):
        return Player(name, lambda levels: _sampled(found, levels))
    if isinstance(found, JaxPolicy):
        return Player(name, lambda levels: compiled_policy(found, levels.env, levels.params.playing))
    return Player(name, lambda levels: TOLD, as_batched(found))


def _sampled(agent: Agent, levels: EvalSet) -> Policy:
    return agent_policy(agent, levels.env, levels.params.playing, jnp.bool_(False))


def _as_told(keys: Any, state: Any, action: Any, respond: Any) -> Taken:
    return Taken(action, respond(action), action, jnp.int32(-1))


TOLD = Policy(lambda state: np.int32(0), _as_told)
"""Its memory is the action that it takes: whoever chooses outside of JAX puts it there."""
