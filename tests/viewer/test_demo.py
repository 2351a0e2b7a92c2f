"""The demonstration, much shortened."""

import sys
from pathlib import Path

import pytest

from cofca.cli.demo import typed_here
from cofca.experiments.weights import Trained
from cofca.viewer import demo
from cofca.viewer.report import Curve


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
    assert curve == Curve([5], [0.5])
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
