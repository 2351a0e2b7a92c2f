"""Evaluation: an agent plays fixed levels that training never saw."""

from functools import partial
from typing import Any

import jax
import numpy as np
from jaxtyping import Array, Int, Key, PRNGKeyArray

from cofca.agents.agent import (
    Agent,
    Chances,
    Decision,
    Memory,
    choose_action,
    choose_move,
    draw_chances,
    masked,
)
from cofca.domains import Domain
from cofca.environment import Environment
from cofca.experiments.table import Bin, Experiment
from cofca.rollout import Episodes, Policy, memoryless, play, random_policy

EVALUATION = 0xE7A1
"""Evaluation keys are folded from this, training keys are not."""
PLAYERS = ("sampled", "greedy", "oracle", "random")


def agent_policy(agent: Agent, env: Environment, params: Any, greedy: bool) -> Policy:
    """An agent as a policy. It sees observations and responses, not states."""

    def chances(key: PRNGKeyArray) -> Chances | None:
        return None if greedy else draw_chances(key, ())

    def act(key: PRNGKeyArray, state: Any, memory: Memory) -> tuple[Int[Array, ""], Memory]:
        obs = env.observe(state, params)
        return choose_action(chances(key), masked(agent.policy(agent.look(obs, memory)), obs)), memory

    def heed(key: PRNGKeyArray, state: Any, memory: Memory, action: Int[Array, ""], response: Int[Array, ""]) -> Memory:
        view = agent.look(env.observe(state, params), memory)
        decision = Decision(action, *choose_move(chances(key), agent.movement(view, action, response)))
        return agent.remember(view, memory, decision, response)

    return Policy(lambda state: agent.initial_memory(), act, heed)


def level_keys(level_seed: int, number: int, low: int) -> Key[Array, " levels"]:
    """The keys of a bin's levels."""
    root = jax.random.fold_in(jax.random.fold_in(jax.random.key(level_seed), EVALUATION), low)
    return jax.random.split(root, number)


def evaluate(
    agent: Agent, domain: Domain, experiment: Experiment, episodes: int = 1000, level_seed: int = 0
) -> dict[str, Any]:
    """Success in every bin, sampled and greedy, beside the oracle and random choices."""
    env = domain.environment()
    rows = [_bin(agent, domain, env, found, episodes, level_seed) for found in experiment.bins]
    kinds = [kind.name.lower() for kind in domain.transitions]
    with_kind = np.sum([row.pop("_with_kind") for row in rows], axis=0)
    won_kind = np.sum([row.pop("_won_kind") for row in rows], axis=0)
    transitions = {
        kind: {"episodes": int(seen), "success": float(won / max(seen, 1))}
        for kind, seen, won in zip(kinds, with_kind, won_kind, strict=True)
    }
    return {"experiment": experiment.name, "level_seed": level_seed, "bins": rows, "transitions": transitions}


def join(reports: list[dict[str, Any]]) -> dict[str, Any]:
    """The mean over seeds, with the standard error over them where there are several."""
    rows = []
    for same in zip(*(report["bins"] for report in reports), strict=True):
        row = {**same[0], **{player: float(np.mean([seed[player] for seed in same])) for player in PLAYERS}}
        if len(same) > 1:
            row["sampled_se"] = float(np.std([seed["sampled"] for seed in same], ddof=1) / np.sqrt(len(same)))
        rows.append({**row, "seeds": [seed["sampled"] for seed in same]})
    kinds = {
        kind: {
            "episodes": sum(report["transitions"][kind]["episodes"] for report in reports),
            "success": float(np.mean([report["transitions"][kind]["success"] for report in reports])),
        }
        for kind in reports[0]["transitions"]
    }
    return {**reports[0], "bins": rows, "transitions": kinds}


def _bin(agent: Agent, domain: Domain, env: Environment, found: Bin, episodes: int, level_seed: int) -> dict[str, Any]:
    params = domain.params(**found.changes)
    levels = jax.jit(partial(env.levels, params=params))(level_keys(level_seed, episodes, found.low))
    key = jax.random.fold_in(jax.random.key(level_seed), found.low)

    @partial(jax.jit, static_argnames="player")
    def ends(agent: Agent, levels: Any, player: str) -> Episodes:
        policies = {
            "sampled": agent_policy(agent, env, params, greedy=False),
            "greedy": agent_policy(agent, env, params, greedy=True),
            "oracle": memoryless(domain.oracle),
            "random": random_policy(env, params),
        }
        return play(key, env, levels, policies[player], params)

    played = {player: jax.device_get(ends(agent, levels, player)) for player in PLAYERS}
    share = {player: float((end.returns > 0).mean()) for player, end in played.items()}
    won, seen = played["sampled"].returns > 0, played["oracle"].info.transitions > 0
    return {
        "lo": found.low,
        "hi": found.high,
        "episodes": episodes,
        "sampled": share["sampled"],
        "sampled_se": float(np.sqrt(share["sampled"] * (1 - share["sampled"]) / episodes)),
        **{player: share[player] for player in PLAYERS[1:]},
        "_with_kind": seen.sum(axis=0).tolist(),
        "_won_kind": (seen & won[:, None]).sum(axis=0).tolist(),
    }
