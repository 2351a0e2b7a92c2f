"""The examples run as they are, and learn within a small budget."""

import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
STEPS = "50000"
FLOOR = 0.22
"""What random choices achieve on instructions of one line."""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Run an example as from the command line; the numbers at the end of its lines."""

    def run_(name: str, *options: str) -> list[float]:
        monkeypatch.setattr(sys, "argv", [name, *options])
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")
        return [float(line.split()[-1]) for line in capsys.readouterr().out.splitlines()]

    return run_


def test_the_example_in_pytorch_runs(run):
    pytest.importorskip("torch")
    assert all(0 <= share <= 1 for share in run("ppo_torch.py", "--steps", "3000"))


@pytest.mark.parametrize("name", [pytest.param("ppo_torch.py", marks=pytest.mark.soak), "gymnax_style.py"])
def test_an_example_learns(run, name):
    if "torch" in name:
        pytest.importorskip("torch")
    first, *_, last = run(name, "--steps", STEPS)
    assert first < 2 * FLOOR
    assert last > 3 * FLOOR
