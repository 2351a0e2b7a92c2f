"""Where a job is and how far it is, from files alone."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cofca.paper.grid import Job

TAIL = 100_000
"""Bytes that are longer than any line of a journal."""


@dataclass(frozen=True)
class JobStatus:
    """Of a job that is not done yet."""

    job: Job
    node: str | None
    """None while it waits for one."""
    update: int
    speed: float
    """Steps a second, all seeds together; 0 before there is a figure."""
    success: tuple[float, ...]

    @property
    def steps_left(self) -> int:
        """Of all seeds together."""
        config = self.job.config
        return (config.updates - self.update) * config.ppo.batch * config.seeds


Watch = Callable[[Sequence[JobStatus]], None]
"""Is told again and again where all jobs are that are not done yet."""


def look(job: Job, folder: Path, node: str | None) -> JobStatus:
    """See what the journal of a job's run says."""
    line = last_line(folder / "metrics.jsonl")
    return JobStatus(
        job, node, line.get("update", 0), line.get("steps_per_second", 0.0), tuple(line.get("success", ()))
    )


def seconds_left(jobs: Sequence[JobStatus]) -> float | None:
    """Until all have trained, at the speed of those that train now; None while nobody does. Final evaluations, and what
    ended long ago, are not in it."""
    speed = sum(job.speed for job in jobs if job.node and job.steps_left)
    return sum(job.steps_left for job in jobs) / speed if speed else None


def last_line(path: Path) -> dict[str, Any]:
    """The newest whole line of a journal that somebody else is writing; nothing before there is one."""
    with suppress(FileNotFoundError), path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - TAIL))
        lines = file.read().split(b"\n")
        # What follows the last line break is not whole yet.
        return json.loads(lines[-2]) if len(lines) > 1 else {}
    return {}
