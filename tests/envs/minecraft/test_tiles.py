"""Things can be told apart, with and without the worker."""

from itertools import combinations

import pytest

from cofca.envs.minecraft.render import tiles
from cofca.envs.minecraft.symbols import Thing
from envs.pictures import difference


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
