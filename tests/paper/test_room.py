"""How many jobs a machine has room for, with made-up cards, and the service that shares a card, with a made-up one."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jax
import pytest

from cofca.cli.job_table import Lines, table
from cofca.paper.grid import paper_experiments, plan
from cofca.paper.job_status import JobStatus, seconds_left
from cofca.paper.launchers import room
from cofca.paper.scales import SCALES

CARD = 60 * 2**30


def on(monkeypatch: pytest.MonkeyPatch, platform: str, memory: int | None, cores: int) -> int:
    stats = None if memory is None else {"bytes_limit": memory}
    device = SimpleNamespace(platform=platform, memory_stats=lambda: stats)
    monkeypatch.setattr(jax, "devices", lambda: [device])
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    return room.jobs_at_once()


@pytest.mark.parametrize(
    ("platform", "memory", "cores", "jobs"),
    [
        ("cpu", None, 64, 1),
        ("tpu", CARD, 64, 1),
        ("gpu", CARD, 64, 7),
        ("gpu", 2 * CARD, 64, room.MOST),
        ("gpu", 2 * CARD, 8, 4),
        ("gpu", 2**30, 64, 1),
        ("gpu", None, 64, 1),
        ("gpu", CARD, 1, 1),
    ],
)
def test_there_is_room_by_memory_and_cores(
    monkeypatch: pytest.MonkeyPatch, platform: str, memory: int | None, cores: int, jobs: int
):
    assert on(monkeypatch, platform, memory, cores) == jobs


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that writes down how it was called; the folder it lies in."""
    control = tmp_path / room.CONTROL
    control.write_text(f'#!/bin/sh\necho "$@ $(cat) $CUDA_MPS_PIPE_DIRECTORY" >> {tmp_path}/called\n')
    control.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.delenv(room.PIPE, raising=False)
    monkeypatch.setattr(room, "USUAL", str(tmp_path / "control-of-others"))
    return tmp_path


def told(service: Path) -> list[list[str]]:
    path = service / "called"
    return [line.split() for line in path.read_text().splitlines()] if path.exists() else []


def test_the_service_runs_while_jobs_do(service: Path):
    with room.shared_card():
        own = os.environ[room.PIPE]
        assert Path(own).is_dir()
        # Processes that start now find it.
        assert subprocess.run([sys.executable, "-c", f"import os; assert os.environ['{room.PIPE}']"]).returncode == 0
    assert room.PIPE not in os.environ
    assert not Path(own).exists()
    assert told(service) == [["-d", own], ["quit", own]]


def test_the_service_ends_when_the_grid_fails(service: Path):
    with pytest.raises(ZeroDivisionError), room.shared_card():
        raise ZeroDivisionError
    assert [words[0] for words in told(service)] == ["-d", "quit"]


def test_the_service_of_others_is_used_and_stays(service: Path, monkeypatch: pytest.MonkeyPatch):
    Path(room.USUAL).touch()
    with room.shared_card():
        assert room.PIPE not in os.environ
    Path(room.USUAL).unlink()
    monkeypatch.setenv(room.PIPE, "theirs")
    with room.shared_card():
        assert os.environ[room.PIPE] == "theirs"
    assert told(service) == []


def test_without_the_service_jobs_go_on(service: Path, capsys: pytest.CaptureFixture[str]):
    (service / room.CONTROL).write_text("#!/bin/sh\nexit 1\n")
    with room.shared_card():
        assert room.PIPE not in os.environ
    assert capsys.readouterr().err == "jobs use the GPU by turns: its Multi-Process Service does not start\n"


def test_lengths_come_first():
    names = paper_experiments()
    assert set(names[:3]) == {"minecraft-length", "minecraft-jump", "starcraft-length"}
    assert len(set(names)) == 6


def statuses() -> list[JobStatus]:
    """One job trains, one waits, one has trained and is evaluated."""
    first, second, third = plan(["minecraft-length"], ["cofca-s", "cofca", "olsk"], 4, SCALES["full"], "planner")
    half = first.config.updates // 2
    return [
        JobStatus(first, "here", half, 1e6, (0.5,) * 4),
        JobStatus(second, None, 0, 0.0, ()),
        JobStatus(third, "here", third.config.updates, 5e6, (0.9,) * 4),
    ]


def test_time_left_is_that_of_all_jobs_at_the_speed_of_those_that_train():
    jobs = statuses()
    whole = jobs[0].job.config.updates * jobs[0].job.config.ppo.batch * 4
    assert jobs[0].steps_left == pytest.approx(whole / 2, rel=1e-3)
    assert seconds_left(jobs) == pytest.approx(1.5 * whole / 1e6, rel=1e-3)
    assert seconds_left(jobs[:1]) == pytest.approx(0.5 * whole / 1e6, rel=1e-3)
    assert seconds_left(jobs[1:2]) is None
    assert seconds_left(jobs[2:]) is None


def test_the_table_and_the_lines_say_it(capsys: Any):
    jobs = statuses()
    rows = table(jobs)
    assert rows.row_count == 3
    assert rows.caption == "0:07:00 of training left"
    assert list(rows.columns[4].cells) == ["0:02:20 left", "", ""]
    assert list(rows.columns[1].cells) == ["here", "waiting", "here"]
    Lines().show(jobs)
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert said[0].endswith("0:02:20 left; all jobs: 0:07:00 left")
