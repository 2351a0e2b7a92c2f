"""`cofca reproduce --jobs 2`: several jobs at a time, each in a process of its own."""

import os
import signal
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from cli.command import Capture, cofca
from experiments.tiny import SEEDS

from cofca.paper.grid import plan
from cofca.paper.launchers import processes
from cofca.paper.results import read_results
from cofca.paper.scales import SCALES
from cofca.runs.preemption import EXIT_CODE
from paper.in_process import MOMENT, SAVED, die_of_olsk, save_when_told, say_much, train_a_moment
from paper.test_grid import OTHER, SMALL, done, small  # noqa: F401  fixtures

AGENTS = ("cofca-s", "olsk")


@pytest.fixture
def jobs_by(monkeypatch: pytest.MonkeyPatch) -> Callable[[processes.Work], None]:
    """Says what processes do, all from the start."""
    whole = processes.carry_out
    return lambda by: monkeypatch.setattr(processes, "carry_out", partial(whole, by=by, head_start=0))


def reproduce(folder: Path) -> int:
    where = ["--runs", str(folder / "runs"), "--results", str(folder / "results"), "--jobs", "2"]
    names = ["reproduce", SMALL.name, OTHER.name, "--agents", *AGENTS, "--seeds", str(SEEDS), "--scale", "tiny"]
    return cofca(*names, *where)


@pytest.mark.soak
def test_results_are_those_of_one_job_after_another_and_a_process_that_dies_is_told_of(
    done: Path,  # noqa: F811
    tmp_path: Path,
    jobs_by: Callable[[processes.Work], None],
    capsys: Capture,
):
    jobs_by(die_of_olsk)
    assert reproduce(tmp_path) == 1
    said = capsys.readouterr().err
    assert f"{SMALL.name}/olsk failed: its process ended with exit code 9" in said
    assert f"{SMALL.name}/cofca-s finished" in said
    assert f"{SMALL.name}/cofca-s on here" in said
    assert read_results(tmp_path / "results") == read_results(done / "results")

    assert reproduce(tmp_path) == 1
    assert f"{SMALL.name}/cofca-s skipped" in capsys.readouterr().err


def test_sigterm_lets_all_of_them_save(tmp_path: Path, jobs_by: Callable[[processes.Work], None]):
    jobs_by(save_when_told)
    folders = [tmp_path / "runs" / SMALL.name / agent for agent in AGENTS]

    def tell() -> None:
        while not all((folder / "begun").exists() for folder in folders):
            time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=tell, daemon=True).start()
    assert reproduce(tmp_path) == EXIT_CODE
    assert all((folder / SAVED).exists() for folder in folders)


def test_a_long_reason_is_heard_to_its_end(tmp_path: Path, jobs_by: Callable[[processes.Work], None], capsys: Capture):
    jobs_by(say_much)
    assert reproduce(tmp_path) == 1
    assert capsys.readouterr().err.count("failed: " + 1000 * "x") == len(AGENTS)


def test_a_job_starts_when_the_one_before_trains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(processes, "carry_out", partial(processes.carry_out, by=train_a_moment, head_start=300))
    assert reproduce(tmp_path) == 1
    first, second = (tmp_path / "runs" / SMALL.name / agent / "metrics.jsonl" for agent in AGENTS)
    assert second.stat().st_mtime > first.stat().st_mtime + MOMENT


def test_a_job_is_under_way_when_it_trains_or_has_had_its_time(tmp_path: Path):
    (job,) = plan([SMALL.name], ["cofca-s"], SEEDS, SCALES["tiny"], "planner")
    journal = tmp_path / job.name / "metrics.jsonl"
    journal.parent.mkdir(parents=True)
    journal.write_text("{}\n")  # of an earlier process
    os.utime(journal, (0, 0))
    hand = processes.Hand(job, tmp_path, tmp_path, say_much)
    assert hand.is_under_way(0)
    assert not hand.is_under_way(300)
    journal.write_text("{}\n")
    assert hand.is_under_way(300)
    assert hand.outcome().status == "failed"


def test_a_cluster_is_not_told_how_many_jobs_at_a_time(capsys: Capture):
    assert cofca("reproduce", "--on", "ray", "--jobs", "2") == 2
    assert "--jobs is for this machine" in capsys.readouterr().err
