"""Levels of a person's own: an instruction, and perhaps a drawn map."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from jaxtyping import PRNGKeyArray

from cofca.cli.progress import PATIENCE, status
from cofca.envs.custom_level import custom_level
from cofca.envs.domain import Domain
from cofca.utils.errors import MapError


def own_level(chosen: Domain, key: PRNGKeyArray, text: str, name: str, drawing: Path | None = None) -> tuple[Any, Any]:
    """A level of one's own, and parameters with as much room as it needs. Errors name where the text is from."""
    rows = None if drawing is None else read_text(drawing)
    try:
        with status("finding a world for it", after=PATIENCE):
            return custom_level(chosen, key, text, rows)
    except MapError as error:
        raise ValueError(f"{drawing}: {error}") from error
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def find_text(source: str) -> tuple[str, str]:
    """The text of a file, of standard input (-), or the words themselves with ; between lines, and what to call it."""
    if source == "-":
        return _text_of(sys.stdin.read, "standard input"), "standard input"
    if not source.strip():
        raise ValueError("no instruction: expected a file, -, or lines with ; between them")
    # Whatever the file system can't even look up is no file.
    try:
        exists = Path(source).exists()
    except (OSError, ValueError):
        exists = False
    if exists:
        return read_text(Path(source)), source
    if "\n" not in source and " " not in source.strip():
        raise ValueError(f"{source}: no such file")
    return source.replace(";", "\n"), "instruction"


def read_text(path: Path) -> str:
    """The text of a file."""
    return _text_of(partial(path.read_text, encoding="utf-8-sig"), str(path))


def _text_of(read: Callable[[], str], name: str) -> str:
    try:
        return read()
    except UnicodeDecodeError as error:
        raise ValueError(f"{name}: not a text file") from error
