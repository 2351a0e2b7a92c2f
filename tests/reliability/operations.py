"""The file operations in a folder: counted, and one of them made to fail or to be the last."""

import errno
import fcntl
import io
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

PLACES = {
    os: ("open", "write", "fsync", "ftruncate", "rename", "unlink", "rmdir", "mkdir"),
    fcntl: ("flock",),
    io: ("open",),
}
ERRORS = (errno.ENOSPC, errno.EACCES, errno.EIO)
KILL, SIGKILL = "kill", "SIGKILL"
"""A kill that is played, so that nothing is written any more, and a real one."""


class KilledError(BaseException):
    """The process would be gone now."""


class Fault(NamedTuple):
    """What happens at which operation."""

    at: int
    what: int | str


class Operations:
    """All operations below a folder, in order."""

    def __init__(self, folder: Path, fault: Fault | None = None) -> None:
        self.folder, self.fault = str(folder), fault
        self.names: list[str] = []
        self.outside: list[str] = []
        self._files: set[int] = set()
        self._killed = False

    def call(self, name: str, real: Callable[..., Any], *args: Any, **more: Any) -> Any:
        """Do an operation, or what happens in its place."""
        if not self._is_here(args[0]):
            if _changes(name, args):
                self.outside.append(f"{name} {args!r}")
            return real(*args, **more)
        number = len(self.names)
        self.names.append(name)
        if self._killed:
            raise KilledError
        if self.fault and number == self.fault.at:
            if name == "write":
                # A disk gets full, or a process is killed, in the middle.
                real(args[0], args[1][: len(args[1]) // 2])
            self._strike(self.fault.what)
        done = real(*args, **more)
        if name == "open" and isinstance(done, int):
            self._files.add(done)
        return done

    def close(self, real: Callable[[int], None], number: int) -> None:
        """Numbers of files are used again."""
        self._files.discard(number)
        real(number)

    def _is_here(self, place: Any) -> bool:
        if isinstance(place, int):
            return place in self._files
        return os.fspath(place).startswith(self.folder + os.sep)

    def _strike(self, what: int | str) -> None:
        if what == SIGKILL:
            os.kill(os.getpid(), signal.SIGKILL)
        if what == KILL:
            self._killed = True
            raise KilledError
        assert isinstance(what, int)
        raise OSError(what, os.strerror(what))


def _changes(name: str, args: tuple[Any, ...]) -> bool:
    """Whether something is different afterwards."""
    if name != "open":
        return True
    how = args[1] if len(args) > 1 else "r"
    return bool(how & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)) if isinstance(how, int) else not how.startswith("r")


@contextmanager
def watched(folder: Path, fault: Fault | None = None) -> Iterator[Operations]:
    """While this lasts all operations in a folder are counted, and the fault happens."""
    seen = Operations(folder, fault)

    def through(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *args, **more: seen.call(name, real, *args, **more)

    with pytest.MonkeyPatch.context() as patch:
        for module, names in PLACES.items():
            for name in names:
                patch.setattr(module, name, through(name, getattr(module, name)))
        close = os.close
        patch.setattr(os, "close", lambda number: seen.close(close, number))
        yield seen
