"""cofca train."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from tyro.conf import Positional

from cofca.cli.options import Number, Seed
from cofca.cli.progress import status, training_bar


@dataclass(frozen=True)
class Train:
    """Train an agent."""

    experiment: Positional[Annotated[str, tyro.conf.arg(metavar="EXPERIMENT")]]
    """What for: minecraft-length, minecraft-compound, starcraft-length, starcraft-depth or starcraft-depth-hard."""
    out: Path
    """The run's folder."""
    agent: str = "cofca-s"
    """cofca-s, cofca, unstructured, olsk or olsk-e."""
    seeds: Number = 4
    """Trainings side by side."""
    steps: Number = 70_000_000
    """Of each seed."""
    seed: Seed = 0
    """Seed of everything random."""
    resume: bool = False
    """Go on with the run in the folder."""
    checkpoint_minutes: float = 5.0
    """Minutes between checkpoints."""
    set: tuple[str, ...] = ()
    """Settings of PPO other than the experiment's, such as learning_rate=0.0005 envs=64."""

    def run(self) -> int:
        """Train to the end, or from where it was interrupted."""
        from cofca.experiments.table import experiment
        from cofca.experiments.weights import make_agents, make_setup
        from cofca.training.config import changed
        from cofca.training.run import Run, RunConfig

        found = experiment(self.experiment)
        if found.trained_as:
            raise ValueError(f"{found.name} evaluates agents of {found.trained_as}: train that")
        ppo = changed(found.ppo, self.set)
        config = RunConfig(found.name, self.agent, self.seeds, self.steps, self.seed, ppo)
        with status("compiling"):
            run = Run(self.out, config, make_setup(config), make_agents(config), self.resume)
        with training_bar(config.updates) as show:
            run.train(self.checkpoint_minutes, show)
        print(f"weights: {self.out / 'final'}")
        return 0
