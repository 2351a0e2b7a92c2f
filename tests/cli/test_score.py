"""`cofca evaluate FILE.py:POLICY`: a table, one JSON object, a result to submit, and mistakes in one line."""

import json
import sys
from pathlib import Path

import pytest
from interop.test_policies import EPISODES
from interop.test_text_score import MINECRAFT

from cli.command import Capture, cofca, one_object
from cofca.experiments.specs import EXPERIMENTS
from cofca.paper.submission import read_submission

POLICIES = """\
from neighbour_of_mine import command

def policy(obs):
    return command(obs["inventory"])

both = [policy, lambda obs: 4]

def broken(obs):
    return obs["nothing"]
"""
SCORE = ("--experiment", "minecraft-length", "--episodes", str(EPISODES))


@pytest.fixture(autouse=True)
def _small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small experiment; a file with policies, in whose folder we are, and nothing remembered of it elsewhere."""
    monkeypatch.setitem(EXPERIMENTS, MINECRAFT.name, MINECRAFT)
    monkeypatch.setattr("cofca.experiments.hosted.LANES", 16)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(POLICIES)
    (tmp_path / "neighbour_of_mine.py").write_text("def command(held):\n    return int(held.sum() > 0)\n")
    monkeypatch.setattr("sys.path", sys.path.copy())
    (tmp_path / "about.toml").write_text('by = "A. Person"\n')


def test_a_policy_is_scored_beside_others(capsys: Capture) -> None:
    assert cofca("evaluate", "mine.py:both", *SCORE, "--json", "--out", "both.json", "--about", "about.toml") == 0
    report = one_object(capsys.readouterr().out)
    assert (report["policy"], report["experiment"], report["worker"]) == ("mine.py:both", "minecraft-length", "planner")
    assert all(len(row["seeds"]) == 2 for row in report["bins"])
    page = json.loads(Path("both.json").read_text())
    assert (page["agent"], page["by"], page["bins"][0]["seeds"]) == ("both", "A. Person", report["bins"][0]["seeds"])
    with pytest.raises(ValueError, match=r"^both\.json: 1-2: 40 episodes were played, not 1000$"):
        read_submission(Path("both.json"))

    assert cofca("evaluate", "mine.py:policy", *SCORE) == 0
    printed = capsys.readouterr().out
    share = report["bins"][0]["seeds"][0]
    for shown in (
        "mine.py:policy on minecraft-length, worker planner",
        f"{share:.3f} ± 0.",
        "0.781 ± 0.",
        "1000 levels",
    ):
        assert shown in printed


def test_a_mistake_of_a_policy_names_its_file(capsys: Capture, tmp_path: Path) -> None:
    assert cofca("evaluate", "mine.py:broken", *SCORE) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[-1] == f"cofca: {tmp_path / 'mine.py'}:9: KeyError: 'nothing'"
