"""What a person sees while waiting, on standard error."""

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn

from cofca.cli.numbers import short

TRAINING = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
COLUMNS = *TRAINING[:2], MofNCompleteColumn(), TRAINING[2]

EVERY = 10.0
"""Seconds between two lines of a training, where there is no terminal."""

PATIENCE = 1.5
"""Seconds before something is said of what is mostly over sooner, or ends with a mistake, which is told in one line."""


class Silence:
    """Before the first words all waits are one wait, however many things are done meanwhile."""

    broken = True
    """Whether something has been seen."""
    doing = "starting"

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """If nothing has been seen when patience ends, say what is being done then. A terminal has seen a spinner."""
        self.broken, self.doing = Console(stderr=True).is_terminal, "starting"
        # The parser's messages are caught meanwhile: this is none of them.
        with _after(PATIENCE, partial(self._end_of_patience, sys.stderr)):
            yield

    def _end_of_patience(self, stream: Any) -> None:
        if not self.broken:
            tell(self.doing, stream)


silence = Silence()


def seen() -> None:
    """A person has seen something."""
    silence.broken = True


def status(what: str, after: float | None = 0.0) -> Any:
    """What is going on, for as long as it does; where there is no terminal, once, as a line, if it goes on for so many
    seconds, or never."""
    console = Console(stderr=True)
    if console.is_terminal:
        return console.status(what)
    silence.doing = what
    if after == 0:
        tell(what)
    return _after(after, tell, what) if after and silence.broken else contextlib.nullcontext()


@contextlib.contextmanager
def _after(seconds: float, call: Callable[..., None], *args: str) -> Iterator[None]:
    timer = threading.Timer(seconds, call, args)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def tell(what: str, stream: Any = None) -> None:
    """A line on standard error."""
    seen()
    print(what, file=stream or sys.stderr, flush=True)


@contextlib.contextmanager
def progress_bar(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar that is told how much is done."""
    with _bar(what, total) as update:
        yield lambda done: update(completed=done)


@contextlib.contextmanager
def episodes_bar() -> Iterator[Callable[[int, int], None]]:
    """A bar that is told how many of how many episodes have been played."""
    with _bar("episodes played", None) as update:
        yield lambda done, total: update(completed=done, total=total)


@contextlib.contextmanager
def training_bar(
    steps: int, first: str = "training", margin: str = ""
) -> Iterator[Callable[[str, dict[str, Any]], None]]:
    """A bar with steps, success, speed and the time that is left, that listens to a run; where there is no terminal, a
    line every ten seconds. `first` is what is done before the run's first metrics."""
    with _bar(margin + first, steps, TRAINING) as update:
        told = time.monotonic()

        def listen(journal: str, line: dict[str, Any]) -> None:
            nonlocal told
            if journal != "metrics":
                return
            done = f"training: {how_far(line, steps)}"
            update(completed=line["steps"], description=margin + done)
            if not Console(stderr=True).is_terminal and (now := time.monotonic()) - told >= EVERY:
                told = now
                tell(f"{done}, {time_left(line, steps)} left")

        yield listen


def how_far(line: dict[str, Any], steps: int) -> str:
    """What a line of a run's metrics says, beside the steps of each seed in all."""
    success = " ".join(f"{share:.3f}" for share in line["success"])
    return f"{short(line['steps'])} of {short(steps)} steps, success {success}, {line['steps_per_second']:,.0f} steps/s"


def time_left(line: dict[str, Any], steps: int) -> timedelta:
    """As long as it takes at the speed of a line of metrics, which is that of all seeds together."""
    left = (steps - line["steps"]) * len(line["success"]) / line["steps_per_second"]
    return timedelta(seconds=round(left))


@contextlib.contextmanager
def _bar(what: str, total: int | None, columns: Sequence[ProgressColumn] = COLUMNS) -> Iterator[Callable[..., None]]:
    console = Console(stderr=True)
    if not console.is_terminal:
        tell(what.strip())
    with Progress(*columns, console=console, transient=True) as progress:
        yield partial(progress.update, progress.add_task(what, total=total))
