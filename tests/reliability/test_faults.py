"""What happens to a run when machines fail. The table of it is in docs/reliability.md."""

import errno
import json
import logging
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from experiments.small import small_agents
from experiments.tiny import POOLS
from runs.small_runs import after, checkpoints, metrics_of, new
from runs.test_checkpoint import same

from cofca.cli.entry import main
from cofca.cli.train import Train
from cofca.runs.lock import FolderLock
from cofca.runs.page import ARRAYS, PAGE
from cofca.runs.preemption import EXIT_CODE, PreemptedError
from cofca.runs.run import Run
from reliability.processes import started
from reliability.tiny_run import tiny_run


def finishes_as_if_nothing_had_happened(folder: Path, whole: Run) -> None:
    run = new(folder, resume=True)
    run.train()
    assert same(run.learners, whole.learners)
    assert metrics_of(folder) == metrics_of(whole.folder)


# Damaged checkpoints


def cut_short(path: Path, chance: random.Random) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: chance.randrange(len(data))])


def flip_a_bit(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("file", [ARRAYS, PAGE])
@pytest.mark.parametrize("damage", [cut_short, flip_a_bit])
def test_of_a_damaged_checkpoint_the_one_before_is_used_and_the_user_told(
    copy: Path, file: str, damage: Callable[[Path, random.Random], None], seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    newest = copy / "checkpoints" / "00000004"
    damage(newest / file, random.Random(seed))
    with caplog.at_level(logging.WARNING):
        assert new(copy, resume=True).update == 2
    (told,) = caplog.messages
    assert told.startswith(f"{newest}: ")
    assert told.endswith("; going on from 00000002")
    assert "\n" not in told
    # Nothing is thrown away, and nobody takes it for a checkpoint again.
    assert checkpoints(copy) == ["00000000", "00000002", "damaged-00000004"]


@pytest.mark.bits
def test_a_run_with_a_damaged_checkpoint_ends_as_if_nothing_had_happened(copy: Path, whole: Run) -> None:
    flip_a_bit(copy / "checkpoints" / "00000004" / ARRAYS, random.Random(5))
    finishes_as_if_nothing_had_happened(copy, whole)


def test_two_damaged_checkpoints_are_passed_over_and_three_are_refused(copy: Path) -> None:
    for name in ("00000004", "00000002"):
        cut_short(copy / "checkpoints" / name / ARRAYS, random.Random(1))
    run = new(copy, resume=True)
    assert run.update == 0
    run.lock.release()
    cut_short(copy / "checkpoints" / "00000000" / ARRAYS, random.Random(1))
    with pytest.raises(ValueError, match=r"00000000: damaged checkpoint: .*; there is no older one$"):
        new(copy, resume=True)


def test_who_goes_on_with_other_versions_is_told_so(copy: Path, caplog: pytest.LogCaptureFixture) -> None:
    page = json.loads((copy / "config.json").read_text())
    page["versions"]["jax"] = "0.0.1"
    (copy / "config.json").write_text(json.dumps(page))
    with caplog.at_level(logging.WARNING):
        new(copy, resume=True)
    (told,) = caplog.messages
    assert told.startswith(f"{copy}: begun with jax 0.0.1, which is ")
    assert told.endswith(" now: it may not end as it would have, bit for bit")


# One process at a time


def test_a_second_process_in_the_same_folder_is_refused(copy: Path) -> None:
    code = "import sys, time; from pathlib import Path; from cofca.runs.lock import FolderLock"
    hold = f"{code}; lock = FolderLock(Path(sys.argv[1])); print(flush=True); time.sleep(600)"
    with subprocess.Popen([sys.executable, "-c", hold, copy], stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        holder.stdout.readline()
        before = metrics_of(copy)
        with pytest.raises(ValueError, match=rf"^{copy}: another process \({holder.pid} on .*\) is training here$"):
            new(copy, resume=True)
        assert metrics_of(copy) == before
        holder.kill()
    # Whoever is killed holds nothing.
    assert new(copy, resume=True).update == 4


def test_a_run_lets_others_in_when_it_ends_however_that_is(copy: Path, whole: Run) -> None:
    with pytest.raises(KeyboardInterrupt):
        new(copy, resume=True).train([after(3)])
    FolderLock(copy).release()
    with pytest.raises(ValueError, match="another configuration"):
        new(copy, resume=True, config=whole.config.__class__("starcraft-length", "cofca"))
    FolderLock(copy).release()
    finishes_as_if_nothing_had_happened(copy, whole)
    FolderLock(copy).release()


# Preemption


def test_sigterm_saves_and_stops(tmp_path: Path, whole: Run) -> None:
    def terminate(name: str, line: dict[str, Any]) -> None:
        if line["update"] == 6:
            os.kill(os.getpid(), signal.SIGTERM)

    run = new(tmp_path / "run")
    run.config = run.config.__class__(**{**vars(run.config), "checkpoint_minutes": 1e6})
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(PreemptedError, match=r"stopped by a signal; saved after update 6, --resume continues$"):
        run.train([terminate])
    assert signal.getsignal(signal.SIGTERM) == before
    assert checkpoints(tmp_path / "run") == ["00000000", "00000006"]


@pytest.mark.bits
def test_a_run_that_was_told_to_stop_ends_as_if_nothing_had_happened(tmp_path: Path, whole: Run) -> None:
    def terminate(name: str, line: dict[str, Any]) -> None:
        if line["update"] == 4:
            os.kill(os.getpid(), signal.SIGTERM)

    with pytest.raises(PreemptedError):
        new(tmp_path / "run").train([terminate])
    finishes_as_if_nothing_had_happened(tmp_path / "run", whole)


def test_the_process_then_ends_with_a_code_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def stopped(self: Train) -> int:
        raise PreemptedError("saved")

    monkeypatch.setattr(Train, "run", stopped)
    with pytest.raises(SystemExit) as ended:
        main(["train", "starcraft-length", "--out", str(tmp_path)])
    assert ended.value.code == EXIT_CODE not in (0, 1, 2, 130)
    assert capsys.readouterr().err == "cofca: saved\n"


# Disks


@contextmanager
def no_room_for_more_than(size: int) -> Iterator[None]:
    """No file may grow beyond so many bytes: writing fails in the middle, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_stops_the_run_and_what_was_saved_is_whole(copy: Path, whole: Run) -> None:
    run = new(copy, resume=True)
    with pytest.raises(OSError, match=os.strerror(errno.EFBIG)), no_room_for_more_than(50_000):
        run.train()
    assert checkpoints(copy) == ["00000000", "00000002", "00000004"]
    finishes_as_if_nothing_had_happened(copy, whole)


def test_a_folder_that_cant_be_written_to_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Before anything is compiled, and the agents of the paper take their time too.
    monkeypatch.setattr("cofca.runs.run.compile_program", None)
    small_agents(monkeypatch)
    with pytest.raises(SystemExit) as ended:
        main(["train", "starcraft-length", "--out", "/sys/nobody-writes-here/run"])
    assert ended.value.code == 2
    said = capsys.readouterr().err.splitlines()
    assert said[-1].startswith("cofca: ")
    assert "/sys/nobody-writes-here" in said[-1]
    assert not any("Traceback" in line for line in said)


# Killed at any moment


def killed_again_and_again(folder: Path, kills: int, pools: int, chance: random.Random) -> None:
    """Some while it starts, most while it trains and saves; then it is left alone."""
    for number in range(kills):
        with started(folder, pools) as run:
            assert run.stdout
            if number % 10:
                assert run.stdout.readline(), "it ended before it was killed"
            time.sleep(chance.uniform(0, 0.3))
            run.kill()
    with started(folder, pools) as run:
        assert run.wait() == 0


def survives(tmp_path: Path, kills: int, pools: int) -> None:
    tiny_run(tmp_path / "whole", pools).train()
    killed_again_and_again(tmp_path / "killed", kills, pools, random.Random(kills))
    assert metrics_of(tmp_path / "killed") == metrics_of(tmp_path / "whole")
    for name in ("seed0", "seed1"):
        files = [tmp_path / run / "final" / name / ARRAYS for run in ("killed", "whole")]
        assert files[0].read_bytes() == files[1].read_bytes()


def test_a_run_that_is_killed_ends_as_if_nothing_had_happened(tmp_path: Path) -> None:
    survives(tmp_path, kills=2, pools=5 * POOLS)


@pytest.mark.soak
def test_fifty_kills(tmp_path: Path) -> None:
    survives(tmp_path, kills=50, pools=1500)
