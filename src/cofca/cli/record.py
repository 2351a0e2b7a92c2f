"""cofca record."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from tyro.conf import Positional

from cofca.cli.options import MaybeText, Number, Seed, by_default
from cofca.cli.progress import PATIENCE, progress_bar, status
from cofca.cli.show import print_facts, print_json


@dataclass(frozen=True)
class Record:
    """Write episodes of the oracle, an agent or any policy as a dataset of Minari."""

    experiment: Positional[str]
    """The experiment whose levels are played: its name, or a TOML file."""
    out: Path
    """The folder to write, which must not exist."""
    policy: Annotated[str, tyro.conf.arg(metavar="oracle, random, RUN, WEIGHTS or FILE.py:POLICY")] = "oracle"
    """Who plays."""
    levels: str = "train"
    """train: levels like those of training; or the id of a bin, such as 11-20."""
    episodes: Number = 100
    """How many, each on a level of its own."""
    level_seed: Seed = 2
    """Seed of the levels. Scores are of level seed 0, so what learns from these should not be recorded there."""
    worker: Annotated[MaybeText, by_default("as in the agent's training, or planner")] = None
    """Who carries out commands in minecraft: planner, learned, or a folder of a worker's weights."""
    json: bool = False
    """Print one JSON object instead of a table."""

    def run(self) -> int:
        """Play and write."""
        with status("loading", after=PATIENCE):
            try:
                from cofca.interop.minari.dataset import write_dataset
            except ModuleNotFoundError as error:
                raise ValueError(f"a dataset needs {error.name}: pip install 'cofca[minari]'") from error
            from cofca.experiments.typed import typed_experiment
            from cofca.interop.minari.levels import levels_to_record
            from cofca.interop.minari.players import player

            spec = typed_experiment(self.experiment)
            who = player(self.policy, spec)
        worker = self.worker or who.worker
        levels = levels_to_record(spec, self.levels, self.episodes, self.level_seed, worker)
        with progress_bar("episodes recorded", self.episodes) as update:
            report = write_dataset(self.out, spec, levels, who, worker, update)
        print_json(report) if self.json else print_facts(report)
        return 0
