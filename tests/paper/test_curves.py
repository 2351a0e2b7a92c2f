"""Training curves from journals, on fresh levels and with replays."""

import json
from pathlib import Path

import pytest

from cofca.paper.curves import curve_with_replays, training_curve
from cofca.paper.results import Curve

LINE = {"steps": 100, "success": [0.5, 1.0], "gate": [0.0, 0.0], "episodes": [4, 0]}
REPLAYS = {"replayed": [4, 0], "replayed_successes": [1, 0]}


def journal(folder: Path, *lines: dict) -> Path:
    (folder / "metrics.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return folder


def test_replays_count_as_other_episodes_do(tmp_path: Path):
    folder = journal(tmp_path, {**LINE, **REPLAYS}, {**LINE, **REPLAYS, "steps": 200, "replayed_successes": [4, 0]})
    assert training_curve(folder, 0) == ([100, 200], [0.5, 0.5])
    assert curve_with_replays(folder, 0) == Curve([100, 200], [3 / 8, 6 / 8])
    assert curve_with_replays(folder, 1) == Curve([100, 200], [0.0, 0.0])


def test_journals_from_before_replays_were_counted_have_no_such_curve(tmp_path: Path):
    assert curve_with_replays(journal(tmp_path, LINE, {**LINE, **REPLAYS}), 0) is None


def test_a_seed_that_is_missing_is_named(tmp_path: Path):
    folder = journal(tmp_path, {**LINE, **REPLAYS, "replayed": [4]})
    with pytest.raises(ValueError, match="seed 1 is missing"):
        curve_with_replays(folder, 1)
