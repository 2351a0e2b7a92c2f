"""Results of several seeds put together: means and standard errors, by experiment and agent."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import TypeVar

import numpy as np

from cofca.agents import AGENTS
from cofca.experiments.presets import PRESETS
from cofca.experiments.scores import Score, standard_error
from cofca.experiments.specs import EXPERIMENTS
from cofca.paper.results import Result

T = TypeVar("T")


@dataclass(frozen=True)
class Estimate:
    """A mean over seeds."""

    mean: float
    error: float
    """Standard error; not a number where there is a single seed and its episodes are not known."""


Results = dict[str, list[Result]]
"""The results of one experiment by agent, seed by seed."""


def by_preset(results: Iterable[Result]) -> dict[str, list[Result]]:
    """Results of the presets, in the order of these."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(result.preset, []).append(result)
    return _ordered(groups, tuple(PRESETS))


def by_experiment(results: Iterable[Result]) -> dict[str, Results]:
    """Results of one preset in the order of experiments and agents."""
    groups: dict[str, Results] = {}
    for result in results:
        groups.setdefault(result.experiment, {}).setdefault(result.agent, []).append(result)
    return {name: _ordered(groups[name], AGENTS) for name in _ordered(groups, tuple(EXPERIMENTS))}


def _ordered(groups: dict[str, T], order: Sequence[str]) -> dict[str, T]:
    """Those that are known in their order, then the others."""
    return {name: groups[name] for name in (*order, *sorted(set(groups) - set(order))) if name in groups}


def estimate(shares: Sequence[float], episodes: int | None = None) -> Estimate:
    """The mean of seeds' shares of so many episodes."""
    return Estimate(float(np.mean(shares)), standard_error(shares, episodes))


def shown(estimate: Estimate) -> str:
    """A mean and its standard error, where it is known."""
    return f"{estimate.mean:.3f}" if isnan(estimate.error) else f"{estimate.mean:.3f} ± {estimate.error:.3f}"


def players_beside(results: Sequence[Result]) -> list[str]:
    """Who played the same levels without having learned, as far as all of these results know."""
    scores = [score for result in results for score in result.bins]
    scripted = [name for name in scores[0].references if all(name in score.references for score in scores)]
    return ["oracle", *scripted, "random"]


def name_beside(player: str) -> str:
    """A player's name on pages, as in the rules of StarCraft."""
    return player.replace("_", " ")


def by_bin(results: Sequence[Result], player: str = "sampled") -> dict[str, Estimate]:
    """Success in every bin that all of these results have, by its id."""
    rows: dict[str, list[Score]] = {}
    for score in (score for result in results for score in result.bins):
        rows.setdefault(score.id, []).append(score)
    return {
        id: estimate([score.success(player) for score in row], row[0].episodes)
        for id, row in rows.items()
        if len(row) == len(results)
    }


def in_bins(bins: Sequence[Score], estimates: Mapping[str, Estimate]) -> list[Estimate]:
    """Estimates in the order of some bins; not a number where there is none."""
    return [estimates.get(score.id, Estimate(nan, nan)) for score in bins]


def over_bins(results: Sequence[Result], wanted: Callable[[Score], bool], player: str = "sampled") -> Estimate:
    """Success in all wanted bins together."""
    chosen = [[score for score in result.bins if wanted(score)] for result in results]
    shares = [float(np.mean([score.success(player) for score in scores])) for scores in chosen]
    return estimate(shares, sum(score.episodes for score in chosen[0]))


def learning(results: Sequence[Result], wanted: Callable[[str], bool]) -> tuple[list[int], list[Estimate]]:
    """Evaluation success while training, in all bins with wanted ids together, by steps."""
    curves = [[curve for curve in result.evaluations if wanted(curve.id)] for result in results]
    if not all(curves):
        return [], []
    steps = curves[0][0].steps
    means = np.mean([[curve.success for curve in own] for own in curves], axis=1)
    episodes = sum(curve.episodes for curve in curves[0])
    return steps, [estimate(column.tolist(), episodes) for column in means.T]


def published_learning(results: Sequence[Result]) -> tuple[list[int], list[Estimate]]:
    """Success by the paper's protocol while training, by steps; nothing where training was not evaluated by it."""
    curves = [result.paper_curve for result in results]
    known = [curve for curve in curves if curve and curve.steps]
    if len(known) < len(curves):
        return [], []
    return known[0].steps, [estimate(column) for column in zip(*(curve.success for curve in known), strict=True)]


def published_bins(results: Sequence[Result]) -> dict[str, Estimate]:
    """Success by the paper's protocol at the end of training, in every bin."""
    rows: dict[str, list[float]] = {}
    for score in (score for result in results for score in result.paper_bins):
        rows.setdefault(score.id, []).append(score.successes / max(score.episodes, 1))
    return {id: estimate(shares) for id, shares in rows.items()}


def training(results: Sequence[Result], replays: bool = False) -> tuple[list[int], list[Estimate]]:
    """Training success by steps, on fresh levels or with replays; nothing where these were not counted."""
    curves = [result.with_replays if replays else result.training for result in results]
    known = [curve for curve in curves if curve]
    if len(known) < len(curves):
        return [], []
    return known[0].steps, [estimate(column) for column in zip(*(curve.success for curve in known), strict=True)]
