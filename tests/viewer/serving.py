"""The stub as a process of its own, as `cofca view` is one."""

import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).parents[1]
ENDING = 3.0
"""Seconds that it may take to end."""


class Served(NamedTuple):
    """A server that runs."""

    process: subprocess.Popen[str]
    address: str

    def memory(self) -> float:
        """Megabytes that it holds."""
        rows = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(row.split()[1]) / 1024 for row in rows if row.startswith("VmRSS"))

    def blocks(self) -> int:
        """Pieces of memory that its Python has in use, garbage left out."""
        with urllib.request.urlopen(f"{self.address}/blocks") as answer:
            return int(answer.read())

    def files(self) -> int:
        """Open files and connections."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))


@contextmanager
def served() -> Iterator[Served]:
    """A server until the end of the block, where it must end by itself and have printed nothing."""
    command = [sys.executable, "-m", "viewer.stub"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=TESTS, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout
        assert process.stderr
        try:
            yield Served(process, f"http://127.0.0.1:{int(process.stdout.readline())}")
            process.send_signal(signal.SIGINT)
            process.wait(ENDING)
            printed = process.stderr.read()
            assert not printed, printed
        finally:
            process.kill()
