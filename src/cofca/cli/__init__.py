"""The command line: a file for each subcommand, each a few lines that call the rooms of the library."""

import contextlib
import os
import signal
import sys

from cofca.cli.interrupts import INTERRUPTED, end_after_ctrl_c
from cofca.cli.numbers import read_number, read_range
from cofca.cli.streams import prepare_streams

__all__ = ["main", "read_number", "read_range"]


def main() -> None:
    """Be the command line of this process."""
    prepare_streams()
    # Until a subcommand is at work nothing has to be cleaned up: Ctrl C just ends the process.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    end_after_ctrl_c()
    from cofca.cli.entry import main

    try:
        main()
    except SystemExit as stop:
        if stop.code == INTERRUPTED:
            # Threads of JAX may still be computing: nobody wants to wait for them, and an ordinary exit is a crash.
            with contextlib.suppress(OSError):
                sys.stdout.flush()
            os._exit(INTERRUPTED)
        raise
