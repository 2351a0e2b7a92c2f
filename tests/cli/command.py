"""The command line as tests call it."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from cofca.cli.entry import main

Capture = pytest.CaptureFixture[str]


def cofca(*words: str) -> int:
    """Run the command line in this process and return its exit code."""
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert isinstance(stop.value.code, int)
    return stop.value.code


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the command line as a process of its own."""
    return subprocess.run([sys.executable, "-m", "cofca", *words], capture_output=True, text=True, check=False)


def lines_of(stderr: str) -> list[str]:
    """What a process said on standard error, but for the word that a busy machine may give it time for."""
    return [line for line in stderr.splitlines() if line != "starting"]


@contextlib.contextmanager
def served(*words: str) -> Iterator[bytes]:
    """The page of a server that is started as a process of its own, and interrupted afterwards."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "cofca", *words, "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr
            # On a busy machine it says first that it is starting.
            address = next(line.split()[0] for line in server.stderr if line.startswith("http"))
            assert address == f"http://127.0.0.1:{port}"
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            with opener.open(address, timeout=120) as page:
                yield page.read()
            os.kill(server.pid, signal.SIGINT)
            assert server.wait(120) == 130
            assert "Traceback" not in server.stderr.read()
        finally:
            server.kill()


def one_object(out: str) -> dict[str, Any]:
    """The JSON object that is all there is on standard output."""
    assert out.count("\n") == 1
    found = json.loads(out)
    assert isinstance(found, dict)
    return found
