"""What a person sees while waiting, on standard error."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

COLUMNS = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()


def status(what: str, in_a_pipe: bool = True) -> Any:
    """What is going on, for as long as it does; where there is no terminal, once, as a line, or not at all."""
    console = Console(stderr=True)
    if console.is_terminal:
        return console.status(what)
    if in_a_pipe:
        print(what, file=sys.stderr, flush=True)
    return contextlib.nullcontext()


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
    console = Console(stderr=True)
    if not console.is_terminal:
        print(what.strip(), file=sys.stderr, flush=True)
    with Progress(*COLUMNS, console=console, transient=True) as progress:
        yield partial(progress.update, progress.add_task(what, total=total))
