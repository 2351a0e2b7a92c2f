"""Evaluation: agents play fixed levels that training never saw, all seeds side by side."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import jax
import numpy as np
from jaxtyping import Array, Float, Int

from cofca.agents.base import Agent
from cofca.envs.domain import Domain
from cofca.envs.rollout import Episodes
from cofca.experiments.eval_set import EvalSet, played_together
from cofca.experiments.scores import (
    PLAYERS,
    KindScore,
    Recovery,
    Score,
    SeedScores,
    as_page,
    recoveries,
    standard_error,
)
from cofca.rl.config import PPOConfig
from cofca.utils.loops import on_cpu

WATCHED = 1
"""Level seed of the evaluations while training: settings chosen by them have not seen those of level seed 0."""


def evaluate(
    agents: Agent, ppo: PPOConfig, sets: Sequence[EvalSet], progress: Callable[[int], None] = lambda done: None
) -> dict[str, Any]:
    """Success in every bin, sampled and greedy, beside the oracle, random choices and scripted references: means over
    seeds, as JSON."""
    seeds = evaluate_seeds(agents, ppo, sets, progress)
    rows = [_mean_row(same) for same in zip(*(scores.bins for scores in seeds), strict=True)]
    kinds = {kind: asdict(_total([scores.transitions[kind] for scores in seeds])) for kind in seeds[0].transitions}
    return {"level_seed": sets[0].level_seed, "bins": rows, "transitions": kinds}


def evaluate_seeds(
    agents: Agent, ppo: PPOConfig, sets: Sequence[EvalSet], progress: Callable[[int], None] = lambda done: None
) -> list[SeedScores]:
    """The scores of each seed."""
    rows: list[list[Score]] = []
    counts = []
    for levels, sampled, greedy in _played(sets, agents, ppo):
        rows.append(_scores(levels, sampled, greedy))
        counts.append(_counts(levels, sampled))
        progress(len(rows))
    seen, won = np.sum(counts, axis=0)
    kinds = _kinds(sets[0].domain)
    return [
        SeedScores(list(bins), dict(zip(kinds, map(KindScore.of, wins, number), strict=True)))
        for bins, number, wins in zip(zip(*rows, strict=True), seen.tolist(), won.tolist(), strict=True)
    ]


def watch(agents: Agent, ppo: PPOConfig, sets: Sequence[EvalSet]) -> dict[str, Any]:
    """Sampled success in every bin, seed by seed, as JSON: a look at agents while they train."""
    played = list(zip(sets, played_together(sets, agents, ppo), strict=True))
    rows = [{**_bin(levels), "sampled": _share(sampled.returns).tolist()} for levels, sampled in played]
    seen, won = np.sum([_counts(levels, sampled) for levels, sampled in played], axis=0)
    kinds = {
        kind: {"episodes": number, "success": [score.success for score in map(KindScore.of, wins, number)]}
        for kind, number, wins in zip(_kinds(sets[0].domain), seen.T.tolist(), won.T.tolist(), strict=True)
    }
    return {"episodes": sets[0].episodes, "bins": rows, "transitions": kinds}


def _played(sets: Sequence[EvalSet], agents: Agent, ppo: PPOConfig) -> Iterator[tuple[EvalSet, Episodes, Episodes]]:
    """Sampled and greedy. An accelerator plays all sets together; on a CPU one after another shows how far it is."""
    for group in [[levels] for levels in sets] if on_cpu() else [sets]:
        manners = (played_together(group, agents, ppo, greedy) for greedy in (False, True))
        yield from zip(group, *manners, strict=True)


def _scores(levels: EvalSet, sampled: Episodes, greedy: Episodes) -> list[Score]:
    """The scores of all seeds in one bin. Those who did not learn are the same for each."""
    beside = {"oracle": levels.oracle, **levels.references}
    reports = {player: recoveries(levels.watcher.report(played.notes)) for player, played in beside.items()}
    ceiling, floor, *scripted = (
        float(_share(played.returns)) for played in (levels.oracle, levels.random, *levels.references.values())
    )
    return [
        Score(
            **_bin(levels),
            episodes=levels.episodes,
            sampled=float(_share(sampled.returns[seed])),
            greedy=float(_share(greedy.returns[seed])),
            oracle=ceiling,
            random=floor,
            references=dict(zip(levels.references, scripted, strict=True)),
            relative_time=_relative_times(levels, {"sampled": sampled, "greedy": greedy}, seed),
            recovery=_recovery(levels, jax.tree.map(lambda leaf, seed=seed: leaf[seed], sampled.notes), reports),
            levels=levels.fingerprint,
        )
        for seed in range(len(sampled.returns))
    ]


def _relative_times(levels: EvalSet, own: Mapping[str, Episodes], seed: int) -> dict[str, float]:
    """Time steps to success of a seed and of scripted agents, over those of the oracle on the same levels."""
    clock = levels.domain.clock
    oracle, needed = levels.oracle.returns > 0, np.asarray(clock(levels.oracle), float)
    players = {player: jax.tree.map(lambda leaf: leaf[seed], played) for player, played in own.items()}
    ratios = {}
    for player, played in {**players, **levels.references}.items():
        both = oracle & (played.returns > 0)
        if both.any():
            ratios[player] = round(float(np.asarray(clock(played), float)[both].sum() / needed[both].sum()), 4)
    return ratios


def _recovery(levels: EvalSet, notes: Any, beside: dict[str, dict[str, Recovery]]) -> dict[str, dict[str, Recovery]]:
    """What became of a seed's setbacks, and of those beside it; nothing where nobody watches."""
    own = {"sampled": recoveries(levels.watcher.report(notes)), **beside}
    return {player: said for player, said in own.items() if said}


def _mean_row(same: Sequence[Score]) -> dict[str, Any]:
    """One bin of several seeds; what is sampled is also told of each seed."""
    first, shares = as_page(same[0]), [score.sampled for score in same]
    means = {player: float(np.mean([score.success(player) for score in same])) for player in PLAYERS}
    if first["recovery"]:
        first["recovery"]["sampled"] = [asdict(score)["recovery"]["sampled"] for score in same]
    times = [score.relative_time for score in same]
    first["relative_time"] = {
        player: float(np.mean([known[player] for known in times if player in known]))
        for player in dict.fromkeys(player for known in times for player in known)
    }
    return {**first, **means, "sampled_se": standard_error(shares, same[0].episodes), "seeds": shares}


def _total(same: Sequence[KindScore]) -> KindScore:
    """One kind of transition of several seeds."""
    wins = sum(score.episodes * (score.success or 0) for score in same)
    return KindScore.of(wins, sum(score.episodes for score in same))


def _counts(levels: EvalSet, own: Episodes) -> Int[np.ndarray, "2 seeds kinds"]:
    """Of each kind of transition the episodes it belongs to, and those of them that succeeded."""
    kinds = levels.kinds(own)
    return np.stack([kinds.sum(axis=1), (kinds & (own.returns > 0)[..., None]).sum(axis=1)])


def _share(returns: Float[Array | np.ndarray, "*seeds episodes"]) -> Any:
    return (returns > 0).mean(axis=-1)


def _bin(levels: EvalSet) -> dict[str, Any]:
    about = {"depth": levels.bin.depth, "condition": levels.bin.condition}
    told = {name: value for name, value in about.items() if value is not None}
    return {"id": levels.bin.id, "lo": levels.bin.low, "hi": levels.bin.high, **told}


def _kinds(domain: Domain) -> list[str]:
    return [kind.name.lower() for kind in domain.transitions]
