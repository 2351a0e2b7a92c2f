"""The score of any policy on an experiment's own levels."""

from collections.abc import Callable, Sequence
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, Key

from cofca.agents.base import Agent
from cofca.envs.base import Environment
from cofca.envs.domain import PLANNER
from cofca.envs.rollout import Episodes, Policy, Respond, Taken, Watcher, play
from cofca.experiments.catalogue import published
from cofca.experiments.eval_set import EvalSet, agent_policy, eval_sets
from cofca.experiments.hosted import play_hosted
from cofca.experiments.policies import JaxPolicy, PolicyError, as_batched, limits_of, named, their_code
from cofca.experiments.scores import standard_error
from cofca.experiments.specs import Experiment

Progress = Callable[[int, int], None]
"""Is told how many of how many episodes have been played."""
EXTREMES = Watcher(
    lambda state: (jnp.int32(0), jnp.int32(0)),
    lambda notes, state, pointer, action, after, params: (
        jnp.minimum(notes[0], action),
        jnp.maximum(notes[1], action),
    ),
    lambda notes: {},
)
"""Notes the smallest and the largest action."""


def score(
    policy: Any,
    spec: Experiment,
    episodes: int,
    level_seed: int,
    worker: str = PLANNER,
    progress: Progress = lambda done, of: None,
) -> dict[str, Any]:
    """Success of a policy, or of several that are its seeds, in an experiment's bins beside the oracle and random
    choices, and what the cards of shipped agents say of these bins, as JSON. Rows have the keys of `evaluate`."""
    policies = list(policy) if isinstance(policy, list | tuple) else [policy]
    if not policies:
        raise PolicyError("there is no policy to score")
    sets = eval_sets(spec, episodes, level_seed, worker)
    rows = _rows(policies, sets, progress)
    about = {"experiment": spec.name, "worker": worker, "level_seed": level_seed}
    return {**about, "bins": rows, "published": published(spec.name)}


def _rows(policies: Sequence[Any], sets: Sequence[EvalSet], progress: Progress) -> list[dict[str, Any]]:
    total, done = len(policies) * sum(levels.episodes for levels in sets), 0

    def heard(ended: int) -> None:
        nonlocal done
        done += ended
        progress(done, total)

    rows = []
    for levels in sets:
        shares = [float(solved(policy, levels, heard).mean()) for policy in policies]
        rows.append({**score_row(levels, shares), "seeds": shares})
    return rows


def solved(policy: Any, levels: EvalSet, heard: Callable[[int], None]) -> Bool[np.ndarray, " episodes"]:
    """Which levels of a set a policy solves."""
    if not isinstance(policy, Agent | JaxPolicy):
        return play_hosted(as_batched(policy), levels, heard)
    params = levels.params.playing
    with their_code():
        played = jax.device_get(_play(levels.keys, levels.levels, policy, levels.env, params))
    low, high = (int(leaf) for leaf in (played.notes[0].min(), played.notes[1].max()))
    if low < 0 or high >= levels.env.num_actions(params):
        wrong = low if low < 0 else high
        raise PolicyError(f"action {wrong} is out of range; expected 0 to {levels.env.num_actions(params) - 1}")
    heard(levels.episodes)
    return played.returns > 0


def score_row(levels: EvalSet, shares: Sequence[float]) -> dict[str, Any]:
    """One bin, and of each seed the share of its levels that it solved."""
    return {
        "id": levels.bin.id,
        "lo": levels.bin.low,
        "hi": levels.bin.high,
        "episodes": levels.episodes,
        "sampled": float(np.mean(shares)),
        "sampled_se": standard_error(shares, levels.episodes),
        "oracle": float((levels.oracle.returns > 0).mean()),
        "random": float((levels.random.returns > 0).mean()),
        "levels": levels.fingerprint,
    }


@eqx.filter_jit
def _play(
    keys: Key[Array, " episodes"], levels: Any, policy: Agent | JaxPolicy, env: Environment, params: Any
) -> Episodes:
    if isinstance(policy, JaxPolicy):
        chosen = compiled_policy(policy, env, params)
    else:
        chosen = agent_policy(policy, env, params, jnp.bool_(False))
    return play(keys, env, levels, chosen, params, watcher=EXTREMES)


def compiled_policy(policy: JaxPolicy, env: Environment, params: Any) -> Policy:
    """A policy in JAX as one of `cofca.envs.rollout`."""
    limits = limits_of(env, params)

    def step(keys: Key[Array, "2"], state: Any, memory: Any, respond: Respond) -> Taken:
        obs = named(env.observe(state, params), limits)
        returned = policy.act(obs, memory, env.allowed(state, params), keys)
        if not isinstance(returned, tuple) or len(returned) != 2:
            raise PolicyError(f"act returned {type(returned).__name__}; expected an action and a state")
        action, memory = _checked(returned[0]), returned[1]
        return Taken(action, respond(action), memory, jnp.int32(-1))

    return Policy(lambda state: jax.tree.map(jnp.asarray, policy.initial), step)


def _checked(action: Any) -> Int[Array, ""]:
    try:
        found = jnp.asarray(action)
    except (TypeError, ValueError):
        raise PolicyError(f"act returned {type(action).__name__} as action; expected a whole number") from None
    if found.shape or not jnp.issubdtype(found.dtype, jnp.integer):
        raise PolicyError(f"act returned an action of type {found.dtype} and shape {found.shape}; expected one number")
    return found.astype(jnp.int32)
