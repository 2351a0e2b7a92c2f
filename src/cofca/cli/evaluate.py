"""cofca evaluate."""

from dataclasses import dataclass
from typing import Annotated

import tyro
from tyro.conf import Positional

from cofca.cli.options import MaybeText, Number, Seed, by_default
from cofca.cli.progress import PATIENCE, progress_bar, status
from cofca.cli.show import print_bins, print_json, print_paper_bins


@dataclass(frozen=True)
class Evaluate:
    """Let trained agents play levels they have never seen."""

    weights: Positional[Annotated[str, tyro.conf.arg(metavar="RUN-or-WEIGHTS")]]
    """The folder of a run or of one seed's weights, or the name of weights that come with the package."""
    experiment: str | None = None
    """On whose levels; by default those of the experiment it was trained for."""
    episodes: Number = 1000
    """Of each bin."""
    worker: Annotated[MaybeText, by_default("as in training")] = None
    """Who carries out commands in minecraft: planner, learned, or a folder of a worker's weights."""
    level_seed: Seed = 0
    """Seed of the levels."""
    protocol: str = "official"
    """official: the experiment's bins, played to the end; paper: the paper's own levels, as many and as long as it
    played them."""
    json: bool = False
    """Print one JSON object instead of a table."""

    def run(self) -> int:
        """Play and report."""
        with status("loading", after=PATIENCE):
            from cofca.experiments.eval_set import eval_sets
            from cofca.experiments.evaluate import evaluate
            from cofca.experiments.protocol import evaluate_as_published
            from cofca.experiments.specs import experiment
            from cofca.experiments.zoo import load_trained
            from cofca.runs.config import OFFICIAL, PAPER

            agents, config = load_trained(self.weights)
        if self.protocol not in (OFFICIAL, PAPER):
            raise ValueError(f"unknown protocol {self.protocol!r}; expected {OFFICIAL} or {PAPER}")
        trained_on = experiment(config.experiment)
        evaluated = experiment(self.experiment) if self.experiment else trained_on
        if evaluated.domain != trained_on.domain:
            raise ValueError(
                f"{evaluated.name} is an experiment in {evaluated.domain}, but the agent is of another domain"
            )
        worker = self.worker or config.worker
        about = {
            "agent": config.agent,
            "preset": config.preset,
            "trained_on": trained_on.name,
            "experiment": evaluated.name,
        }
        if self.protocol == PAPER:
            with status("evaluating"):
                steps = config.updates * config.ppo.batch
                report = {**about, **evaluate_as_published(agents, config.ppo, evaluated, worker, steps)}
            print_json(report) if self.json else print_paper_bins(report)
            return 0
        sets = eval_sets(evaluated, self.episodes, self.level_seed, worker)
        with progress_bar("bins evaluated", len(evaluated.bins)) as update:
            report = {**about, **evaluate(agents, config.ppo, sets, update)}
        print_json(report) if self.json else print_bins(report)
        return 0
