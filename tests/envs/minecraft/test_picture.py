"""Pictures: what changes shows, and shows where it belongs; files hold what was drawn."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageFont

from cofca.envs.minecraft.render import tiles
from cofca.envs.minecraft.render.listing import LONGEST_LINE
from cofca.envs.minecraft.render.picture import layout, picture, save_gif, save_png
from cofca.envs.minecraft.render.terminal import ansi
from cofca.envs.minecraft.symbols import CONDITIONS, WAIT, LineType, Primitive, Thing
from cofca.envs.render.moment import STATUSES, window
from envs.minecraft.scenes import EPISODE, FIFTY, NESTED, SCENE, line_text
from envs.pictures import assert_apart_and_inside, assert_gif, assert_only_in, assert_png, changed, marked_rows


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
def test_a_change_shows_where_it_belongs(change: dict[str, Any], regions: list[str]) -> None:
    mask = changed(picture, SCENE, SCENE._replace(**change))
    assert_only_in(mask, [getattr(layout(SCENE), region) for region in regions])


def test_the_worker_moves_between_two_cells_only() -> None:
    left, top, _, _ = layout(SCENE).grid
    cells = [(left + 64 * column, top + 64 * row) for row, column in ((3, 3), (2, 4))]
    mask = changed(picture, SCENE, SCENE._replace(worker=(2, 4)))
    assert_only_in(mask, [(x, y, x + 64, y + 64) for x, y in cells])


def test_the_regions_are_apart_and_inside() -> None:
    for scene, tile in product((SCENE, EPISODE[0], SCENE._replace(lines=())), (20, 64)):
        assert_apart_and_inside(layout(scene, tile)[:6], picture(scene, tile))


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
    for scene in scenes[::7]:
        image = picture(scene)
        assert image.shape == picture(scenes[0]).shape
        assert marked_rows(image, plan.program) == plan.row


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
    assert_png(save_png, picture, SCENE, tmp_path / "scene.png")


def test_gif_has_a_frame_for_every_scene(tmp_path: Path) -> None:
    path = tmp_path / "episode.gif"
    assert_gif(save_gif, picture, EPISODE, path)
    assert path.stat().st_size < 20_000 * len(EPISODE)


def test_gif_of_one_scene_and_of_none(tmp_path: Path) -> None:
    save_gif([SCENE], tmp_path / "one.gif")
    with Image.open(tmp_path / "one.gif") as film:
        assert film.size == picture(SCENE).shape[1::-1]
    with pytest.raises(ValueError, match="at least one scene"):
        save_gif([], tmp_path / "none.gif")


def test_no_line_is_longer_than_the_one_that_columns_are_made_for() -> None:
    openers = product((LineType.IF, LineType.WHILE), CONDITIONS)
    texts = [line_text((kind, 0, condition.code)) for kind, condition in openers]
    font = ImageFont.load_default(20)
    assert max(map(font.getlength, texts)) <= font.getlength(LONGEST_LINE)
