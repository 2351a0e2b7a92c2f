"""JAX and forked processes, in which it waits for ever: its threads stay behind."""

import os
import sys
from multiprocessing import get_context

from gymnasium.vector import AsyncVectorEnv

PROCESS = os.getpid()
"""In which JAX was imported."""


def require_no_fork() -> None:
    """Refuse to work in a process that was forked, or whose environments are about to be."""
    if os.getpid() != PROCESS or _is_about_to_fork():
        raise RuntimeError(
            'JAX does not work in forked processes: use vectorization_mode="vector_entry_point", which is faster, '
            'or vector_kwargs={"context": "spawn"}'
        )


def _is_about_to_fork() -> bool:
    """Whether this is the environment that Gymnasium makes to see its spaces, before it forks for the others. An error
    in those would reach nobody."""
    frame = sys._getframe()
    while frame := frame.f_back:  # type: ignore[assignment]
        if frame.f_code is AsyncVectorEnv.__init__.__code__:
            return get_context(frame.f_locals["context"]).get_start_method() == "fork"
    return False
