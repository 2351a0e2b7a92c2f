"""Ctrl C, when nobody in the main thread listens."""

import os
import signal
import socket
import sys
import threading
import time

INTERRUPTED = 130
PATIENCE = 5.0
"""Seconds in which a subcommand can clean up."""


def end_after_ctrl_c(patience: float = PATIENCE) -> None:
    """Watch for Ctrl C, and end the process if it is still there after a while.

    Python hears of a signal only between two of its own steps, and a compilation is one step for minutes. What is
    raised in a callback, such as JAX's of the garbage collector, reaches nobody: then it ends at once.
    """
    sys.unraisablehook = _unraisable
    heard, told = socket.socketpair()
    told.setblocking(False)
    signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    # Whoever holds a socket keeps it open: they last as long as the process.
    threading.Thread(target=_watch, args=(heard, told, patience), daemon=True).start()


def _unraisable(what: "sys.UnraisableHookArgs") -> None:
    if issubclass(what.exc_type, KeyboardInterrupt):
        os._exit(INTERRUPTED)
    sys.__unraisablehook__(what)


def _watch(heard: socket.socket, told: socket.socket, patience: float) -> None:
    while told.fileno() >= 0:
        if signal.SIGINT in heard.recv(64):
            time.sleep(patience)
            os._exit(INTERRUPTED)
