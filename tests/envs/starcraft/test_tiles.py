"""Tiles and emblems can be told apart."""

from itertools import combinations

import pytest
from PIL import Image

from cofca.envs.render.canvas import font
from cofca.envs.starcraft.render import tiles
from cofca.envs.starcraft.render.emblems import emblem
from cofca.envs.starcraft.render.listing import tick
from cofca.envs.starcraft.symbols import FIRST_UNIT, LAST_SYMBOL, Building, Terrain
from envs.pictures import difference
from envs.starcraft.scenes import NEXUS


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


def test_ticks_and_rings_are_apart() -> None:
    assert difference(tick(True, 20).convert("RGB"), tick(False, 20).convert("RGB")) > 30
