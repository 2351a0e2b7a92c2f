"""cofca reproduce."""

import contextlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro
from tyro.conf import Positional

from cofca.agents.registry import AGENTS
from cofca.cli.figures import draw
from cofca.cli.options import Number, by_default
from cofca.cli.progress import training_bar

if TYPE_CHECKING:
    from cofca.reproduction.grid import Job


@dataclass(frozen=True)
class Reproduce:
    """Train and evaluate agents in the paper's experiments. What is finished is skipped, what was begun goes on."""

    experiments: Positional[Annotated[tuple[str, ...], tyro.conf.arg(metavar="EXPERIMENT")]] = ()
    """Which; all of them if none is named."""
    agents: tuple[str, ...] = AGENTS
    """Which agents."""
    seeds: Number = 4
    """Trainings of each agent, side by side."""
    scale: str = "paper"
    """paper: as long as in the paper; quick: a few minutes, to see that everything works."""
    worker: str = "learned"
    """Who carries out commands in minecraft: learned (the paper's), planner, or a folder of a worker's weights."""
    runs: Annotated[Path | None, by_default("runs/SCALE")] = None
    """Where runs are kept."""
    results: Annotated[
        Path | None, by_default("results, or results in the folder of runs if not of the paper's scale")
    ] = None
    """Where results, figures and claims are written."""

    def run(self) -> int:
        """Do what is left to do, then draw."""
        from cofca.reproduction.grid import carry_out, paper_experiments, plan
        from cofca.reproduction.scales import find_scale

        scale = find_scale(self.scale)
        unknown = [agent for agent in self.agents if agent not in AGENTS]
        if unknown:
            raise ValueError(f"unknown agent {unknown[0]!r}; expected some of {', '.join(AGENTS)}")
        runs = self.runs or Path("runs") / scale.name
        results = self.results or (Path("results") if scale.name == "paper" else runs / "results")
        names = self.experiments or tuple(paper_experiments())
        jobs = plan(names, self.agents, self.seeds, scale, self.worker)
        failed = 0
        with _bars() as listeners:
            for number, outcome in enumerate(carry_out(jobs, runs, results, listeners), start=1):
                failed += outcome.status == "failed"
                reason = f": {outcome.reason}" if outcome.reason else ""
                print(f"{number}/{len(jobs)} {outcome.job.name} {outcome.status}{reason}", file=sys.stderr)
        if any(results.glob("*/*-seed*.json")):
            draw(results)
        print(f"results: {results}")
        return 1 if failed else 0


@contextlib.contextmanager
def _bars() -> Iterator[Any]:
    """A bar for each job while it trains; the one before it goes."""
    with contextlib.ExitStack() as stack:

        def listeners(job: "Job") -> Sequence[Any]:
            stack.close()
            return [stack.enter_context(training_bar(job.config.updates, job.name))]

        yield listeners
