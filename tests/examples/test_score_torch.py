"""The example of a policy in PyTorch, where that is installed."""

from pathlib import Path

import pytest
from cli.command import Capture, cofca, one_object
from interop.test_policies import EPISODES
from interop.test_text_score import MINECRAFT

from cofca.experiments.specs import EXPERIMENTS

EXAMPLE = Path(__file__).parents[2] / "examples" / "score_torch.py"


def test_it_is_scored_with_one_command(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setitem(EXPERIMENTS, MINECRAFT.name, MINECRAFT)
    words = ("--experiment", MINECRAFT.name, "--episodes", str(EPISODES), "--json")
    assert cofca("evaluate", f"{EXAMPLE}:policy", *words) == 0
    rows = one_object(capsys.readouterr().out)["bins"]
    assert 0 < rows[0]["sampled"] < 1
    assert [row["id"] for row in rows] == ["1-2", "3-4"]


def test_it_can_be_read_at_a_glance() -> None:
    assert len(EXAMPLE.read_text().splitlines()) <= 60
