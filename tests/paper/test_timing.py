"""results/TIMING.json: written by several at once, and read from journals that were interrupted."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from cofca.paper.timing import TIMING, Stopwatch, Timing, journal_seconds, read_timings, write_timing
from cofca.runs.config import RunConfig

ONE = Timing("tuned", "minecraft-length", "olsk", "full", ["minecraft-jump"], 4, 70, "abacus", 9.0, 1.0, 5.0, 1.0, 2.0)


def test_many_who_write_at_once_lose_nothing(tmp_path: Path):
    timings = [replace(ONE, agent=f"agent-{number:02}") for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda timing: write_timing(tmp_path, timing), timings))
    assert read_timings(tmp_path) == timings


def test_a_job_that_is_done_again_replaces_its_timing(tmp_path: Path):
    write_timing(tmp_path, ONE)
    write_timing(tmp_path, replace(ONE, preset="paper"))
    write_timing(tmp_path, replace(ONE, seconds=11.0))
    assert read_timings(tmp_path) == [replace(ONE, preset="paper"), replace(ONE, seconds=11.0)]


def test_what_is_no_timing_is_refused_in_one_line_and_kept(tmp_path: Path):
    (tmp_path / TIMING).write_text('{"jobs": [{"preset": "tuned"}]}')
    with pytest.raises(ValueError, match=r"TIMING\.json: not the timing of jobs"):
        write_timing(tmp_path, ONE)
    assert "tuned" in (tmp_path / TIMING).read_text()


def test_journals_tell_how_long_a_run_trained_before_it_was_interrupted(tmp_path: Path):
    config = RunConfig("minecraft-length", "olsk", seeds=2)
    steps = 2 * config.ppo.batch * config.ppo.updates_per_pool
    assert journal_seconds(tmp_path, config) == (0, 0)
    (tmp_path / "metrics.jsonl").write_text(f'{{"steps_per_second": {steps / 3}}}\n' * 2 + '{"steps_per')
    (tmp_path / "evaluations.jsonl").write_text('{"seconds": 1.5}\n{}\n[]\n')
    assert journal_seconds(tmp_path, config) == (pytest.approx(6.0), 1.5)


def test_a_stopwatch_knows_its_parts():
    watch = Stopwatch()
    with watch.part("compiling"):
        pass
    assert 0 <= watch.parts["compiling"] <= watch.seconds
