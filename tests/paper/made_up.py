"""Results that nobody measured, to draw and to judge."""

from dataclasses import replace
from typing import Any

from cofca.experiments.scores import Delays, KindScore, Recovery, Score
from cofca.experiments.specs import experiment
from cofca.paper.results import BinCurve, Curve, Result

SCRIPTED = {"plus_minus_one": 0.6, "plus_minus_one_idle": 0.97, "one_pass": 0.3}
KINDS = {"next": KindScore(900, 0.9), "loop_back": KindScore(0, None)}


def recoveries(agent: str) -> dict[str, dict[str, Recovery]]:
    """Who has no pointer never points at anything."""
    nothing = Delays(None, None, None, 1.0)
    pointed = {"unstructured": nothing, "olsk": Delays(6.0, 0.2, 4, 0.3)}.get(agent, Delays(1.0, 0.1, 1, 0.0))
    late = Delays(14.0, 0.3, 9, 0.5) if agent == "unstructured" else Delays(4.0, 0.1, 3, 0.02)
    own = {cause: Recovery(200, pointed, late) for cause in ("ambush", "attack")}
    best = {cause: Recovery(100, nothing, Delays(2.5, 0.05, 2, 0.0)) for cause in ("ambush", "attack")}
    return {"sampled": own, "oracle": best, "one_pass": best}


def made_up(
    name: str,
    agent: str,
    success: list[float],
    seed: int = 0,
    training: float = 0.95,
    gate: float = 0.3,
    replays: float | None = None,
) -> Result:
    """Success in the bins of an experiment; with its replays training has so much of the success on fresh levels."""
    found = experiment(name)
    scripted, recovery = (SCRIPTED, recoveries(agent)) if found.domain == "starcraft" else ({}, {})
    about: list[dict[str, Any]] = [
        {"id": place.id, "depth": place.depth, "condition": place.condition} for place in found.bins
    ]
    bins = [
        Score(place.low, place.high, 1000, share, share, 1.0, 0.02, scripted, recovery, **more)
        for place, share, more in zip(found.bins, success, about, strict=True)
    ]
    steps = [10_000_000 * number for number in range(1, 8)]
    curves = [
        BinCurve(steps, [score.sampled * number / 7 for number in range(1, 8)], score.lo, score.hi, 250, **more)
        for score, more in zip(bins, about, strict=True)
    ]
    fresh = [training * number / 7 for number in range(1, 8)]
    return Result(
        experiment=name,
        agent=agent,
        preset="tuned",
        seed=seed,
        trained_on=found.trained_as or name,
        steps=70_000_000,
        scale="full",
        worker="learned",
        level_seed=0,
        device="abacus",
        config={"agent": agent},
        versions={"jax": "0"},
        bins=bins,
        transitions=KINDS,
        gate=gate,
        training=Curve(steps, fresh),
        evaluations=curves,
        with_replays=None if replays is None else Curve(steps, [replays * share for share in fresh]),
    )


def seeds_of(result: Result, spread: float = 0.005, seeds: int = 4) -> list[Result]:
    """The same for several seeds, a little apart."""
    return [
        replace(
            result,
            seed=seed,
            bins=[replace(score, sampled=score.sampled + spread * (seed - (seeds - 1) / 2)) for score in result.bins],
        )
        for seed in range(seeds)
    ]
