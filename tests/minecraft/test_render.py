"""The pictures: things can be told apart, what changes shows, and shows where it belongs."""

import re
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageFont

from cofca.minecraft.language.instruction import Symbols, depths
from cofca.minecraft.language.text import words
from cofca.minecraft.render import tiles
from cofca.minecraft.render.listing import LONGEST_LINE
from cofca.minecraft.render.picture import layout, picture, save_gif, save_png
from cofca.minecraft.render.scene import Scene, command_text, primitive_text
from cofca.minecraft.render.terminal import ansi
from cofca.minecraft.symbols import CONDITIONS, WAIT, Condition, LineType, Primitive, Thing, Verb, command
from cofca.render.files import LAST_FRAME
from cofca.render.moment import STATUSES, window

ELSE, ENDIF, ENDWHILE = ((kind, 0, 0) for kind in (LineType.ELSE, LineType.ENDIF, LineType.ENDWHILE))


def subtask(verb: Verb, noun: Thing) -> Symbols:
    return LineType.SUBTASK, verb, noun


def opener(kind: LineType, more: Thing, than: Thing) -> Symbols:
    return kind, 0, Condition(more, than).code


def line_text(line: Symbols) -> str:
    return " ".join(words(line))


FIGURE_4 = (
    opener(LineType.WHILE, Thing.IRON, Thing.GOLD),
    subtask(Verb.MINE, Thing.IRON),
    ENDWHILE,
    opener(LineType.IF, Thing.MERCHANT, Thing.IRON),
    subtask(Verb.INSPECT, Thing.IRON),
    subtask(Verb.SELL, Thing.GOLD),
    ELSE,
    subtask(Verb.MINE, Thing.WOOD),
    ENDIF,
)
NESTED = (
    *FIGURE_4[3:7],
    *FIGURE_4[:3],
    ENDIF,
    subtask(Verb.SELL, Thing.WOOD),
    subtask(Verb.MINE, Thing.GOLD),
)
FIFTY = 5 * NESTED
SCENE = Scene(
    cells=np.arange(36).reshape(6, 6) % len(Thing),
    worker=(3, 3),
    inventory=(0, 2, 1),
    lines=FIGURE_4,
    current=1,
    time=14,
    time_limit=270,
    command=command(Verb.SELL, Thing.GOLD),
    primitive=Primitive.NORTH_EAST,
    status="running",
)
EPISODE = [
    SCENE._replace(
        lines=FIFTY,
        current=None if time == 49 else time,
        time=time,
        time_limit=1500,
        worker=(time % 6, time // 9),
        inventory=(time, 0, 100),
        command=time % 10,
        primitive=time % 12,
        status="success" if time == 49 else "running",
    )
    for time in range(50)
]


def difference(first: Image.Image, second: Image.Image) -> float:
    """Mean distance of the colours of two pictures, 0 to 255 for each channel."""
    return float(np.abs(np.asarray(first, float) - np.asarray(second, float)).mean())


def changed(first: Scene, second: Scene, tile: int = 64) -> NDArray[np.bool_]:
    """Which pixels differ between the pictures of two scenes."""
    mask: NDArray[np.bool_] = (picture(first, tile) != picture(second, tile)).any(axis=2)
    return mask


def blank(mask: NDArray[np.bool_], *boxes: tuple[float, float, float, float]) -> NDArray[np.bool_]:
    """The mask without what lies in the boxes."""
    rest = mask.copy()
    for left, top, right, bottom in boxes:
        rest[round(top) : round(bottom), round(left) : round(right)] = False
    return rest


@pytest.mark.parametrize("size", [24, 64])
def test_things_can_be_told_apart(size: int) -> None:
    for one, other in combinations(Thing, 2):
        assert difference(tiles.cell(one, size), tiles.cell(other, size)) > 15, (one, other)


@pytest.mark.parametrize("thing", Thing)
def test_worker_is_visible_on_everything_and_the_thing_below_too(thing: Thing) -> None:
    with_worker = tiles.cell(thing, 64, worker=True)
    assert difference(with_worker, tiles.cell(thing, 64)) > 15
    for other in set(Thing) - {thing}:
        assert difference(with_worker, tiles.cell(other, 64, worker=True)) > 5, other


def test_tiles_are_drawn_once() -> None:
    assert tiles.cell(Thing.GOLD, 40) is tiles.cell(Thing.GOLD, 40)


@pytest.mark.parametrize(
    ("change", "regions"),
    [
        ({"current": 5}, ["program"]),
        ({"current": None}, ["program"]),
        ({"inventory": (0, 3, 1)}, ["inventory"]),
        ({"time": 200}, ["time", "banner"]),
        ({"command": WAIT}, ["action"]),
        ({"primitive": Primitive.STAY}, ["action"]),
        ({"worker": (0, 0)}, ["grid"]),
        ({"cells": np.zeros((6, 6), int)}, ["grid"]),
        *(({"status": status}, ["banner"]) for status in STATUSES[1:]),
    ],
)
def test_a_change_shows_where_it_belongs(change: dict[str, object], regions: list[str]) -> None:
    mask = changed(SCENE, SCENE._replace(**change))  # type: ignore[arg-type]
    boxes = [getattr(layout(SCENE), region) for region in regions]
    assert not blank(mask, *boxes).any()
    for box in boxes:
        assert (mask & ~blank(mask, box)).any()


def test_the_worker_moves_between_two_cells_only() -> None:
    left, top, _, _ = layout(SCENE).grid
    cells = [(left + 64 * column, top + 64 * row) for row, column in ((3, 3), (2, 4))]
    mask = changed(SCENE, SCENE._replace(worker=(2, 4)))
    assert mask.any()
    assert not blank(mask, *((x, y, x + 64, y + 64) for x, y in cells)).any()


def test_the_regions_are_apart_and_inside() -> None:
    for scene, tile in product((SCENE, EPISODE[0], SCENE._replace(lines=())), (20, 64)):
        height, width, _ = picture(scene, tile).shape
        boxes = layout(scene, tile)[:6]
        for left, top, right, bottom in boxes:
            assert 0 <= left < right <= width
            assert 0 <= top < bottom <= height
        for one, other in combinations(boxes, 2):
            beside = one[2] <= other[0] or other[2] <= one[0]
            assert beside or one[3] <= other[1] or other[3] <= one[1]


def test_the_statuses_have_colours_of_their_own() -> None:
    corners = {tuple(picture(SCENE._replace(status=status))[0, 0]) for status in STATUSES}
    assert len(corners) == len(STATUSES)


def test_size_is_constant_in_an_episode_and_every_line_is_shown() -> None:
    pictures = [picture(scene) for scene in EPISODE]
    assert len({array.shape for array in pictures}) == 1
    assert pictures[0].dtype == np.uint8
    plan = layout(EPISODE[0])
    assert plan.rows * plan.columns >= len(FIFTY)


def test_long_instructions_are_shown_in_part_but_the_current_line_always() -> None:
    lines = 20 * NESTED
    scenes = [SCENE._replace(lines=lines, current=current) for current in range(len(lines))]
    plan = layout(scenes[0])
    left, top, right, bottom = map(round, plan.program)
    mark = np.array([0xFF, 0xEF, 0xB0])
    for scene in scenes[::7]:
        image = picture(scene)
        assert image.shape == picture(scenes[0]).shape
        rows = (image[top:bottom, left:right] == mark).all(axis=2).any(axis=1).sum()
        assert rows == plan.row


@pytest.mark.parametrize(("count", "room"), [(1, 22), (22, 22), (23, 22), (200, 22), (200, 50), (57, 8)])
def test_the_window_is_full_and_the_current_line_not_on_a_hidden_edge(count: int, room: int) -> None:
    for current in range(count):
        shown = window(count, current, room)
        assert len(shown) == min(room, count)
        assert current in shown
        assert current > shown.start or shown.start == 0
        assert current < shown.stop - 1 or shown.stop == count
    assert window(count, None, room).stop == count


@pytest.mark.parametrize("shape", [(1, 1), (3, 4), (8, 8), (5, 12)])
@pytest.mark.parametrize("tile", [16, 64, 96])
def test_other_grids_and_tiles(shape: tuple[int, int], tile: int) -> None:
    scene = SCENE._replace(cells=np.full(shape, Thing.GOLD), worker=(0, 0))
    left, top, _, _ = (round(value * max(tile / 64, 1)) for value in layout(scene, tile).grid)
    image = picture(scene, tile)
    for row, column in np.ndindex(shape):
        y, x = top + row * tile, left + column * tile
        expected = tiles.cell(Thing.GOLD, tile, (row, column) == (0, 0))
        assert (image[y : y + tile, x : x + tile] == np.asarray(expected)).all()
    assert ansi(scene, color=False).count("g") >= shape[0] * shape[1]


@pytest.mark.parametrize("time", [0, 1, 269, 270, 300])
def test_time_may_be_at_its_ends(time: int) -> None:
    scene = SCENE._replace(time=time)
    assert picture(scene).shape == picture(SCENE).shape
    assert f"{270 - time} of 270" in ansi(scene, color=False)


def test_png_holds_the_picture(tmp_path: Path) -> None:
    save_png(SCENE, tmp_path / "scene.png")
    assert (np.asarray(Image.open(tmp_path / "scene.png")) == picture(SCENE)).all()


def test_gif_has_a_frame_for_every_scene(tmp_path: Path) -> None:
    path = tmp_path / "episode.gif"
    save_gif(EPISODE, path, seconds_per_frame=0.2)
    with Image.open(path) as film:
        assert getattr(film, "n_frames", 1) == len(EPISODE)
        assert film.info["loop"] == 0
        for index, scene in enumerate(EPISODE):
            film.seek(index)
            assert film.info["duration"] == (200 * LAST_FRAME if index == len(EPISODE) - 1 else 200)
            assert difference(film.convert("RGB"), Image.fromarray(picture(scene))) < 3
    assert path.stat().st_size < 20_000 * len(EPISODE)


def test_gif_of_one_scene_and_of_none(tmp_path: Path) -> None:
    save_gif([SCENE], tmp_path / "one.gif")
    with Image.open(tmp_path / "one.gif") as film:
        assert film.size == picture(SCENE).shape[1::-1]
    with pytest.raises(ValueError, match="at least one scene"):
        save_gif([], tmp_path / "none.gif")


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


def test_no_line_is_longer_than_the_one_that_columns_are_made_for() -> None:
    openers = product((LineType.IF, LineType.WHILE), CONDITIONS)
    texts = [line_text((kind, 0, condition.code)) for kind, condition in openers]
    font = ImageFont.load_default(20)
    assert max(map(font.getlength, texts)) <= font.getlength(LONGEST_LINE)
