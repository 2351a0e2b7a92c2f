"""How agents stand on the official levels, and how the package's own do."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from cofca.experiments.catalogue import agents
from cofca.experiments.official import EPISODES, LEVEL_SEED, official_bins, tolerance
from cofca.experiments.presets import TUNED
from cofca.experiments.specs import experiment, is_familiar
from cofca.experiments.zoo import names
from cofca.paper.bootstrap import Sample
from cofca.paper.evidence import Comparison
from cofca.paper.results import Result, read_results
from cofca.paper.samples import binomial
from cofca.paper.statistics import by_experiment, by_preset
from cofca.paper.submission import OURS
from cofca.paper.timing import read_timings

LEVELS, WEIGHTS = "levels", "weights"
"""What is verified: that fingerprints are those of the official levels; that the weights come with the package."""
NORMAL = 1.96
"""Standard errors of a normal distribution that 95 % lie within."""


@dataclass(frozen=True)
class Standing:
    """One agent in one experiment."""

    experiment: str
    worker: str
    agent: str
    preset: str
    by: str
    shares: dict[str, list[float]]
    """Of every bin the success of each seed."""
    verified: tuple[str, ...]
    steps: int | None
    parameters: int | None
    seconds: float | None
    device: str
    url: str = ""

    @property
    def new(self) -> list[str]:
        """The bins that are not familiar; all of them where none is familiar."""
        return [id for id in self.shares if not is_familiar(experiment(self.experiment), id)]

    @cached_property
    def sample(self) -> Sample:
        """Mean success in these."""
        shares = np.array([self.shares[id] for id in self.new]).T
        levels = float(binomial(shares, np.array(EPISODES)).sum()) / len(self.new) ** 2
        return Sample(dict(enumerate(shares.mean(axis=1).tolist())), levels)

    @cached_property
    def interval(self) -> tuple[float, float]:
        """Of 95 %, over seeds and levels; of a single seed over levels only."""
        mean, spread, compared = self.sample.mean, NORMAL * self.sample.levels**0.5, Comparison((self.sample,))
        low, high = compared.interval if compared.is_decidable else (mean - spread, mean + spread)
        return max(low, 0.0), min(high, 1.0)

    @property
    def hardest(self) -> tuple[str, float]:
        """The bin with the lowest success."""
        means = {id: float(np.mean(shares)) for id, shares in self.shares.items()}
        least = min(means, key=means.__getitem__)
        return least, means[least]


def own_standings(results: Path) -> Iterator[Standing]:
    """Of the package's agents, from results on official levels, and from the timing of the jobs that made them."""
    seconds = {job.job: job.seconds for job in read_timings(results)}
    parameters = {(entry.preset, entry.domain, entry.agent): entry.parameters for entry in agents()}
    for preset, known in by_preset(filter(_is_official, read_results(results))).items():
        for name, by_agent in by_experiment(known).items():
            for agent, seeds in by_agent.items():
                first = seeds[0]
                yield Standing(
                    name,
                    first.worker,
                    agent,
                    preset,
                    OURS,
                    {score.id: [_of(one, score.id) for one in seeds] for score in first.bins},
                    tuple(_verified(seeds)),
                    first.steps,
                    parameters.get((preset, experiment(name).domain, agent)),
                    seconds.get((preset, first.trained_on, agent, first.scale, str(len(seeds)))),
                    first.device,
                )


def _is_official(result: Result) -> bool:
    known = official_bins().get(result.experiment, {})
    whole = {score.id for score in result.bins} == known.keys()
    return whole and result.level_seed == LEVEL_SEED and all(score.episodes == EPISODES for score in result.bins)


def _of(result: Result, id: str) -> float:
    return next(score.sampled for score in result.bins if score.id == id)


def _verified(seeds: Sequence[Result]) -> Iterator[str]:
    """Older results have no fingerprints; what others reach tells where the levels are not the same."""
    first = seeds[0]
    known, near = official_bins()[first.experiment], tolerance(first.worker)
    if all(score.levels == known[score.id].levels for result in seeds for score in result.bins):
        yield LEVELS
    others = [s.id for s in first.bins if abs(s.random - known[s.id].random.get(first.worker, s.random)) > near]
    if others:
        yield f"a few levels differ in {', '.join(others)}"
    suffix = "" if first.preset == TUNED else f"-{first.preset}"
    if f"{first.trained_on}/{first.agent}{suffix}" in names():
        yield WEIGHTS
