"""Processes that compile side by side, and are timed one after the other when all have compiled."""

import contextlib
import fcntl
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

LOCK = "BENCHMARK_LOCK"
"""Names the file that all share while they compile, and one has alone while it is timed."""


class Process(NamedTuple):
    """What to start."""

    command: list[str]
    environment: dict[str, str]


def start_all(processes: list[Process]) -> None:
    """Start them side by side, and wait. One that fails has no line; the others go on."""
    with tempfile.TemporaryDirectory() as folder:
        # Several on one device must not each take most of its memory beforehand.
        same = {**os.environ, LOCK: str(Path(folder) / "lock"), "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
        running = [subprocess.Popen(one.command, env={**same, **one.environment}) for one in processes]
        for process in running:
            process.wait()


def is_one_of_many() -> bool:
    """Whether this process is one that was started."""
    return LOCK in os.environ


class Turn:
    """Compile within `together`, and be timed within `alone`, before which all others have left `together`."""

    def __init__(self) -> None:
        self._file = os.open(os.environ[LOCK], os.O_RDWR | os.O_CREAT)

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Side by side with the others."""
        fcntl.flock(self._file, fcntl.LOCK_SH)
        yield
        fcntl.flock(self._file, fcntl.LOCK_UN)

    @contextlib.contextmanager
    def alone(self, seconds: int) -> Iterator[None]:
        """With the device to itself. A process that takes longer is ended: the others wait for it."""
        fcntl.flock(self._file, fcntl.LOCK_EX)
        signal.alarm(seconds)
        yield
        signal.alarm(0)
        fcntl.flock(self._file, fcntl.LOCK_UN)
