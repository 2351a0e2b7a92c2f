"""cofca reproduce."""

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro
from tyro.conf import Positional

from cofca.agents import AGENTS
from cofca.cli.figures import draw
from cofca.cli.options import MaybeNumber, MaybeText, Number, by_default
from cofca.cli.progress import training_bar
from cofca.cli.streams import plain

if TYPE_CHECKING:
    from cofca.paper.grid import Job

LAUNCHERS = ("local", "ray")


@dataclass(frozen=True)
class Reproduce:
    """Train and evaluate agents in the paper's experiments. Finished jobs are skipped, interrupted ones resume."""

    experiments: Positional[Annotated[tuple[str, ...], tyro.conf.arg(metavar="EXPERIMENT")]] = ()
    """Experiments. By default all of the paper's."""
    agents: Annotated[tuple[str, ...], by_default("all that the preset has")] = AGENTS
    """Agents."""
    preset: str = "tuned"
    """paper: the agents as published, with their training and evaluation; tuned: the architectures with additions."""
    seeds: Number = 4
    """Trainings of each agent, side by side, that differ in their random numbers."""
    scale: str = "full"
    """full: as long as in the paper; quick: a few minutes, to see that everything works."""
    worker: str = "learned"
    """What carries out commands in minecraft: learned (the paper's), planner, or a folder with a worker's weights."""
    runs: Annotated[Path | None, by_default("runs/PRESET/SCALE")] = None
    """Folder for runs."""
    results: Annotated[
        Path | None, by_default("results, or results in the folder of runs if the scale is not full")
    ] = None
    """Folder for the verdicts on claims and, in a folder for each preset, results and figures."""
    on: str = "local"
    """local: on this machine; ray: on a Ray cluster whose nodes share the folders."""
    jobs: Annotated[MaybeNumber, by_default("one on a CPU, up to eight on a GPU")] = None
    """Number of jobs at a time on this machine, each in its own process."""
    address: Annotated[MaybeText, by_default("the cluster that this machine belongs to")] = None
    """HOST:PORT of the Ray cluster's head."""

    def run(self) -> int:
        """Do what is left to do, then draw."""
        from cofca.paper.grid import paper_experiments, plan
        from cofca.paper.scales import find_scale

        scale, agents = find_scale(self.scale), self._agents()
        runs = self.runs or Path("runs") / self.preset / scale.name
        results = self.results or (Path("results") if scale.name == "full" else runs / "results")
        names = self.experiments or tuple(paper_experiments())
        failed = 0
        with self._launcher() as (bfloat16, carry_out):
            jobs = plan(names, agents, self.seeds, scale, self.worker, bfloat16, self.preset)
            for number, outcome in enumerate(carry_out(jobs, runs, results), start=1):
                failed += outcome.status == "failed"
                reason = f": {outcome.reason}" if outcome.reason else ""
                print(f"{number}/{len(jobs)} {outcome.job.name} {outcome.status}{plain(reason)}", file=sys.stderr)
        if any(results.glob("*/*/[!.]*-seed*.json")):
            draw(results)
        print(f"results: {plain(results)}")
        return 1 if failed else 0

    def _agents(self) -> tuple[str, ...]:
        """The agents that are named, or all that the preset has in some domain."""
        from cofca.experiments.plugins import own_agent
        from cofca.experiments.presets import preset

        own = {agent for agents in preset(self.preset).agents.values() for agent in agents}
        known = [agent for agent in AGENTS if agent in own]
        if not self.agents:
            raise ValueError(f"no agent is named; expected some of {', '.join(known)}")
        named = known if self.agents == AGENTS else self.agents
        if unknown := [agent for agent in named if agent not in known and not (":" in agent or own_agent(agent))]:
            raise ValueError(f"unknown agent {unknown[0]!r} of {self.preset}; expected some of {', '.join(known)}")
        return tuple(named)

    def _launcher(self) -> AbstractContextManager[Any]:
        """The precision that suits whoever does the jobs, if that is not this machine, and what has them done."""
        if self.on not in LAUNCHERS:
            raise ValueError(f"unknown launcher {self.on!r}; expected {' or '.join(LAUNCHERS)}")
        if self.address and self.on != "ray":
            raise ValueError("--address is the one of a cluster: it needs --on ray")
        if self.jobs and self.on == "ray":
            raise ValueError(
                "--jobs is for this machine only: a cluster runs as many jobs at a time as it has room for"
            )
        if self.on == "ray":
            return _on_ray(self.address)
        return _locally() if self.jobs == 1 else _in_processes(self.jobs)


@contextlib.contextmanager
def _locally() -> Iterator[Any]:
    from cofca.paper.grid import carry_out

    with _bars() as listeners:
        yield None, partial(carry_out, listeners=listeners)


@contextlib.contextmanager
def _in_processes(number: int | None) -> Iterator[Any]:
    # Before JAX starts, here or there: else the first process would take most of an accelerator's memory.
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    from cofca.paper.launchers.room import jobs_at_once, shared_card

    with shared_card():
        from cofca.cli.job_table import job_table
        from cofca.paper.launchers.processes import carry_out

        number = number or jobs_at_once()
        if number == 1:
            with _locally() as launcher:
                yield launcher
        else:
            with job_table() as watch:
                yield None, partial(carry_out, watch=watch, at_once=number)


@contextlib.contextmanager
def _on_ray(address: str | None) -> Iterator[Any]:
    try:
        from cofca.paper.launchers.ray import carry_out, connected, has_gpus
    except ImportError as error:
        raise ValueError("--on ray needs a package that is not installed: pip install 'cofca[cluster]'") from error
    from cofca.cli.job_table import job_table

    with connected(address), job_table() as watch:
        yield has_gpus(), partial(carry_out, watch=watch)


@contextlib.contextmanager
def _bars() -> Iterator[Any]:
    """A bar for each job while it trains; the one before it goes."""
    with contextlib.ExitStack() as stack:

        def listeners(job: "Job") -> Sequence[Any]:
            stack.close()
            return [stack.enter_context(training_bar(job.config.whole_steps, job.name))]

        yield listeners
