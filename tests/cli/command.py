"""The command line as tests call it."""

import json
import subprocess
import sys
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


def one_object(out: str) -> dict[str, Any]:
    """The JSON object that is all there is on standard output."""
    assert out.count("\n") == 1
    found = json.loads(out)
    assert isinstance(found, dict)
    return found
