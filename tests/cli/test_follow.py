"""`cofca follow`: what is printed, and mistakes."""

import io
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from cli.command import Capture, cofca, lines_of, one_object
from cofca.experiments.build import make_agents
from cofca.experiments.zoo import DEFAULTS
from cofca.runs.checkpoint import write_checkpoint
from cofca.runs.config import RunConfig
from cofca.utils.trees import pick

PROGRAM = """while more iron than gold
    mine iron
endwhile
if more merchants than iron
    inspect iron
endif
mine wood
"""


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders of agents that have learned nothing."""
    folder = tmp_path_factory.mktemp("weights")
    for name, agent in (("minecraft-length", "cofca-s"), ("starcraft-length", "olsk"), ("worker", "worker")):
        config = RunConfig(name, agent=agent, seeds=1)
        untrained = pick(make_agents(config), 0)
        write_checkpoint(folder / name, untrained, {"config": config.page(), "seed": 0, "update": 0})
    return folder


def test_an_episode_is_told_line_by_line(weights: Path, tmp_path: Path, capsys: Capture):
    path = tmp_path / "program.txt"
    path.write_text(PROGRAM)
    words = ["--instruction", str(path), "--agent", str(weights / "minecraft-length"), "--gif", str(tmp_path / "a.gif")]
    words += ["--html", str(tmp_path / "a.html")]
    code = cofca("follow", *words)
    out = capsys.readouterr().out.splitlines()
    assert out[:7] == [f"{number:>4}  {line}" for number, line in enumerate(PROGRAM.splitlines(), start=1)]
    assert out[8].strip() in ("line 1, while more iron than gold: yes", "line 1, while more iron than gold: no")
    steps = [line for line in out if " gate " in line]
    assert steps[0].startswith("   1  line 1 ")
    assert out[-1].endswith(f"after {len(steps)} time steps")
    assert code == (0 if out[-1].startswith("success") else 1)
    with Image.open(tmp_path / "a.gif") as animation:
        assert animation.n_frames > 1
    page = (tmp_path / "a.html").read_text()
    assert page.count('"picture": ') == len(steps) + 1


def test_json_has_a_record_for_each_step(weights: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("Build Nexus\nTrain Adept\n"))
    code = cofca("follow", "--instruction", "-", "--agent", str(weights / "starcraft-length"), "--json", "--seed", "3")
    found = one_object(capsys.readouterr().out)
    assert (found["agent"], found["success"]) == (str(weights / "starcraft-length"), code == 0)
    first = found["steps"][0]
    assert (first["time"], first["pointer"]) == (1, 0)
    assert set(first) == {"time", "pointer", "current", "action", "response", "gate", "target", "news"}
    for one, following in zip(found["steps"], found["steps"][1:], strict=False):
        assert following["pointer"] == (one["pointer"] if one["target"] is None else one["target"])


@pytest.mark.parametrize(
    ("instruction", "options", "wrong"),
    [
        ("mine iron; mine golf", [], "instruction: line 2, column 7: unknown word 'golf'"),
        ("nowhere.txt", [], "nowhere.txt: no such file"),
        ("", [], "no instruction: expected a file, -, or lines"),
        (".", [], ".: Is a directory"),
        ("mine iron", ["--html", "nowhere/a.html"], "nowhere/a.html: there is no folder nowhere"),
        ("mine iron", ["--domain", "starcraft"], "an agent of minecraft, not of starcraft"),
        ("mine iron", ["--domain", "chess"], "unknown domain 'chess'"),
        ("mine iron", ["--worker", "nobody"], "unknown worker 'nobody'"),
        ("mine iron", ["--map", "nowhere.map"], "nowhere.map"),
        (
            "while more iron than gold; mine iron",
            [],
            "instruction: line 2, column 11: the instruction ends inside the while",
        ),
    ],
)
def test_mistakes_are_one_line(weights: Path, capsys: Capture, instruction: str, options: list[str], wrong: str):
    agent = str(weights / "minecraft-length")
    assert cofca("follow", "--instruction", instruction, "--agent", agent, *options) == 2
    said = capsys.readouterr()
    assert wrong in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


def test_a_worker_follows_no_instructions(weights: Path, capsys: Capture):
    assert cofca("follow", "--instruction", "mine iron", "--agent", str(weights / "worker")) == 2
    assert "a worker follows no instructions" in capsys.readouterr().err


def test_where_no_agent_comes_with_the_package_it_is_said(capsys: Capture, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delitem(DEFAULTS, "starcraft")
    assert cofca("follow", "--instruction", "Build Pylon; Train Adept", "--domain", "starcraft") == 2
    said = capsys.readouterr().err
    assert said == "cofca: no trained agent of starcraft comes with the package: name yours with --agent\n"


def test_standard_input_that_is_no_text_is_a_mistake(capsys: Capture, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(bytes(range(256))), encoding="utf-8"))
    assert cofca("follow", "--instruction", "-") == 2
    assert capsys.readouterr().err == "cofca: standard input: not a text file\n"


def test_whoever_stops_reading_is_not_told_of_it():
    command = f"{sys.executable} -m cofca levels starcraft --count 4000 | head -1"
    found = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert found.stdout.count("\n") == 1
    assert lines_of(found.stderr) in ([], ["making levels"])
