"""What a person sees of jobs that run elsewhere, on standard error."""

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.live import Live
from rich.table import Table

if TYPE_CHECKING:
    from cofca.paper.job_status import Whereabouts

PARTS = 10
"""Where there is no terminal, a run is told of so many times, and whenever it moves."""


@contextlib.contextmanager
def job_table() -> Iterator[Callable[[Sequence["Whereabouts"]], None]]:
    """A table that is told where jobs are; where there is no terminal, lines."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield Lines().show
        return
    # Outcomes are printed above it.
    with Live(console=console, transient=True, redirect_stdout=False) as live:
        yield lambda jobs: live.update(table(jobs))


def table(jobs: Sequence["Whereabouts"]) -> Table:
    """A row for each job."""
    rows = Table("run", "where", "updates", "steps/s", "success")
    for job in jobs:
        rows.add_row(job.job.name, job.node or "waiting", *_figures(job))
    return rows


class Lines:
    """A line for each job when it has come to a node, and then now and then."""

    def __init__(self) -> None:
        self.told: dict[str, tuple[str, int]] = {}

    def show(self, jobs: Sequence["Whereabouts"]) -> None:
        """Tell what is new."""
        for job in jobs:
            now = job.node or "", PARTS * job.update // job.job.config.updates
            if job.node and self.told.get(job.job.name) != now:
                self.told[job.job.name] = now
                updates, speed, success = _figures(job)
                figures = f", success {success}, {speed} steps/s" if success else ""
                print(f"{job.job.name} on {job.node}: update {updates}{figures}", file=sys.stderr, flush=True)


def _figures(job: "Whereabouts") -> tuple[str, str, str]:
    success = " ".join(f"{share:.3f}" for share in job.success)
    return f"{job.update}/{job.job.config.updates}", f"{job.speed:,.0f}" if job.speed else "", success
