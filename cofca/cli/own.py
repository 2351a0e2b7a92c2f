"""Levels of a person's own: an instruction, and perhaps a drawn map."""

import sys
from pathlib import Path
from typing import Any

from jaxtyping import PRNGKeyArray

from cofca import own
from cofca.cli.progress import status
from cofca.domains import Domain
from cofca.errors import MapError


def own_level(chosen: Domain, key: PRNGKeyArray, text: str, name: str, drawing: Path | None = None) -> tuple[Any, Any]:
    """A level of one's own, and parameters with as much room as it needs. Errors name where the text is from."""
    rows = None if drawing is None else read_text(drawing)
    try:
        with status("finding a world for it", in_a_pipe=False):
            return own.own_level(chosen, key, text, rows)
    except MapError as error:
        raise ValueError(f"{drawing}: {error}") from error
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def find_text(source: str) -> tuple[str, str]:
    """The text of a file, of standard input (-), or the words themselves with ; between lines, and what to call it."""
    if source == "-":
        return sys.stdin.read(), "standard input"
    # Whatever the file system can't even look up is no file.
    try:
        is_file = Path(source).is_file()
    except (OSError, ValueError):
        is_file = False
    if is_file:
        return read_text(Path(source)), source
    if "\n" not in source and " " not in source.strip():
        raise ValueError(f"{source}: no such file")
    return source.replace(";", "\n"), "instruction"


def read_text(path: Path) -> str:
    """The text of a file."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not a text file") from error
