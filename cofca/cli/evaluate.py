"""cofca evaluate."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from tyro.conf import Positional

from cofca.cli.options import Number, Seed
from cofca.cli.progress import progress_bar
from cofca.cli.show import print_bins, print_json
from cofca.domains import domain


@dataclass(frozen=True)
class Evaluate:
    """Let trained agents play levels they have never seen."""

    weights: Positional[Annotated[Path, tyro.conf.arg(metavar="RUN-or-WEIGHTS")]]
    """The folder of a run, or of one seed's weights."""
    experiment: str | None = None
    """On whose levels; by default those of the experiment it was trained for."""
    episodes: Number = 1000
    """Of each bin."""
    level_seed: Seed = 0
    """Seed of the levels."""
    json: bool = False
    """Print one JSON object instead of a table."""

    def run(self) -> int:
        """Play and report."""
        from cofca.experiments.evaluate import evaluate, join
        from cofca.experiments.table import experiment
        from cofca.experiments.weights import load_weights

        trained = load_weights(self.weights)
        found = experiment(self.experiment or trained[0].experiment.name)
        if found.domain != trained[0].experiment.domain:
            raise ValueError(f"{found.name} is an experiment in {found.domain}, but the agent is of another domain")
        reports = []
        with progress_bar("seeds evaluated", len(trained)) as update:
            for one in trained:
                reports.append(evaluate(one.agent, domain(found.domain), found, self.episodes, self.level_seed))
                update(len(reports))
        report = {"agent": trained[0].name, "trained_on": trained[0].experiment.name, **join(reports)}
        print_json(report) if self.json else print_bins(report)
        return 0
