"""What a person sees while waiting, on standard error."""

import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

COLUMNS = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()


def status(what: str) -> Any:
    """What is going on, for as long as it does."""
    return Console(stderr=True).status(what)


@contextlib.contextmanager
def progress_bar(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar that is told how much is done."""
    with _bar(what, total) as update:
        yield lambda done: update(completed=done)


@contextlib.contextmanager
def training_bar(updates: int, name: str = "training") -> Iterator[Callable[[str, dict[str, Any]], None]]:
    """A bar with success and speed, that listens to a run."""
    with _bar(name, updates) as update:

        def listen(journal: str, line: dict[str, Any]) -> None:
            if journal == "metrics":
                success = " ".join(f"{share:.3f}" for share in line["success"])
                words = f"{name}: success {success}  {line['steps_per_second']:,.0f} steps/s"
                update(completed=line["update"], description=words)

        yield listen


@contextlib.contextmanager
def _bar(what: str, total: int) -> Iterator[Callable[..., None]]:
    with Progress(*COLUMNS, console=Console(stderr=True), transient=True) as progress:
        yield partial(progress.update, progress.add_task(what, total=total))
