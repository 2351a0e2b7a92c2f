"""SIGTERM, by which clusters announce that a machine is taken away: there is time to save."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

EXIT_CODE = 75
"""Of a process that saved and stopped: the system's "temporary failure, try again"."""


class PreemptedError(RuntimeError):
    """Training was told to stop, and what it had done is saved."""


@contextmanager
def heeding_preemption() -> Iterator[Callable[[], bool]]:
    """While this lasts SIGTERM does not end the process; what is yielded tells whether it came."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        # Only the main thread may say what happens on a signal.
        yield asked.is_set
        return
    before = signal.signal(signal.SIGTERM, lambda number, frame: asked.set())
    try:
        yield asked.is_set
    finally:
        signal.signal(signal.SIGTERM, before)
