"""The grid on a Ray cluster: a task for each job on whichever node is free, and on another one if that dies.

Nodes share the folders of runs and results with whoever starts the grid. What a job has done is in its folder, so
a task that is begun again goes on from there; the lock of a run's folder keeps those apart that are not dead yet.
"""

import logging
import os
import socket
import time
import uuid
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import Any

import ray
from ray.exceptions import RayError, RayTaskError

from cofca.paper.grid import Job, Outcome, do_job, failed, known
from cofca.paper.job_status import Watch, look
from cofca.runs.lock import FolderLock
from cofca.runs.preemption import PreemptedError
from cofca.utils.compilation import cache_compilation
from cofca.utils.loops import on_cpu

DEATHS = 20
"""So many times may the node of a job die or be taken away."""
PATIENCE = 120.0
"""Seconds after which somebody who holds the folder of a run is not dying: storage forgets the dead after 90."""
LOOK_SECONDS = 1.0


@dataclass(frozen=True)
class Place:
    """Where a grid lies. Relative paths are as they are to whoever starts it."""

    origin: Path
    """The working folder of whoever starts it."""
    runs: Path
    results: Path
    board: str
    """The name of a folder in both, in which tasks write down where they are."""

    def boards(self) -> list[Path]:
        """That folder, among runs and among results."""
        return [self.origin / folder / self.board for folder in (self.runs, self.results)]

    def note(self, job: Job) -> Path:
        """Where it is written down which node does a job."""
        return self.boards()[0] / job.name.replace("/", " ")


@contextmanager
def connected(address: str | None = None) -> Iterator[None]:
    """Be part of a cluster: the one with this address, or the one that this machine belongs to."""
    if address:
        _require_somebody(address)
    try:
        ray.init(address=address or "auto", logging_level=logging.ERROR, log_to_driver=False)
    except ConnectionError as error:
        raise ValueError(
            "there is no Ray cluster here: start one with `ray start --head`, or give --address"
        ) from error
    try:
        yield
    finally:
        ray.shutdown()


def has_gpus() -> bool:
    """Whether the cluster has any."""
    return ray.cluster_resources().get("GPU", 0) >= 1


def carry_out(jobs: Sequence[Job], runs: Path, results: Path, watch: Watch) -> Iterator[Outcome]:
    """Do all jobs, as many at a time as the cluster has room for. One that fails is reported, and the rest goes on."""
    gpu, left = has_gpus(), {}
    with _shared(Place(Path.cwd(), runs, results, f".grid-{uuid.uuid4().hex}")) as place:
        try:
            for job in jobs:
                if outcome := known(job, results):
                    yield outcome
                else:
                    left[_task(gpu).remote(job, place, gpu, PATIENCE)] = job
            while left:
                done, _ = ray.wait(list(left), timeout=LOOK_SECONDS)
                for task in done:
                    yield _outcome(task, left.pop(task))
                alive = {node["NodeID"] for node in ray.nodes() if node["Alive"]}
                watch([look(job, runs / job.name, _node(place.note(job), alive)) for job in left.values()])
        finally:
            # Whoever stops the grid stops its tasks.
            for task in left:
                ray.cancel(task, force=True)


def _task(gpu: bool) -> Any:
    """What a node does for a job, and what it needs for that."""
    return ray.remote(
        num_cpus=1,
        num_gpus=int(gpu),
        max_retries=DEATHS,
        retry_exceptions=[PreemptedError],
        # A process for each job: the memory of the one before is free again.
        max_calls=1,
    )(work)


def _outcome(task: Any, job: Job) -> Outcome:
    try:
        return ray.get(task)
    except RayTaskError as error:
        return failed(job, error.cause)
    except RayError as error:
        return failed(job, error)


def work(job: Job, place: Place, gpu: bool, patience: float) -> Outcome:
    """Do a job on the node that this is called on, or go on with it where another node died."""
    cache_compilation()
    try:
        _require_shared(place)
        os.chdir(place.origin)
        if gpu and on_cpu():
            raise ValueError(f"JAX does not see the GPU of {socket.gethostname()}: pip install 'cofca[cuda]' there")
        place.note(job).write_text(f"{ray.get_runtime_context().get_node_id()} {socket.gethostname()}")
        _await(place.runs / job.name, patience)
    except (ValueError, OSError) as error:
        return failed(job, error)
    # Its journal tells the one who started the grid how far it is.
    return do_job(job, place.runs, place.results, lambda job: [])


def _node(note: Path, alive: Set[str]) -> str | None:
    """Which node has written down that it does a job, if it has not died since."""
    with suppress(FileNotFoundError):
        name, _, host = note.read_text(encoding="utf-8").partition(" ")
        return f"{host} ({name[:6]})" if name in alive else None
    return None


def _await(folder: Path, patience: float) -> None:
    """Wait for whoever is in the folder of a run: a process can outlive its node for some seconds."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        with suppress(ValueError):
            return FolderLock(folder).release()
        time.sleep(0.5)


@contextmanager
def _shared(place: Place) -> Iterator[Place]:
    """The boards of a grid, for as long as it lasts."""
    for board in place.boards():
        board.mkdir(parents=True, exist_ok=True)
    try:
        yield place
    finally:
        for board in place.boards():
            rmtree(board, ignore_errors=True)


def _require_shared(place: Place) -> None:
    for board in place.boards():
        if not board.exists():
            raise ValueError(f"{board.parent} of {socket.gethostname()} is not the one of whoever started the grid")


def _require_somebody(address: str) -> None:
    """Find out at once what Ray would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=10).close()
    except (OSError, ValueError, OverflowError) as error:
        raise ValueError(f"--address {address}: there is no Ray cluster; expected HOST:PORT of its head") from error
