"""What a piece of code does to the system while it runs: it may read files, and nothing else."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

SECONDS = 60
"""So long a single case may take. It takes milliseconds, but a busy machine may not get to it."""
_CHANGES = (
    *("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod"),
    *("shutil.rmtree", "shutil.copytree", "os.system", "os.exec", "os.fork", "os.posix_spawn", "subprocess.Popen"),
    *("pickle.find_class", "marshal.loads", "socket.connect"),
)
_state: dict[str, Any] = {"watching": False, "seen": []}


class HangError(BaseException):
    """Took too long. No ordinary error, so that nobody takes it for one."""


def _hook(event: str, args: tuple[Any, ...]) -> None:
    if not _state["watching"]:
        return
    if event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        _state["seen"].append(f"open {args[0]!r}")
    elif event in _CHANGES:
        _state["seen"].append(f"{event} {args!r}"[:200])


def _hang(number: int, frame: FrameType | None) -> None:
    raise HangError


# There is no way to take a hook out again: it is put in once, and looks away most of the time.
sys.addaudithook(_hook)


@contextmanager
def only_reading() -> Iterator[None]:
    """Whatever happens in here comes to an end, writes no file, starts no program and unpickles nothing."""
    _state.update(watching=True, seen=[])
    before = signal.signal(signal.SIGALRM, _hang)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        _state["watching"] = False
        signal.signal(signal.SIGALRM, before)
        assert not _state["seen"]
