"""What a person sees of jobs that run elsewhere, on standard error."""

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta

from rich.console import Console
from rich.live import Live
from rich.table import Table

from cofca.paper.job_status import JobStatus, seconds_left

PARTS = 10
"""Where there is no terminal, a run is told of so many times, and whenever it moves."""


@contextlib.contextmanager
def job_table() -> Iterator[Callable[[Sequence[JobStatus]], None]]:
    """A table that is told where jobs are; where there is no terminal, lines."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield Lines().show
        return
    # Outcomes are printed above it.
    with Live(console=console, transient=True, redirect_stdout=False) as live:
        yield lambda jobs: live.update(table(jobs))


def table(jobs: Sequence[JobStatus]) -> Table:
    """A row for each job, and how long all of them still train."""
    rows = Table(
        "run", "where", "updates", "steps/s", "left", "success", caption=_for(seconds_left(jobs), " of training")
    )
    for job in jobs:
        rows.add_row(job.job.name, job.node or "waiting", *_figures(job))
    return rows


class Lines:
    """A line for each job when it has come to a node, and then now and then."""

    def __init__(self) -> None:
        self.told: dict[str, tuple[str, int]] = {}

    def show(self, jobs: Sequence[JobStatus]) -> None:
        """Tell what is new."""
        for job in jobs:
            now = job.node or "", PARTS * job.update // job.job.config.updates
            if job.node and self.told.get(job.job.name) != now:
                self.told[job.job.name] = now
                updates, speed, left, success = _figures(job)
                figures = f", success {success}, {speed} steps/s, {left}" if success else ""
                grid = f"; all jobs: {_for(seconds_left(jobs))}" if figures and len(jobs) > 1 else ""
                said = f"{job.job.name} on {job.node}: update {updates}{figures}{grid}"
                print(said, file=sys.stderr, flush=True)


def _figures(job: JobStatus) -> tuple[str, str, str, str]:
    success = " ".join(f"{share:.3f}" for share in job.success)
    speed = f"{job.speed:,.0f}" if job.speed else ""
    return f"{job.update}/{job.job.config.updates}", speed, _for(seconds_left([job])), success


def _for(seconds: float | None, what: str = "") -> str:
    return "" if seconds is None else f"{timedelta(seconds=round(seconds))}{what} left"
