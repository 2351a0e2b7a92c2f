"""Small trainings as processes of their own."""

import os
import socket
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]


def started(folder: Path, pools: int, *words: str, devices: int = 1) -> subprocess.Popen[str]:
    """A process that trains for so many pools of levels, with so many devices that are no more than threads."""
    command = [sys.executable, "-m", "reliability.tiny_run", str(folder), str(pools), *words]
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={devices}"
    path = os.pathsep.join(filter(None, (".", os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path, "XLA_FLAGS": flags}
    return subprocess.Popen(command, cwd=TESTS, stdout=subprocess.PIPE, text=True, env=environment)


def finished(*processes: subprocess.Popen[str]) -> None:
    """Wait for all; each must end well."""
    codes = []
    for process in processes:
        process.communicate(timeout=240)
        codes.append(process.returncode)
    assert codes == [0] * len(processes)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
