"""The demonstration, much shortened: what it writes, and that its figures are the measured ones."""

import json
import re
import sys
from pathlib import Path

import pytest

from cofca.cli.demo import typed_here
from cofca.experiments.weights import Trained
from cofca.viewer import demo
from cofca.viewer.record import LEAST


def test_the_report_holds_the_curve_the_scores_and_the_episode(tmp_path: Path):
    told = demo.watch("minecraft-length/cofca-s", 0)
    path = tmp_path / "report.html"
    demo.write_report(path, demo.Curve([30, 60], [0.1, 0.75]), 0.62, {"random": 0.0, "<b>": 0.5}, 7, told)
    page = path.read_text()
    assert "from 0.10 to 0.75" in page
    assert "carried out 0.62 of fresh levels" in page
    assert "<td>&lt;b&gt;</td><td>0.50</td>" in page
    assert page.count("<svg") == 1
    assert not re.search(r"<[^>]+(src|href)\s*=\s*.?https?:|@import", page)
    data = re.search(r'<script id="data" type="application/json">(.*)</script>', page)
    assert data
    (found,) = json.loads(data[1])
    assert found == told
    assert found["lines"] == demo.PROGRAM.splitlines()
    assert all(share >= LEAST for frame in found["frames"][:-1] for _, share in frame["targets"])


def test_training_keeps_how_it_went(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    config = demo.short_run(400_000, seed=1)
    heard: list[dict] = []

    def train_run(run: object, listeners: list) -> None:
        for listen in listeners:
            listen("metrics", {"steps": 5, "success": [0.5]})
            listen("evaluations", {"steps": 5})

    monkeypatch.setattr(demo, "open_run", lambda folder, config, resume: None)
    monkeypatch.setattr(demo, "train_run", train_run)
    monkeypatch.setattr(demo, "load_weights", lambda folder: Trained(None, config))
    curve, trained = demo.train(tmp_path, config, [lambda journal, line: heard.append(line)])
    assert curve == demo.Curve([5], [0.5])
    assert trained.config == config
    assert len(heard) == 2


@pytest.mark.parametrize(
    ("found", "called", "typed"),
    [
        (None, ".venv/bin/cofca", ".venv/bin/cofca"),
        (None, "cofca/__main__.py", f"{sys.executable} -m cofca"),
        ("/somewhere/cofca", ".venv/bin/cofca", "cofca"),
    ],
)
def test_what_to_try_next_can_be_typed_as_it_is_said(
    monkeypatch: pytest.MonkeyPatch, found: str | None, called: str, typed: str
):
    monkeypatch.setattr("shutil.which", lambda name: found)
    monkeypatch.setattr("sys.argv", [called, "demo"])
    assert typed_here() == typed
