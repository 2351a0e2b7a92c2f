"""Evaluation: agents play fixed levels that training never saw, all seeds side by side."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import jax
import numpy as np
from jaxtyping import Array, Float, Int

from cofca.agents.base import Agent
from cofca.envs.domain import PLANNER, Domain
from cofca.envs.rollout import Episodes
from cofca.experiments.build import domain_of
from cofca.experiments.eval_set import Course, played_together
from cofca.experiments.specs import Experiment
from cofca.rl.config import PPOConfig
from cofca.utils.loops import on_cpu

PLAYERS = ("sampled", "greedy", "oracle", "random")
WATCHED = 1
"""Level seed of the evaluations while training: settings chosen by them have not seen those of level seed 0."""


def courses(experiment: Experiment, episodes: int, level_seed: int, worker: str = PLANNER) -> list[Course]:
    """The levels of each bin of an experiment. All have room for as many lines, so that agents are compiled once."""
    chosen = domain_of(experiment, worker)
    room = max(chosen.params(**found.changes).lines for found in experiment.bins)
    bins = (replace(found, changes={**found.changes, "max_lines": room}) for found in experiment.bins)
    return [Course(chosen, found, episodes, level_seed) for found in bins]


def evaluate(
    agents: Agent, ppo: PPOConfig, found: Sequence[Course], progress: Callable[[int], None] = lambda done: None
) -> dict[str, Any]:
    """Success in every bin, sampled and greedy, beside the oracle, random choices and scripted references: means over
    seeds."""
    seeds = evaluate_seeds(agents, ppo, found, progress)
    rows = []
    for same in zip(*(figures["bins"] for figures in seeds), strict=True):
        shares = [row["sampled"] for row in same]
        means = {player: float(np.mean([row[player] for row in same])) for player in PLAYERS}
        error = standard_error(shares, same[0]["episodes"])
        own = {"sampled_se": error, "seeds": shares, **_recoveries(same)}
        rows.append({**same[0], **means, **own})
    kinds = {}
    for kind in seeds[0]["transitions"]:
        number, wins = np.sum([_counted(figures["transitions"][kind]) for figures in seeds], axis=0)
        kinds[kind] = {"episodes": int(number), "success": _ratio(wins, number)}
    return {"level_seed": found[0].level_seed, "bins": rows, "transitions": kinds}


def evaluate_seeds(
    agents: Agent, ppo: PPOConfig, found: Sequence[Course], progress: Callable[[int], None] = lambda done: None
) -> list[dict[str, Any]]:
    """The same for each seed by itself."""
    rows: list[list[dict[str, Any]]] = []
    counts = []
    for course, sampled, greedy in _played(found, agents, ppo):
        same = {**_bin(course), "episodes": course.episodes, "levels": course.fingerprint, **_beside(course)}
        shares = zip(_share(sampled.returns).tolist(), _share(greedy.returns).tolist(), strict=True)
        recovery = _recovery(course, sampled)
        own = zip(shares, recovery, strict=True)
        rows.append([{**same, "sampled": one, "greedy": other, "recovery": said} for (one, other), said in own])
        counts.append(_counts(course, sampled))
        progress(len(rows))
    seen, won = np.sum(counts, axis=0)
    return [
        {"bins": list(bins), "transitions": _by_kind(found[0].domain, number, wins)}
        for bins, number, wins in zip(zip(*rows, strict=True), seen, won, strict=True)
    ]


def _played(found: Sequence[Course], agents: Agent, ppo: PPOConfig) -> Iterator[tuple[Course, Episodes, Episodes]]:
    """Sampled and greedy. An accelerator plays all courses together; on a CPU one after another shows how far it is."""
    for group in [[course] for course in found] if on_cpu() else [found]:
        manners = (played_together(group, agents, ppo, greedy) for greedy in (False, True))
        yield from zip(group, *manners, strict=True)


def _beside(course: Course) -> dict[str, Any]:
    """What those reach who did not learn."""
    ceiling, floor = (float(_share(played.returns)) for played in (course.oracle, course.random))
    scripted = {name: float(_share(played.returns)) for name, played in course.references.items()}
    return {"oracle": ceiling, "random": floor, "references": scripted}


def _recovery(course: Course, sampled: Episodes) -> list[dict[str, Any]]:
    """For each seed what the watcher says of it, sampled, and of the oracle and the references beside it."""
    report = course.watcher.report
    beside = {name: report(played.notes) for name, played in {"oracle": course.oracle, **course.references}.items()}
    seeds = [
        {"sampled": report(jax.tree.map(lambda leaf, seed=seed: leaf[seed], sampled.notes)), **beside}
        for seed in range(len(sampled.returns))
    ]
    return [{player: said for player, said in seed.items() if said} for seed in seeds]


def _recoveries(same: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Of several seeds; what is sampled is of each seed by itself."""
    first = same[0]["recovery"]
    sampled = {"sampled": [row["recovery"]["sampled"] for row in same]} if first else {}
    return {"recovery": {**first, **sampled}}


def _by_kind(domain: Domain, seen: Int[np.ndarray, " kinds"], won: Int[np.ndarray, " kinds"]) -> dict[str, Any]:
    return {
        kind: {"episodes": int(number), "success": _ratio(wins, number)}
        for kind, number, wins in zip(_kinds(domain), seen, won, strict=True)
    }


def _counted(figures: dict[str, Any]) -> tuple[int, float]:
    return figures["episodes"], figures["episodes"] * (figures["success"] or 0)


def watch(agents: Agent, ppo: PPOConfig, found: Sequence[Course]) -> dict[str, Any]:
    """Sampled success in every bin, seed by seed: a look at agents while they train."""
    played = list(zip(found, played_together(found, agents, ppo), strict=True))
    rows = [{**_bin(course), "sampled": _share(sampled.returns).tolist()} for course, sampled in played]
    seen, won = np.sum([_counts(course, sampled) for course, sampled in played], axis=0)
    kinds = {
        kind: {"episodes": number.tolist(), "success": list(map(_ratio, wins, number))}
        for kind, number, wins in zip(_kinds(found[0].domain), seen.T, won.T, strict=True)
    }
    return {"episodes": found[0].episodes, "bins": rows, "transitions": kinds}


def _counts(course: Course, own: Any) -> Int[np.ndarray, "2 seeds kinds"]:
    """Of each kind of transition the episodes it belongs to, and those of them that succeeded."""
    kinds = course.kinds(own)
    return np.stack([kinds.sum(axis=1), (kinds & (own.returns > 0)[..., None]).sum(axis=1)])


def _share(returns: Float[Array | np.ndarray, "*seeds episodes"]) -> Any:
    return (returns > 0).mean(axis=-1)


def _ratio(part: Any, whole: Any) -> float | None:
    return float(part / whole) if whole else None


def standard_error(shares: Sequence[float], episodes: int | None) -> float:
    """Of the mean of seeds' shares of so many episodes each: over seeds, but not less than over levels. All seeds play
    the same ones, and what is hard for one is hard for another."""
    values = np.array(shares, float)
    over_seeds = float(values.std(ddof=1) / np.sqrt(values.size)) if values.size > 1 else float("nan")
    if episodes is None:
        return over_seeds
    number = values.size * episodes
    # As if one more had succeeded and one more failed: who always succeeded is not certain to go on.
    likely = (values.mean() * number + 1) / (number + 2)
    return float(np.fmax(over_seeds, np.sqrt(likely * (1 - likely) / episodes)))


def _bin(course: Course) -> dict[str, int]:
    return {"lo": course.bin.low, "hi": course.bin.high}


def _kinds(domain: Domain) -> list[str]:
    return [kind.name.lower() for kind in domain.transitions]
