"""The pictures: buildings can be told apart, what changes shows, and shows where it belongs."""

import re
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from cofca.render.canvas import font
from cofca.render.files import LAST_FRAME
from cofca.render.listing import PADDING
from cofca.render.moment import STATUSES
from cofca.render.page import CAPTION
from cofca.starcraft.render import tiles
from cofca.starcraft.render.emblems import emblem
from cofca.starcraft.render.listing import line_words, tick
from cofca.starcraft.render.picture import SIZE, layout, picture, save_gif, save_png
from cofca.starcraft.render.scene import (
    Scene,
    choice_text,
    news_texts,
    order_text,
    passed_text,
    stage_text,
    units_text,
)
from cofca.starcraft.render.terminal import CODES, COLUMN, ansi
from cofca.starcraft.render.tree import TITLE, Node, nodes, row_height
from cofca.starcraft.render.ways import corners
from cofca.starcraft.symbols import (
    FIRST_BUILDING,
    FIRST_CELL,
    FIRST_PROBE,
    FIRST_UNIT,
    LAST_SYMBOL,
    NUM_UNITS,
    Building,
    Stage,
    Terrain,
    Unit,
    name,
)

NEXUS, PYLON, GATEWAY, CORE = Building.NEXUS, Building.PYLON, Building.GATEWAY, Building.CYBERNETICS_CORE
ZEALOT, STALKER = (FIRST_UNIT + unit - 1 for unit in (Unit.ZEALOT, Unit.STALKER))
LINES = tuple(map(int, (PYLON, GATEWAY, ZEALOT, PYLON, GATEWAY, CORE, STALKER, PYLON, GATEWAY, ZEALOT)))


def grid(**cells: int) -> NDArray[np.int64]:
    """A 6 by 6 grid with something in the cells named, such as `c12` for row 1 and column 2."""
    values = np.zeros((6, 6), int)
    for cell, value in cells.items():
        values[int(cell[1]), int(cell[2])] = value
    return values


def alive(**counts: int) -> tuple[int, ...]:
    return tuple(counts.get(unit.name, 0) for unit in Unit)


SCENE = Scene(
    buildings=grid(c22=NEXUS, c13=PYLON, c54=Building.FORGE),
    terrain=grid(c12=Terrain.MINERALS, c33=Terrain.GAS),
    probes=((2, 2), (2, 2), (4, 4)),
    goals=((5, 0), (2, 2), (4, 4)),
    tasks=(GATEWAY, 0, 0),
    destroyed=np.zeros((6, 6), bool),
    ambushed=0,
    units=alive(ZEALOT=1),
    lines=LINES,
    satisfied=tuple(line == PYLON or place == 2 for place, line in enumerate(LINES)),
    current=4,
    stage=Stage(2, 0, 0),
    time=14,
    time_limit=300,
    choice=FIRST_PROBE + 1,
    passed=False,
    status="running",
)
SIXTY = 6 * LINES
EPISODE = [
    SCENE._replace(
        lines=SIXTY,
        satisfied=tuple(place < time for place in range(60)),
        current=None if time == 24 else 2 * time,
        time=time,
        time_limit=1800,
        probes=((time % 6, time // 5), (2, 2), (5, 5)),
        goals=((0, 0), (time % 6, 3), (5, 5)),
        tasks=(time % 15, 0, 0),
        destroyed=SCENE.destroyed | (time % 7 == 3),
        ambushed=time % 17,
        units=tuple(time for _ in Unit),
        stage=Stage(time % 4, time % 15 if time % 4 else 0, 0),
        choice=time,
        passed=time % 2 == 0,
        status="success" if time == 24 else "running",
    )
    for time in range(25)
]


def difference(first: Image.Image, second: Image.Image) -> float:
    """Mean distance of the colours of two pictures, 0 to 255 for each channel."""
    return float(np.abs(np.asarray(first, float) - np.asarray(second, float)).mean())


def changed(first: Scene, second: Scene) -> NDArray[np.bool_]:
    """Which pixels differ between the pictures of two scenes."""
    mask: NDArray[np.bool_] = (picture(first) != picture(second)).any(axis=2)
    return mask


def blank(mask: NDArray[np.bool_], *boxes: tuple[float, float, float, float]) -> NDArray[np.bool_]:
    """The mask without what lies in the boxes."""
    rest = mask.copy()
    for left, top, right, bottom in boxes:
        rest[round(top) : round(bottom), round(left) : round(right)] = False
    return rest


def cell_box(row: int, column: int) -> tuple[float, float, float, float]:
    left, top, _, _ = layout(SCENE).grid
    return left + 64 * column, top + 64 * row, left + 64 * (column + 1), top + 64 * (row + 1)


@pytest.mark.parametrize("size", [24, 64])
def test_cells_can_be_told_apart(size: int) -> None:
    cells = [tiles.cell(Terrain.PLAIN, building, size) for building in (0, *Building)]
    cells += [tiles.cell(Terrain.MINERALS, 0, size), tiles.cell(Terrain.GAS, 0, size)]
    cells += [tiles.cell(Terrain.PLAIN, 0, size, destroyed=True), tiles.cell(Terrain.GAS, 0, size, destroyed=True)]
    for (i, one), (j, other) in combinations(enumerate(cells), 2):
        assert difference(one, other) > 8, (i, j)


@pytest.mark.parametrize("busy", [False, True])
def test_buildings_can_be_told_apart_by_their_emblems_alone(busy: bool) -> None:
    side = 27 if busy else 64
    white = Image.new("RGBA", (side, side), "white")
    emblems = {b: Image.alpha_composite(white, emblem(b, side)) for b in Building}
    for one, other in combinations(Building, 2):
        assert difference(emblems[one], emblems[other]) > 20, (one, other)


def test_every_building_keeps_its_own_emblem_beside_the_units() -> None:
    # Building 5 and Unit 5 are equal as integers, so a cache by symbol would mix them up.
    unit = emblem(FIRST_UNIT, 32)
    assert all(difference(unit, emblem(building, 32)) > 5 for building in Building)
    assert all(difference(unit, emblem(line, 32)) == 0 for line in range(FIRST_UNIT, LAST_SYMBOL + 1))


def test_gas_is_seen_under_an_assimilator() -> None:
    plain, gas = (tiles.cell(terrain, Building.ASSIMILATOR, 64) for terrain in (Terrain.PLAIN, Terrain.GAS))
    assert difference(plain, gas) > 5


def test_probes_can_be_told_apart() -> None:
    for one, other in combinations((1, 2, 3), 2):
        assert difference(tiles.probe(one, 40), tiles.probe(other, 40)) > 5


def test_tiles_are_drawn_once() -> None:
    assert tiles.cell(Terrain.PLAIN, NEXUS, 40) is tiles.cell(Terrain.PLAIN, NEXUS, 40)


def test_names_fit_below_their_tiles() -> None:
    assert set(tiles.SHORT) == set(Building)
    assert len(set(tiles.SHORT.values())) == len(Building)
    for text in tiles.SHORT.values():
        assert font(0.17 * 64).getlength(text) <= 62, text


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
    mask = changed(SCENE, SCENE._replace(**change))
    boxes = [getattr(layout(SCENE), region) for region in regions]
    assert not blank(mask, *boxes).any()
    for box in boxes:
        assert (mask & ~blank(mask, box)).any()


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
    mask = blank(changed(SCENE, SCENE._replace(**change)), plan.news, plan.command)
    for row, column in cells:
        assert (mask & ~blank(mask, cell_box(row, column))).any(), (row, column)
    assert not blank(mask, *(cell_box(row, column) for row, column in cells)).any()


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


def test_ticks_and_rings_are_apart() -> None:
    assert difference(tick(True, 20).convert("RGB"), tick(False, 20).convert("RGB")) > 30


def test_the_regions_are_apart_and_inside() -> None:
    empty = SCENE._replace(lines=(), satisfied=(), current=None)
    for scene, tile in product((SCENE, EPISODE[0], empty), (20, 64)):
        height, width, _ = picture(scene, tile).shape
        boxes = layout(scene, tile)[:9]
        for left, top, right, bottom in boxes:
            assert 0 <= left < right <= width
            assert 0 <= top < bottom <= height
        for one, other in combinations(boxes, 2):
            beside = one[2] <= other[0] or other[2] <= one[0]
            assert beside or one[3] <= other[1] or other[3] <= one[1]


def test_facts_and_notices_stay_below_the_grid() -> None:
    left, _, right, _ = layout(SCENE).command
    room = right - left - CAPTION
    for building, probe in product(Building, (1, 2, 3)):
        assert font(SIZE).getlength(stage_text(Stage(probe, building, 0), 6)) <= room
    for unit in Unit:
        scene = SCENE._replace(ambushed=unit, destroyed=np.ones((6, 6), bool))
        mask = changed(SCENE, scene)
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
    left, top, right, bottom = map(round, plan.program)
    mark = np.array([0xFF, 0xEF, 0xB0])
    for scene in scenes[::7]:
        image = picture(scene)
        rows = (image[top:bottom, left:right] == mark).all(axis=2).any(axis=1).sum()
        assert rows == plan.row


@pytest.mark.parametrize("depth", [1, 5, 14])
def test_the_whole_tree_fits_at_any_depth(depth: int) -> None:
    chains = [range(1, 1 + min(depth, 1 + number % 14)) for number in range(NUM_UNITS)]
    lines = tuple(line for number, chain in enumerate(chains) for line in (*chain, FIRST_UNIT + number))
    scene = SCENE._replace(lines=lines, satisfied=(False,) * len(lines), current=0)
    left, top, right, bottom = map(round, layout(scene).tree)
    drawn = (picture(scene)[top:bottom, left:right] != 255).any(axis=2)
    tree = nodes(lines)
    assert len(tree) == depth + NUM_UNITS
    height = row_height(lines, bottom - top - TITLE - 2 * PADDING)
    used = PADDING + TITLE + len(tree) * height
    assert drawn[used - height : used].any()
    assert used <= bottom - top - PADDING
    edge = 2 * PADDING // 3
    assert not drawn[edge:-edge, -edge:-2].any()
    assert not drawn[used:-edge, edge:-edge].any()


def test_tree_of_an_instruction() -> None:
    assert nodes(LINES) == (
        *(Node(PYLON, 0, 3), Node(GATEWAY, 1, 3), Node(ZEALOT, 2, 2)),
        *(Node(CORE, 2, 1), Node(STALKER, 3, 1)),
    )
    assert nodes((NEXUS, ZEALOT, *LINES[3:7]))[:2] == (Node(NEXUS, 0, 1), Node(ZEALOT, 1, 1))
    assert nodes(()) == ()


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
    assert path.stat().st_size < 40_000 * len(EPISODE)


def test_gif_of_none(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least one scene"):
        save_gif([], tmp_path / "none.gif")


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
