"""One process at a time in a run folder."""

import fcntl
import os
import socket
from pathlib import Path

LOCK = ".lock"


class FolderLock:
    """Held until it is released or forgotten. The system releases it when the process ends, however that happens."""

    _file: int | None = None

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.read(self._file, 200).decode(errors="replace").strip() or "not known which"
            self.release()
            raise ValueError(f"{folder}: another process ({holder}) is training here") from error
        os.truncate(self._file, 0)
        os.write(self._file, f"{os.getpid()} on {socket.gethostname()}\n".encode())

    def release(self) -> None:
        """Let others in. The file stays: to remove it could take it away under another's lock."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __del__(self) -> None:
        self.release()
