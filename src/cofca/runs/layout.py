"""What lies in a run's folder, by name. A run writes, renames and removes nothing else, and follows no links.

config.json · metrics.jsonl · evaluations.jsonl · checkpoints/UPDATE/ (the last few) · final/seedN/ (weights)
"""

import re
import stat
from collections.abc import Iterator
from pathlib import Path

from cofca.runs.page import ARRAYS, OLD, PAGE, tidy
from cofca.utils.files import WRITING

CONFIG, LOCK, CHECKPOINTS, FINAL = "config.json", ".lock", "checkpoints", "final"
JOURNALS = ("metrics", "evaluations")
STARTING = (LOCK, WRITING + CONFIG)
"""What a run that was killed while it started may have left."""
UNLOOKED = ("wandb",)
"""Folders of other people's programs, which have links of their own."""
DAMAGED = "damaged-"
"""What checkpoints are called that turned out to be damaged."""
MOST_NAMED = 5


def require_new(folder: Path) -> None:
    """Refuse to start a run among anything else."""
    if (folder / CONFIG).exists():
        raise ValueError(f"{folder}: there is a run already; --resume continues it")
    there = folder.iterdir() if folder.exists() else ()
    found = sorted(path.name + "/" * path.is_dir() for path in there if path.name not in STARTING)
    if found:
        more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
        named = ", ".join(map(repr, found[:MOST_NAMED]))
        raise ValueError(f"{folder}: a run starts in a new or empty folder; here is {named}{more}")


def require_no_links(folder: Path) -> None:
    """Refuse a folder with a way out of it."""
    for path in _below(folder):
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            raise ValueError(f"{path}: is a link; a run's folder must not have any")
        if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
            raise ValueError(f"{path}: is neither a file nor a folder")


def _below(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        yield path
        if path.name not in UNLOOKED and path.is_dir() and not path.is_symlink():
            yield from _below(path)


def checkpoint_path(folder: Path, update: int) -> Path:
    """Where the checkpoint of an update lies."""
    return folder / CHECKPOINTS / f"{update:08}"


def saved_checkpoints(folder: Path) -> list[Path]:
    """The run's checkpoints, the oldest first; whatever else has a number for a name is somebody else's."""
    found = [path for path in _named(folder, "") if (path / ARRAYS).exists() or (path / PAGE).exists()]
    return sorted(found, key=lambda path: int(path.name))


def tidy_checkpoints(folder: Path) -> None:
    """Clear up what a killed process left."""
    for prefix in (OLD, WRITING):
        for path in _named(folder, prefix):
            tidy(path.with_name(path.name.removeprefix(prefix)))


def set_aside(checkpoint: Path) -> None:
    """Keep a damaged checkpoint where nobody takes it for one."""
    name, number = DAMAGED + checkpoint.name, 1
    while (free := checkpoint.with_name(name)).exists():
        number += 1
        name = f"{DAMAGED}{checkpoint.name}-{number}"
    checkpoint.rename(free)


def _named(folder: Path, prefix: str) -> list[Path]:
    pattern = re.compile(re.escape(prefix) + r"[0-9]{8,}")
    there = folder / CHECKPOINTS
    return [path for path in there.iterdir() if pattern.fullmatch(path.name)] if there.is_dir() else []
