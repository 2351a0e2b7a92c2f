"""Trust in a domain: generate levels, let the oracle and random choices play each, and report."""

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int32, Key

from cofca.envs.base import Environment
from cofca.envs.domain import Domain
from cofca.envs.rollout import Episodes, Policy, memoryless, play, random_policy

BATCH = 2048
ERRANDS = 10
"""Single commands in each level: a worker fails one in a thousand or fewer, which a thousand of them would not tell."""


def check(
    domain: Domain, params: Any, levels: int, seed: int, progress: Callable[[int], None] = lambda done: None
) -> dict[str, Any]:
    """Figures over so many levels. `progress` is told how many are done."""
    env = domain.environment()
    policies = {
        "oracle": memoryless(domain.oracle),
        "random": random_policy(env, params),
        **domain.references,
    }

    @partial(jax.jit, static_argnames="policy")
    def episodes(keys: Key[Array, " batch"], pool: Any, policy: str) -> Episodes:
        return play(keys, env, pool, policies[policy], params)

    make = jax.jit(partial(env.levels, params=params))
    runs: dict[str, list[Episodes]] = {name: [] for name in policies}
    run_errands = domain.errands and compiled_errands(*domain.errands, params)
    errands: list[np.ndarray] = []
    batch = min(BATCH, levels)
    for start in range(0, levels, batch):
        level_key, play_key = jax.random.split(jax.random.fold_in(jax.random.key(seed), start))
        pool, keys = make(jax.random.split(level_key, batch)), jax.random.split(play_key, batch)
        for name, done in runs.items():
            done.append(jax.tree.map(np.asarray, episodes(keys, pool, name)))
        if run_errands:
            errands.append(np.asarray(run_errands(keys, pool)) > 0)
        progress(min(start + batch, levels))
    # The last batch may be larger than what is left to do: compiled functions have one shape.
    joined = {name: _join(parts, levels) for name, parts in runs.items()}
    return {**_report(domain, params, joined), **_report_errands(errands, levels)}


def compiled_errands(
    env: Environment, worker: Policy, params: Any
) -> Callable[[Key[Array, " batch"], Any], Float[Array, "errands batch"]]:
    """What becomes of several errands in each level."""

    def one(keys: Key[Array, " batch"], pool: Any, number: Int32[Array, ""]) -> Float[Array, " batch"]:
        # A level's key says where in it an errand begins.
        beginnings = jax.vmap(jax.random.fold_in, (0, None))(pool.key, number)
        return play(keys, env, pool._replace(key=beginnings), worker, params).returns

    return jax.jit(lambda keys, pool: jax.lax.map(partial(one, keys, pool), jnp.arange(ERRANDS)))


def _report_errands(won: list[np.ndarray], levels: int) -> dict[str, Any]:
    if not won:
        return {}
    share = float(np.concatenate(won, axis=1)[:, :levels].mean())
    return {"subtasks": ERRANDS * levels, "subtask_success": share}


def _join(parts: list[Episodes], number: int) -> Episodes:
    return jax.tree.map(lambda *leaves: np.concatenate(leaves)[:number], *parts)


def _report(domain: Domain, params: Any, runs: dict[str, Episodes]) -> dict[str, Any]:
    success = {name: np.asarray(episodes.returns) > 0 for name, episodes in runs.items()}
    lengths = runs["oracle"].info.length
    return {
        "levels": len(lengths),
        **{f"{name}_success": float(won.mean()) for name, won in success.items()},
        "bins": bins(lengths, domain.bin_width, success),
        "transitions": transitions(domain, runs["oracle"].info.transitions),
        "oracle_steps": float(runs["oracle"].steps.mean()),
        "oracle_most_steps_per_line": float((runs["oracle"].steps / lengths).max()),
    }


def bins(lengths: np.ndarray, width: int, success: dict[str, np.ndarray]) -> list[dict[str, Any]]:
    """Success by instruction length: 1 to width, width + 1 to 2 width, …, those that occur."""
    found = []
    for number in np.unique((lengths - 1) // width):
        inside = (lengths - 1) // width == number
        low = int(number) * width + 1
        shares = {name: float(won[inside].mean()) for name, won in success.items()}
        found.append({"lo": low, "hi": low + width - 1, "episodes": int(inside.sum()), **shares})
    return found


def transitions(domain: Domain, counts: np.ndarray) -> dict[str, dict[str, float]]:
    """How often each kind of transition happens in a correct episode, and in what share of levels at all."""
    return {
        kind.name.lower(): {
            "per_episode": float(counts[:, kind].mean()),
            "share_of_levels": float((counts[:, kind] > 0).mean()),
        }
        for kind in domain.transitions
    }
