"""Streams that are closed or know few letters, and texts that a terminal would obey."""

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.command import Capture, cofca, lines_of
from cofca.cli.streams import PlainFormatter, plain

RED = "\x1b[31mred\x1b]0;title\x07\u202e"


@pytest.mark.parametrize(
    "words", [("levels", RED), ("evaluate", RED), ("levels", "minecraft", RED), ("follow", "--instruction", RED)]
)
def test_a_terminal_obeys_nothing_that_was_typed(capsys: Capture, words: tuple[str, ...]) -> None:
    assert cofca(*words) == 2
    said = capsys.readouterr().err
    assert "red" in said
    assert said.removesuffix("\n").isprintable()


def test_names_of_files_are_printed_without_control_characters(tmp_path: Path) -> None:
    assert plain(tmp_path / RED) == f"{tmp_path}/\\x1b[31mred\\x1b]0;title\\x07\\u202e"
    assert plain("Grüße, 世界") == "Grüße, 世界"
    assert plain(os.fsdecode(b"\xff\n")) == "\\udcff\\n"
    warning = logging.LogRecord("x", logging.WARNING, "", 0, "%s: damaged\nand more", (RED,), None)
    assert PlainFormatter().format(warning) == f"{plain(RED)}: damaged\nand more"


def test_help_is_printed_where_there_are_few_letters() -> None:
    few = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "cofca", "train", "--help"]
    done = subprocess.run(command, env=few, capture_output=True, check=False)
    assert (done.returncode, lines_of(done.stderr.decode())) == (0, [])
    assert b"paper-strict" in done.stdout


def test_what_is_said_on_a_closed_stream_goes_nowhere() -> None:
    code = """
import os, sys
from cofca.cli.streams import prepare_streams
prepare_streams()
print("a message", file=sys.stderr)
os.write(2, b"of compiled code")
print(open("/etc/hostname").fileno() > 2)
"""
    done = subprocess.run(
        ["bash", "-c", f"exec {sys.executable} -c '{code}' 2>&- <&-"], capture_output=True, check=True
    )
    assert done.stdout == b"True\n"


@pytest.mark.parametrize(
    "line",
    [
        "view --agent A --agent B",
        "train minecraft-length --out x --set a=1 --set b=2",
        "evaluate x --level-seed 1 --level_seed=2",
    ],
)
def test_an_option_that_is_given_twice_is_refused(capsys: Capture, line: str) -> None:
    assert cofca(*line.split()) == 2
    said = capsys.readouterr().err
    assert "is given twice; where it takes several values, they follow it" in said
    assert said.count("\n") == 1
