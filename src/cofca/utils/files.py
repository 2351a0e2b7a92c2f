"""Files that are written whole or not at all, and never through a link."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WRITING = ".writing-"
"""What is not complete yet is called so, before its name."""


def user_folder(variable: str, usual: str) -> Path:
    """Where a user keeps caches or state. A path that is empty or relative does not count: so says XDG."""
    named = Path(os.environ.get(variable, ""))
    return named if named.is_absolute() else Path.home() / usual


def open_plain(path: Path, flags: int) -> int:
    """Open an ordinary file that no other name leads to. A link could lead out of the folder we were given."""
    try:
        number = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o644)
    except OSError as error:
        if path.is_symlink():
            raise ValueError(f"{path}: is a link; nothing is written through links") from error
        raise
    found = os.fstat(number)
    if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
        os.close(number)
        raise ValueError(f"{path}: not a file of its own; nothing is written through links")
    return number


@contextmanager
def opened(path: Path, flags: int) -> Iterator[int]:
    """The same for a while; what goes wrong meanwhile names the file."""
    number = open_plain(path, flags)
    try:
        yield number
    except OSError as error:
        error.filename = error.filename or str(path)
        raise
    finally:
        os.close(number)


def write_all(number: int, data: bytes) -> None:
    """Write to an open file; the system may take it in pieces."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(number, rest) :]


def write_new(path: Path, data: bytes) -> None:
    """Write a file that is not there yet, through to the disk."""
    with opened(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as number:
        write_all(number, data)
        os.fsync(number)


def write_whole(path: Path, data: bytes) -> None:
    """Write or replace a file so that at every moment a reader sees all of the old or all of the new one."""
    temporary = path.with_name(WRITING + path.name)
    temporary.unlink(missing_ok=True)
    try:
        write_new(temporary, data)
        temporary.rename(path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """What was renamed in a folder stays renamed, even if the power fails."""
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(number)
    finally:
        os.close(number)
