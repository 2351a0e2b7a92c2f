"""Pictures: what changes shows, and shows where it belongs; files hold what was drawn."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cofca.envs.render.canvas import font
from cofca.envs.render.moment import STATUSES
from cofca.envs.render.page import CAPTION
from cofca.envs.starcraft.render import tiles
from cofca.envs.starcraft.render.picture import SIZE, layout, picture, save_gif, save_png
from cofca.envs.starcraft.render.scene import stage_text
from cofca.envs.starcraft.render.terminal import ansi
from cofca.envs.starcraft.render.ways import corners
from cofca.envs.starcraft.symbols import Building, Stage, Terrain, Unit
from envs.pictures import assert_apart_and_inside, assert_gif, assert_only_in, assert_png, blank, changed, marked_rows
from envs.starcraft.scenes import CORE, EPISODE, LINES, NEXUS, PYLON, SCENE, SIXTY, alive, grid


def cell_box(row: int, column: int) -> tuple[float, float, float, float]:
    left, top, _, _ = layout(SCENE).grid
    return left + 64 * column, top + 64 * row, left + 64 * (column + 1), top + 64 * (row + 1)


@pytest.mark.parametrize(
    ("change", "regions"),
    [
        ({"current": 5}, ["program"]),
        ({"current": None}, ["program"]),
        ({"satisfied": (False,) * len(LINES)}, ["program"]),
        ({"satisfied": (True,) * len(LINES)}, ["program"]),
        ({"units": alive(ZEALOT=1, ADEPT=1)}, ["units"]),
        ({"units": alive()}, ["units", "tree"]),
        ({"units": alive(ZEALOT=2)}, ["units", "tree"]),
        ({"time": 200}, ["time", "banner"]),
        ({"stage": Stage(2, NEXUS, 0)}, ["command"]),
        ({"stage": Stage(0, 0, 0)}, ["command", "grid"]),
        ({"stage": Stage(0, 0, 15)}, ["command", "grid"]),
        ({"choice": None}, ["choice"]),
        ({"passed": True}, ["choice"]),
        ({"ambushed": Unit.ADEPT}, ["news"]),
        ({"destroyed": grid(c00=1).astype(bool)}, ["news", "grid"]),
        ({"probes": ((2, 2), (0, 0), (4, 4)), "goals": ((5, 0), (0, 0), (4, 4))}, ["grid"]),
        ({"goals": ((5, 1), (2, 2), (4, 4))}, ["grid"]),
        ({"goals": ((5, 0), (2, 2), (4, 5))}, ["grid"]),
        ({"tasks": (CORE, 0, 0)}, ["grid"]),
        ({"tasks": (0, 0, 0)}, ["grid"]),
        ({"terrain": grid()}, ["grid"]),
        ({"buildings": grid(c22=NEXUS, c13=PYLON)}, ["grid"]),
        ({"buildings": grid(c22=NEXUS, c54=Building.FORGE)}, ["grid", "tree"]),
        ({"buildings": SCENE.buildings + grid(c00=PYLON)}, ["grid", "tree"]),
        *(({"status": status}, ["banner"]) for status in STATUSES[1:]),
    ],
)
def test_a_change_shows_where_it_belongs(change: dict[str, Any], regions: list[str]) -> None:
    mask = changed(picture, SCENE, SCENE._replace(**change))
    assert_only_in(mask, [getattr(layout(SCENE), region) for region in regions])


@pytest.mark.parametrize(
    ("change", "cells"),
    [
        ({"probes": ((2, 2), (2, 2), (1, 1)), "goals": ((5, 0), (2, 2), (1, 1))}, [(4, 4), (1, 1)]),
        ({"tasks": (CORE, 0, 0)}, [(5, 0)]),
        ({"goals": ((5, 0), (2, 2), (4, 5))}, [(4, 4), (4, 5)]),
        ({"goals": ((5, 0), (2, 2), (2, 3))}, [(4, 4), (3, 3), (2, 3)]),
        ({"destroyed": grid(c00=1, c33=1).astype(bool)}, [(0, 0), (3, 3)]),
        ({"stage": Stage(0, 0, 14)}, [(2, 1), (2, 2)]),
        ({"stage": Stage(3, 0, 0)}, [(4, 4), (2, 2)]),
    ],
)
def test_a_change_on_the_map_shows_in_its_cells_only(change: dict[str, Any], cells: list[tuple[int, int]]) -> None:
    plan = layout(SCENE)
    mask = blank(changed(picture, SCENE, SCENE._replace(**change)), plan.news, plan.command)
    assert_only_in(mask, [cell_box(row, column) for row, column in cells])


def test_the_way_goes_diagonally_first() -> None:
    assert corners((0, 0), (5, 2)) == [(2, 2), (5, 2)]
    assert corners((4, 1), (0, 0)) == [(3, 0), (0, 0)]
    assert corners((3, 3), (1, 5)) == [(1, 5)]
    assert corners((3, 3), (3, 0)) == [(3, 0)]


@pytest.mark.parametrize("building", [0, NEXUS])
@pytest.mark.parametrize("spots", [((3, 3), (1, 1), (5, 5)), ((3, 3), (3, 3), (5, 5)), ((3, 3), (3, 3), (3, 3))])
def test_all_probes_are_seen(building: int, spots: tuple[tuple[int, int], ...]) -> None:
    scene = SCENE._replace(
        buildings=grid(c33=building), probes=spots, goals=spots, tasks=(0, 0, 0), stage=Stage(0, 0, 0)
    )
    image = picture(scene)
    for spot, color in zip(spots, tiles.PROBES, strict=True):
        left, top, right, bottom = map(round, cell_box(*spot))
        rgb = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
        assert (image[top:bottom, left:right] == rgb).all(axis=2).sum() > 30


def test_the_regions_are_apart_and_inside() -> None:
    empty = SCENE._replace(lines=(), satisfied=(), current=None)
    for scene, tile in product((SCENE, EPISODE[0], empty), (20, 64)):
        assert_apart_and_inside(layout(scene, tile)[:9], picture(scene, tile))


def test_facts_and_notices_stay_below_the_grid() -> None:
    left, _, right, _ = layout(SCENE).command
    room = right - left - CAPTION
    for building, probe in product(Building, (1, 2, 3)):
        assert font(SIZE).getlength(stage_text(Stage(probe, building, 0), 6)) <= room
    for unit in Unit:
        scene = SCENE._replace(ambushed=unit, destroyed=np.ones((6, 6), bool))
        mask = changed(picture, SCENE, scene)
        assert not blank(mask, layout(SCENE).grid, layout(SCENE).news).any(), unit


def test_size_is_constant_in_an_episode() -> None:
    pictures = [picture(scene) for scene in EPISODE]
    assert len({array.shape for array in pictures}) == 1
    assert pictures[0].dtype == np.uint8
    height, width, _ = pictures[0].shape
    assert width < 1400
    assert height < 700


def test_long_instructions_are_shown_in_part_but_the_line_to_do_always() -> None:
    scenes = [SCENE._replace(lines=2 * SIXTY, satisfied=(False,) * 120, current=current) for current in range(120)]
    plan = layout(scenes[0])
    for scene in scenes[::7]:
        assert marked_rows(picture(scene), plan.program) == plan.row


@pytest.mark.parametrize("side", [1, 3, 8])
@pytest.mark.parametrize("tile", [16, 64, 96])
def test_other_grids_and_tiles(side: int, tile: int) -> None:
    scene = SCENE._replace(
        buildings=np.full((side, side), NEXUS),
        terrain=np.zeros((side, side), int),
        destroyed=np.zeros((side, side), bool),
        **{"probes": ((0, 0),) * 3, "goals": ((0, 0),) * 3, "tasks": (0, 0, 0), "stage": Stage(0, 0, 0)},
    )
    left, top, _, _ = (round(value * max(tile / 64, 1)) for value in layout(scene, tile).grid)
    image = picture(scene, tile)
    for row, column in np.ndindex(side, side):
        y, x = top + row * tile, left + column * tile
        same = image[y : y + tile, x : x + tile] == np.asarray(tiles.cell(Terrain.PLAIN, NEXUS, tile))
        assert same.all() == ((row, column) != (0, 0))
    assert ansi(scene, color=False).count("Nx") == side * side + 1


@pytest.mark.parametrize("time", [0, 1, 299, 300, 310])
def test_time_may_be_at_its_ends(time: int) -> None:
    scene = SCENE._replace(time=time)
    assert picture(scene).shape == picture(SCENE).shape
    assert f"{300 - time} of 300" in ansi(scene, color=False)


def test_png_holds_the_picture(tmp_path: Path) -> None:
    assert_png(save_png, picture, SCENE, tmp_path / "scene.png")


def test_gif_has_a_frame_for_every_scene(tmp_path: Path) -> None:
    path = tmp_path / "episode.gif"
    assert_gif(save_gif, picture, EPISODE, path)
    assert path.stat().st_size < 40_000 * len(EPISODE)


def test_gif_of_none(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least one scene"):
        save_gif([], tmp_path / "none.gif")
