"""The cells of the notebooks run, from top to bottom."""

import json
import runpy
from pathlib import Path

import pytest

from docs.pages import ROOT

SITE = runpy.run_path(str(ROOT / "docs/site/notebooks.py"))
NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_git_has_no_outputs(path: Path) -> None:
    code = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    assert code
    assert not any(cell["outputs"] or cell["execution_count"] for cell in code)


def test_an_agent_follows_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "agg")
    cells = list(SITE["run"](ROOT / "docs/notebooks/follow.ipynb"))
    printed = "".join(cell.printed for cell in cells)
    assert "mine iron" in printed
    assert printed.endswith("reward 1.0\n")
    assert sum(len(cell.figures) for cell in cells) == 2
    assert all(figure.startswith(b"\x89PNG") for cell in cells for figure in cell.figures)


@pytest.mark.soak  # Training programs that nothing else needs are compiled for it.
def test_environments_run_and_an_agent_is_trained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "agg")
    cells = list(SITE["run"](ROOT / "docs/notebooks/environments.ipynb"))
    assert "'steps': 4096" in cells[-1].printed


def test_a_cell_that_fails_is_found(tmp_path: Path) -> None:
    page = {"cells": [{"cell_type": "code", "source": ["x = 1\n", "x / 0"]}]}
    (tmp_path / "bad.ipynb").write_text(json.dumps(page))
    with pytest.raises(ZeroDivisionError):
        list(SITE["run"](tmp_path / "bad.ipynb"))
