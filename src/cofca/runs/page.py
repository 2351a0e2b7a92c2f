"""The folder of a checkpoint and its page: what is known about its arrays before anybody reads them."""

import hashlib
import json
from pathlib import Path
from typing import Any

from cofca.utils.files import WRITING
from cofca.utils.json import read_json

ARRAYS, PAGE = "arrays.safetensors", "page.json"
OLD = ".old-"
"""What a folder is called while it is replaced."""


class DamagedCheckpointError(ValueError):
    """A folder that is not, or not any more, a whole checkpoint."""


def read_page(folder: Path) -> dict[str, Any]:
    """The page of a checkpoint."""
    try:
        page = read_json((folder / PAGE).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise DamagedCheckpointError(f"{folder}: not a checkpoint: {error.filename} is missing") from error
    except ValueError as error:
        raise DamagedCheckpointError(f"{folder}: damaged checkpoint: {PAGE} can't be read: {error}") from error
    if not isinstance(page, dict) or "sha256" not in page:
        raise DamagedCheckpointError(f"{folder}: not a checkpoint: {PAGE} has no checksum")
    # Pages written by earlier versions are not sealed.
    if "seal" in page and page["seal"] != seal(page):
        raise DamagedCheckpointError(f"{folder}: damaged checkpoint: the checksum of {PAGE} is wrong")
    return page


def remove_checkpoint(folder: Path) -> None:
    """Remove a checkpoint, so that a reader sees all of it or nothing. One to which somebody added files stays."""
    if is_only_a_checkpoint(folder):
        _remove(folder.rename(folder.with_name(WRITING + folder.name)))


def tidy(folder: Path) -> None:
    """Clear up what a killed process left beside a checkpoint; what it set aside without a successor is put back."""
    aside, unfinished = folder.with_name(OLD + folder.name), folder.with_name(WRITING + folder.name)
    if is_only_a_checkpoint(aside):
        _remove(aside) if folder.exists() else aside.rename(folder)
    if is_only_a_checkpoint(unfinished):
        _remove(unfinished)


def is_only_a_checkpoint(folder: Path) -> bool:
    """Whether nothing lies in a folder that `write_checkpoint` has not put there. Nothing else is ever removed."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    return all(path.name in (ARRAYS, PAGE) and path.is_file() for path in folder.iterdir())


def _remove(folder: Path) -> None:
    for name in (ARRAYS, PAGE):
        (folder / name).unlink(missing_ok=True)
    folder.rmdir()


def seal(page: dict[str, Any]) -> str:
    """A checksum of all that a page says."""
    said = {name: value for name, value in page.items() if name != "seal"}
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()
