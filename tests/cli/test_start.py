"""From the first letter on the screen to Ctrl C."""

import os
import pty
import select
import signal
import subprocess
import sys
import time

import pytest

from cli.command import Capture, lines_of
from cofca.cli import progress
from cofca.cli.progress import status


def test_what_is_typed_is_understood_before_jax_is_imported() -> None:
    """That takes seconds on a busy machine, and nobody waits for help that long."""
    code = "import sys, cofca.cli.entry as entry; entry.parsed(['train', '--out', 'x']); print('jax' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_on_a_terminal_something_is_seen_before_jax_is_imported() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-X", "importtime", "-m", "cofca", "levels", "starcraft"]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        said = b""
        while b"starting" not in said:
            assert select.select([ours], [], [], 60)[0]
            said += os.read(ours, 10_000)
        process.kill()
    os.close(ours)
    assert b" jax\r\n" not in said.partition(b"starting")[0]


@pytest.mark.parametrize("seconds", [0.3, 0.6, 1.0, 3.0])
def test_ctrl_c_ends_it_without_a_word(seconds: float) -> None:
    """While Python imports, while JAX does, and while levels are made."""
    command = [sys.executable, "-m", "cofca", "levels", "minecraft", "--count", "2M"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(seconds)
        process.send_signal(signal.SIGINT)
        try:
            _, said = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode in (-signal.SIGINT, 130)
    assert lines_of(said) in ([], ["making levels"])


@pytest.mark.parametrize("busy", ["hashlib.pbkdf2_hmac('sha256', b'a', b'b', 2**31 - 1)", "time.sleep(60)"])
def test_ctrl_c_ends_also_who_does_not_listen(busy: str) -> None:
    """One long step of compiled code, and one of Python's own; what Ctrl C raises gets lost."""
    code = f"""
import hashlib, signal, time
from cofca.cli.interrupts import end_after_ctrl_c
signal.signal(signal.SIGINT, lambda *_: None)
end_after_ctrl_c(0.5)
print("busy", flush=True)
{busy}
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"busy\n"
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(30) == 130
        finally:
            process.kill()


def test_ctrl_c_in_a_callback_ends_it_without_a_word() -> None:
    code = """
import signal
from cofca.cli.interrupts import end_after_ctrl_c
signal.signal(signal.SIGINT, signal.default_int_handler)
end_after_ctrl_c()
class Callback:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)
one = Callback()
del one
print("still here")
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout, found.stderr) == (130, "", "")


@pytest.mark.parametrize(("after", "said"), [(0.0, "waiting\n"), (60.0, ""), (None, "")])
def test_what_is_going_on_is_said_in_a_pipe_when_it_takes_long(capsys: Capture, after: float | None, said: str) -> None:
    with status("waiting", after=after):
        pass
    assert capsys.readouterr().err == said


def test_several_short_waits_are_one_long_wait(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is shorter than one would wait for a word, but not all of them together."""
    monkeypatch.setattr(progress, "PATIENCE", 0.5)
    with progress.silence.watched():
        for what in ("loading", "finding", "compiling"):
            with status(what, after=0.5):
                time.sleep(0.3)
    assert capsys.readouterr().err in ("loading\n", "finding\n", "compiling\n")


def test_who_has_seen_something_is_told_nothing_more(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.1)
    with progress.silence.watched():
        progress.seen()
        time.sleep(0.3)
    assert capsys.readouterr().err == ""


def test_a_verb_that_says_nothing_by_itself_is_said_to_start(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.1)
    with progress.silence.watched():
        time.sleep(0.3)
    assert capsys.readouterr().err == "starting\n"


def test_a_training_that_has_compiled_is_said_to_train(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in `cofca demo`, whose lines on a terminal are indented."""
    monkeypatch.setattr(progress, "EVERY", 0.0)
    with progress.training_bar(8_000, first="compiling", margin="   ") as listen:
        listen("metrics", {"steps": 4_000, "success": [0.5], "steps_per_second": 1_000})
    first, then, *_ = capsys.readouterr().err.splitlines()
    assert first == "compiling"
    assert then == "training: 4K of 8K steps, success 0.500, 1,000 steps/s, 0:00:04 left"


def test_help_is_read_by_who_reads_only_its_beginning() -> None:
    command = f"{sys.executable} -m cofca --help | head -1"
    found = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (found.stdout.count("\n"), lines_of(found.stderr)) == (1, [])
