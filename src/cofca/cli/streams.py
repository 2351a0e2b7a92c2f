"""Standard streams, however the program was started, and what may be written to them."""

import logging
import os
import sys


def prepare_streams() -> None:
    """Streams that are closed lead nowhere, and letters that a stream has no code for are written as escapes."""
    # Whatever is opened next would get the number of a closed stream, and then the messages of compiled code.
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(number)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - as long as the process
        getattr(sys, name).reconfigure(errors="backslashreplace")
    if logging.lastResort:
        logging.lastResort.setFormatter(PlainFormatter())


def plain(text: object) -> str:
    """A text without control characters, which names of files may have, and which a terminal would obey."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in str(text))


class PlainFormatter(logging.Formatter):
    """Warnings without control characters."""

    def format(self, record: logging.LogRecord) -> str:
        """Line by line."""
        return "\n".join(map(plain, super().format(record).split("\n")))
