"""One process at a time in a run folder."""

import fcntl
import os
import re
import socket
from pathlib import Path

from cofca.runs.layout import LOCK
from cofca.utils.files import open_plain, write_all

HOLDER = r"[0-9]*( (on?( \S*\n?)?)?)?"
"""What a lock says of who holds it, or held it last; whoever was killed in the middle has written only some of it."""


class FolderLock:
    """Held until it is released or forgotten. The system releases it when the process ends, however that happens."""

    _file: int | None = None

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = open_plain(folder / LOCK, os.O_RDWR | os.O_CREAT)
        try:
            self._take(folder, self._file)
        except BaseException:
            self.release()
            raise

    def _take(self, folder: Path, file: int) -> None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = self._holder().strip() or "not known which"
            raise ValueError(f"{folder}: another process ({holder}) is training here") from error
        if not re.fullmatch(HOLDER, self._holder()):
            raise ValueError(f"{folder / LOCK}: not the lock of a run; it is not overwritten")
        os.ftruncate(file, 0)
        write_all(file, f"{os.getpid()} on {socket.gethostname()}\n".encode())

    def _holder(self) -> str:
        return os.pread(self._file or 0, 300, 0).decode(errors="replace")

    def release(self) -> None:
        """Let others in. The file stays: to remove it could take it away under another's lock."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __del__(self) -> None:
        self.release()
