"""The same functions as in `modules` and `encoders`, faster. Each is tested equal to its plain one.

`fuse` is called where many time steps share an agent's parameters: in a rollout, a loss, an evaluation.
"""

from typing import Any

import jax

from cofca.agents.base import Agent
from cofca.agents.encoders.starcraft import StarCraftEncoder
from cofca.agents.fused.coins import fuse_coins
from cofca.agents.fused.line_gru import FusedLineBiGRU
from cofca.agents.fused.starcraft import FusedStarCraftEncoder, encode_by_step, encode_in_turn
from cofca.agents.fused.worker import fuse_worker
from cofca.agents.modules.line_gru import Coins, LineBiGRU
from cofca.agents.worker import Worker
from cofca.utils.loops import on_cpu

FUSED: dict[type, Any] = {LineBiGRU: FusedLineBiGRU, Coins: fuse_coins, StarCraftEncoder: FusedStarCraftEncoder}
"""By plain module. A fused one is called in the same way."""


def fuse(agent: Agent) -> Agent:
    """The same agent with its parts fused: all is worked out that depends on parameters only."""

    def is_plain(part: Any) -> bool:
        return type(part) in FUSED

    if isinstance(agent, Worker):
        return fuse_worker(agent)
    return jax.tree.map(lambda part: FUSED[type(part)](part) if is_plain(part) else part, agent, is_leaf=is_plain)


def encode_all(agent: Agent, obs: Any, memory: Any) -> Any:
    """The features of all time steps and environments, [steps, envs]."""
    if _has(agent, FusedStarCraftEncoder):
        return (encode_in_turn if on_cpu() else encode_by_step)(agent, obs, memory)
    return jax.vmap(jax.vmap(agent.encode))(obs, memory)


def read_all_lines(agent: Agent, features: Any) -> Any:
    """Read the lines of all time steps and environments.

    One device reads them as one batch. On an accelerator lines then come first in memory, and what the way back needs
    is not written down once more, transposed; a CPU reads short instructions together. Several devices may share the
    environments of a seed; they would have to send each other all of that batch."""
    if jax.device_count() == 1 and _has(agent, FusedLineBiGRU):
        return agent.read_lines(features)
    return jax.vmap(jax.vmap(agent.read_lines))(features)


def _has(agent: Agent, kind: type) -> bool:
    parts = jax.tree.leaves(agent, is_leaf=lambda part: isinstance(part, kind))
    return any(isinstance(part, kind) for part in parts)
