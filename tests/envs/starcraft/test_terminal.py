"""A moment in words and on the terminal."""

import re

import pytest

from cofca.envs.starcraft.language.instruction import words as line_words
from cofca.envs.starcraft.render.scene import choice_text, news_texts, order_text, passed_text, stage_text, units_text
from cofca.envs.starcraft.render.terminal import CODES, COLUMN, ansi
from cofca.envs.starcraft.symbols import FIRST_BUILDING, FIRST_CELL, FIRST_PROBE, Building, Stage, Unit, name
from envs.starcraft.scenes import CORE, EPISODE, LINES, SCENE, ZEALOT, alive, grid


@pytest.mark.parametrize("color", [True, False])
def test_ansi_says_everything(color: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    scene = SCENE._replace(ambushed=Unit.HIGH_TEMPLAR, destroyed=grid(c00=1, c01=1).astype(bool))
    text = re.sub(r"\x1b\[[0-9;]*m", "", ansi(scene, color))
    for fact in (
        *("RUNNING", "286 of 300", "units      Zealot 1", "command    Probe 2 …", "choice     Probe 2  no time passed"),
        *("HighTemplar ambushed, 2 buildings lost", "Probe 1    builds Gateway at row 6 column 1"),
        *("Probe 3    waits", "Ga Gateway", "Zealot 1/2", "Stalker 0/1", "Py Pylon ✓", "Fo Forge ✓"),
    ):
        assert fact in text
    lines = re.findall(r"(▶?) +(\d+)  ([✓·]) (Build|Train) (\w+)", text)
    assert [int(number) for _, number, *_ in lines] == list(range(1, 11))
    assert [mark == "▶" for mark, *_ in lines] == [index == 4 for index in range(10)]
    assert tuple(tick == "✓" for _, _, tick, *_ in lines) == scene.satisfied
    assert [(verb, noun) for *_, verb, noun in lines] == [line_words(line) for line in LINES]
    assert "▶" not in ansi(scene._replace(current=None), color)


def test_ansi_grid() -> None:
    rows = ansi(SCENE._replace(destroyed=grid(c00=1).astype(bool)), color=False).splitlines()[3:9]
    cells = [[row[3 + 6 * column : 9 + 6 * column] for column in range(6)] for row in rows]
    assert cells[0][0] == "**    "
    assert [cells[1][2], cells[1][3]] == ["^^    ", "Py    "]
    assert [cells[2][2], cells[3][3], cells[4][4], cells[5][4]] == ["Nx 12 ", "~~    ", " . 3  ", "Fo    "]
    assert [cells[0][1], cells[5][0]] == [" .    "] * 2


def test_ansi_codes_differ() -> None:
    assert set(CODES) == set(Building)
    assert len({code for code, _ in CODES.values()}) == len({style for _, style in CODES.values()}) == len(Building)


def test_ansi_escape_codes() -> None:
    assert "\x1b" not in ansi(SCENE, color=False)
    assert all(line.endswith("\x1b[0m") for line in ansi(SCENE).splitlines())
    for chosen in (Stage(0, 0, 15), Stage(3, 0, 0)):
        assert ansi(SCENE._replace(stage=chosen)).splitlines()[3:9] != ansi(SCENE).splitlines()[3:9]


def test_ansi_does_not_jump() -> None:
    texts = [ansi(scene, color=False).splitlines() for scene in EPISODE]
    assert len({len(lines) for lines in texts}) == 1
    assert {lines[0].index("build tree") for lines in texts} == {texts[0][0].index("build tree")}
    longest = SCENE._replace(tasks=(Building.ROBOTICS_FACILITY, 0, 0))
    assert len(f"Probe 1    {order_text(longest, 0)}") <= COLUMN


def test_words() -> None:
    first_unit = FIRST_CELL + 36
    choices = (None, 0, FIRST_PROBE + 2, FIRST_BUILDING, FIRST_CELL + 8, first_unit + 15, first_unit + 16, -1)
    assert [choice_text(choice, 6) for choice in choices] == [
        *("-", "nothing", "Probe 3", "Assimilator", "row 2 column 3", "Zealot", "nothing", "nothing")
    ]
    stages = (Stage(0, 0, 0), Stage(1, 0, 0), Stage(1, CORE, 0), Stage(0, 0, 7))
    assert [stage_text(stage, 6) for stage in stages] == [
        *("-", "Probe 1 …", "Probe 1 builds CyberneticsCore at …", "row 2 column 1 trains …")
    ]
    assert [order_text(SCENE, i) for i in range(3)] == ["builds Gateway at row 6 column 1", "waits", "waits"]
    assert order_text(SCENE._replace(tasks=(0, 0, 0)), 0) == "goes to row 6 column 1"
    assert [passed_text(SCENE._replace(passed=p)) for p in (None, False, True)] == ["", "no time passed", "time passed"]
    assert news_texts(SCENE) == []
    assert news_texts(SCENE._replace(destroyed=grid(c00=1).astype(bool))) == ["1 building lost"]
    assert line_words(ZEALOT) == ("Train", "Zealot")


def test_units_are_left_out_where_they_do_not_fit() -> None:
    many = SCENE._replace(units=tuple(range(16)))
    assert units_text(many, lambda text: len(text) <= 30) == "Carrier 1  Colossus 2  +13"
    assert units_text(many, lambda text: True).endswith(f"{name(Unit.WARP_PRISM)} 14  Zealot 15")
    assert units_text(SCENE._replace(units=alive()), lambda text: True) == "-"
