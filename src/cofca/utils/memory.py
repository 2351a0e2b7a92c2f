"""Memory on a CPU: what a compiled program gives back is wanted again at its next call."""

import ctypes
from contextlib import suppress
from functools import cache

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""Parameters of glibc's `mallopt`."""
KEPT = 2**30
"""Bytes. Smaller buffers come from memory that the process keeps."""


@cache
def keep_memory() -> None:
    """Let the process keep the memory that it frees.

    By default glibc returns every large buffer to the system at once. Its pages are then cleared again, one by one, at
    the next call of the program: a sixth of the time of training."""
    # Other systems have no `mallopt`.
    with suppress(AttributeError, OSError, TypeError):
        tune = ctypes.CDLL(None).mallopt
        tune(MMAP_THRESHOLD, KEPT)
        tune(TRIM_THRESHOLD, KEPT)
