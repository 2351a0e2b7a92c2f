"""A reader who types what a page shows."""

import contextlib
import importlib
import io
import re
import runpy
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import metadata
from unittest.mock import patch

import pytest
from cli.command import cofca, served
from compiled import forget_if_many

from cofca.cli.entry import parsed
from docs.pages import ROOT, Command
from docs.reductions import changed, reduction_of

PATIENCE = 300
"""Seconds for a command. With what it compiles on disk each takes a few; a busy machine that has compiled nothing yet
takes a minute for some, and for those of `make soak`, whose programs are optimised, minutes."""


def follow(command: Command, soak: bool) -> None:
    """Run a command, reduced; its exit code, and what it prints if the page says so, are as they should be."""
    words, reduction = command.words, reduction_of(" ".join(command.words))
    if not understood(command) or command.is_a_name:
        return
    if reduction.soak and not soak:
        return
    for option, value in reduction.options.items():
        words = changed(words, option, value)
    with within(3 * PATIENCE if soak else PATIENCE), patch("sys.stdin", io.StringIO(reduction.typed)):
        code, printed = _make(words, soak) if words[0] == "make" else PROGRAMS[words[0]](words)
    forget_if_many()
    assert code == reduction.code, f"{' '.join(words)}: exit code {code}"
    if command.output is not None:
        assert printed == command.output


def understood(command: Command) -> bool:
    """Whether there are such verbs, names and options, all that are needed. A sentence may mention a beginning."""
    whole = command.words[0] != "cofca" or _is_whole(command.words)
    assert whole or command.in_a_sentence, f"{command.line}: something is missing"
    return whole


def _is_whole(words: list[str]) -> bool:
    """Whether it is a command, or only the beginning of one."""
    with contextlib.redirect_stderr(io.StringIO()) as said:
        try:
            parsed(words[1:])
        except SystemExit:
            assert "Missing" in said.getvalue(), said.getvalue()
            return False
    return True


@contextlib.contextmanager
def within(seconds: int) -> Iterator[None]:
    """Fail if it takes longer."""

    def late(*_: object) -> None:
        pytest.fail(f"not done after {seconds} seconds: reductions.py has to say how it is shortened")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _cofca(words: list[str]) -> tuple[int, str]:
    if words[1] == "view":
        return _served(tuple(words[1:])), ""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        return cofca(*words[1:]), printed.getvalue()


@cache
def _served(words: tuple[str, ...]) -> int:
    """Look at the server's page."""
    with served(*words):
        return 0


def _make(words: list[str], soak: bool) -> tuple[int, str]:
    """What a target would do; of that, what is ours is done. Setting up, checks and tests are what brought us here."""
    told = subprocess.run(["make", "--dry-run", *words[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    for line in told.stdout.splitlines():
        if line.startswith(".venv/bin/cofca"):
            follow(Command(line), soak)
    return told.returncode, told.stdout


def _pip(words: list[str]) -> tuple[int, str]:
    """Nothing is installed while tests run; but what is to be installed exists."""
    known = set(metadata("cofca").get_all("Provides-Extra") or ())
    extras = re.findall(r"(?:cofca|\.)\[([\w,]+)\]", words[-1])
    return 0 if words[1] == "install" and extras and set(extras[0].split(",")) <= known else 1, ""


def _python(words: list[str]) -> tuple[int, str]:
    """An example or a module, in this process."""
    for example, library in {"torch": "torch", "clone": "minari", "rejax": "rejax"}.items():
        if example in words[1]:
            pytest.importorskip(library)
    with patch("sys.argv", words[1:]), contextlib.redirect_stdout(io.StringIO()) as printed:
        if words[1] == "-m":
            sys.argv = words[2:]
            importlib.import_module(words[2]).main()
        else:
            runpy.run_path(str(ROOT / words[1]), run_name="__main__")
    return 0, printed.getvalue()


PROGRAMS = {"cofca": _cofca, "pip": _pip, "python": _python}
