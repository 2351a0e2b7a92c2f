"""A moment in words and on the terminal."""

import re

import pytest

from cofca.envs.minecraft.language.instruction import depths
from cofca.envs.minecraft.render.scene import command_text, primitive_text
from cofca.envs.minecraft.render.terminal import ansi
from cofca.envs.minecraft.symbols import WAIT
from envs.minecraft.scenes import EPISODE, FIGURE_4, NESTED, SCENE, line_text


@pytest.mark.parametrize("color", [True, False])
def test_ansi_says_everything(color: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    text = re.sub(r"\x1b\[[0-9;]*m", "", ansi(SCENE, color))
    for line in map(line_text, FIGURE_4):
        assert line in text
    for fact in ("RUNNING", "iron 0  gold 2  wood 1", "256 of 270", "sell gold", "moves north-east"):
        assert fact in text
    marked = [line for line in text.splitlines() if "▶" in line]
    assert len(marked) == 1
    assert "mine iron" in marked[0]
    assert text.count("@") == 1
    assert "▶" not in ansi(SCENE._replace(current=None), color)


def test_ansi_escape_codes() -> None:
    assert "\x1b" not in ansi(SCENE, color=False)
    assert all(line.endswith("\x1b[0m") for line in ansi(SCENE).splitlines())
    assert len({len(ansi(scene, color=False).splitlines()) for scene in EPISODE}) == 1


def test_ansi_grid_is_two_columns_a_cell() -> None:
    rows = ansi(SCENE, color=False).splitlines()[2:8]
    for row, codes in enumerate(SCENE.cells):
        assert rows[row][1:12:2] == "".join(".igwm~#"[code] for code in codes)
    assert rows[3][6] == "@"


def test_words() -> None:
    assert [line_text(line) for line in FIGURE_4[:4]] == [
        "while more iron than gold",
        "mine iron",
        "endwhile",
        "if more merchants than iron",
    ]
    assert [command_text(code) for code in (None, 0, 4, 8, WAIT, 77, -1)] == [
        *("-", "mine iron", "sell gold", "inspect wood", "wait", "wait", "wait")
    ]
    assert [primitive_text(code) for code in (None, 0, 1, 8, 9, 10, 11, 12)] == [
        *("-", "moves north", "moves north-east", "stays", "mines", "sells", "inspects", "stays")
    ]
    assert depths(FIGURE_4) == [0, 1, 0, 0, 1, 1, 0, 1, 0]
    assert depths(NESTED) == [0, 1, 1, 0, 1, 2, 1, 0, 0, 0]
