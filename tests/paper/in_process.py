"""What processes of the tests do instead of `cofca.paper.launchers.processes.work`."""

import os
import signal
import time
from multiprocessing.connection import Connection
from pathlib import Path

from tiny_preset import TINY

from cofca.experiments.presets import PRESETS, TUNED
from cofca.experiments.specs import EXPERIMENTS
from cofca.paper.grid import Job, Outcome
from cofca.paper.launchers.processes import work

SAVED = "saved"
MOMENT = 1.0


def work_small(said: Connection, job: Job, runs: Path, results: Path) -> None:
    """Small experiments and agents, which the process that started this one has put into its own tables."""
    for found in job.evaluated:
        EXPERIMENTS[found.name] = found
    PRESETS[TUNED] = TINY
    work(said, job, runs, results)


def die_of_olsk(said: Connection, job: Job, runs: Path, results: Path) -> None:
    """As if the system had killed it."""
    if job.config.agent == "olsk":
        os._exit(9)
    work_small(said, job, runs, results)


def say_much(said: Connection, job: Job, runs: Path, results: Path) -> None:
    """More than a pipe holds."""
    said.send(Outcome(job, "failed", 300_000 * "x"))


def save_when_told(said: Connection, job: Job, runs: Path, results: Path) -> None:
    """Work for ever, as training does, and leave something behind on SIGTERM."""
    folder = runs / job.name
    folder.mkdir(parents=True)

    def save(number: int, frame: object) -> None:
        (folder / SAVED).touch()
        os._exit(0)

    signal.signal(signal.SIGTERM, save)
    (folder / "begun").touch()
    while True:
        time.sleep(1)


def train_a_moment(said: Connection, job: Job, runs: Path, results: Path) -> None:
    """Compile and train for a moment each, and fail."""
    folder = runs / job.name
    folder.mkdir(parents=True)
    time.sleep(MOMENT)
    (folder / "metrics.jsonl").write_text("{}\n")
    time.sleep(MOMENT)
    said.send(Outcome(job, "failed", "a moment is not enough"))
