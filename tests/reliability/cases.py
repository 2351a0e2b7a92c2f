"""What must be true of everything that is read: it works, or is refused in one line; nothing is written."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reliability.targets import TARGETS, Target
from reliability.watch import HangError, only_reading

LONGEST = 1000
"""Letters of an error's message, besides the name of the file."""


def ready(name: str, folder: Path) -> Target:
    """A target whose sample has been read once: what is imported on the way has been imported."""
    target = TARGETS[name](folder)
    target.prepare(target.sample)
    target.read()
    return target


def is_read(target: Target, data: bytes, folder: Path) -> bool:
    """Whether a case is read rather than refused. What may happen to nobody is an AssertionError."""
    target.prepare(data)
    there = files(folder)
    try:
        error = refusal(target.read)
        if error is not None:
            assert_clear(error, target.named)
    except (Exception, HangError) as wrong:
        raise AssertionError(f"{type(wrong).__name__} on {data[:300]!r}") from wrong
    assert files(folder) == there
    return error is None


def refusal(read: Callable[[], Any]) -> ValueError | OSError | None:
    """What is said of a case that is not read."""
    try:
        with only_reading():
            read()
    except (ValueError, OSError) as error:
        return error
    return None


def assert_clear(error: ValueError | OSError, named: Path | None) -> None:
    """One short line that names the file. A library's own errors would say what it was doing, not what is wrong."""
    message = str(error)
    assert message
    assert "\n" not in message
    if isinstance(error, OSError):
        return
    assert type(error) is ValueError or type(error).__module__.startswith("cofca")
    # What somebody types may be repeated, however long it is.
    if named is not None:
        assert str(named) in message
        assert len(message) < LONGEST


def files(folder: Path) -> set[str]:
    return {found.path for found in os.scandir(folder)}
