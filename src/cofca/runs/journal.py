"""A file of JSON lines that grows, and can be cut back to where a checkpoint was written."""

import json
import os
from pathlib import Path
from reprlib import repr as shown
from typing import Any

from cofca.utils.files import opened, write_all


class Journal:
    """One line for each time that something was measured."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def size(self) -> int:
        """In bytes."""
        return self.path.stat().st_size if self.path.exists() else 0

    def append(self, line: dict[str, Any]) -> None:
        """Write a line."""
        with opened(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT) as number:
            write_all(number, (json.dumps(line) + "\n").encode())

    def require(self, size: Any) -> None:
        """Refuse to go on where lines are missing, or are not what was written."""
        if type(size) is not int or size < 0:
            raise ValueError(f"{self.path}: the checkpoint says that it had {shown(size)} bytes")
        if self.size < size:
            found = f"has {self.size} bytes" if self.path.exists() else "is missing"
            raise ValueError(f"{self.path}: {found}, but had {size} bytes when the checkpoint was written")
        lines = self.path.read_bytes()[:size].split(b"\n") if size else [b""]
        damaged = [number for number, line in enumerate(lines[:-1], start=1) if not _is_object(line)]
        if lines[-1]:
            damaged.append(len(lines))
        if damaged:
            raise ValueError(f"{self.path}: line {damaged[0]} is damaged: mend it, or put a copy of the file here")

    def cut(self, size: int) -> None:
        """Take back what was written after so many bytes."""
        if self.path.exists():
            with opened(self.path, os.O_RDWR) as number:
                os.ftruncate(number, size)


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
