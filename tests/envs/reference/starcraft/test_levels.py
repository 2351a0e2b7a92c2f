"""Examples worked out by hand from docs/starcraft-rules.md: which levels are valid."""

from typing import Any

import pytest

from envs.reference.starcraft.examples import (
    ASSIMILATOR,
    CORE,
    COUNCIL,
    DARK_SHRINE,
    FORGE,
    GAS_AT,
    GATEWAY,
    HOME,
    MINERALS_AT,
    NEXUS,
    PREREQUISITES,
    PYLON,
    TRAIN_ADEPT,
    TRAIN_OBSERVER,
    TRAIN_ZEALOT,
    TRAINERS,
    grid,
)
from envs.reference.starcraft.validity import chain, problems


def level(**changes: Any) -> dict[str, Any]:
    """A valid level, but for the changes."""
    parts = {
        "lines": [PYLON, GATEWAY, TRAIN_ZEALOT, NEXUS, TRAIN_OBSERVER],
        "prerequisites": PREREQUISITES,
        "trainers": TRAINERS,
        "terrain": grid({MINERALS_AT: 1, GAS_AT: 2}),
        "buildings": grid({HOME: NEXUS, (5, 5): NEXUS, (3, 3): PYLON}),
        "probe": HOME,
        "length": (1, 5),
        "max_depth": None,
        "max_prerequisites": None,
    }
    return parts | changes


def problem(**changes: Any) -> str:
    """The only problem that the changes make."""
    found = problems(**level(**changes))
    assert len(found) == 1, found
    return found[0]


def test_valid_levels() -> None:
    assert problems(**level()) == []
    assert problems(**level(max_depth=4, max_prerequisites=3)) == []
    assert problems(**level(lines=[PYLON, TRAIN_ADEPT, PYLON, TRAIN_ADEPT, 0, 0, 0])) == []
    assert problems(**level(buildings=grid({HOME: NEXUS}))) == []
    assert (
        problems(**level(prerequisites=[0] * 14, trainers=[NEXUS] * 16, lines=[NEXUS, 15], max_prerequisites=0)) == []
    )


def test_chain() -> None:
    assert chain(COUNCIL, PREREQUISITES) == [PYLON, GATEWAY, CORE, COUNCIL]
    assert chain(NEXUS, PREREQUISITES) == [NEXUS]


def test_numbers_that_mean_nothing() -> None:
    assert "31 is no line" in problem(lines=[PYLON, 31])
    assert "0 is no line" in problem(lines=[PYLON, 0, TRAIN_ADEPT])
    assert "15 is no prerequisite" in problem(prerequisites=[15, *PREREQUISITES[1:]])
    assert "0 is no trainer" in problem(trainers=[0, *TRAINERS[1:]])
    assert "13 prerequisites" in problem(prerequisites=PREREQUISITES[:13])
    assert "17 trainers" in problem(trainers=[*TRAINERS, NEXUS])


def test_a_circle() -> None:
    # Assimilator needs DarkShrine needs Assimilator
    found = problems(**level(prerequisites=[DARK_SHRINE, GATEWAY, ASSIMILATOR, *PREREQUISITES[3:]]))
    assert len(found) == 2
    assert all("circle" in words for words in found)
    assert "circle" in problem(prerequisites=[ASSIMILATOR, *PREREQUISITES[1:]])


def test_too_deep() -> None:
    assert "chain of building 14 has 4 buildings" in problem(max_depth=3)


def test_too_many_prerequisites() -> None:
    found = problems(**level(max_prerequisites=2))
    assert [words.split(",")[0] for words in found] == [
        "3 buildings have a prerequisite",
        "4 buildings have or are a prerequisite",
    ]


def test_prerequisites_of_too_many_buildings() -> None:
    """Only the first building of the shuffle and the capped number after it have to do with prerequisites."""
    pairs = [FORGE, *PREREQUISITES[1:13], 0]  # Assimilator needs Forge; Pylon -> Gateway -> CyberneticsCore
    assert "5 buildings have or are" in problem(prerequisites=pairs, max_prerequisites=3)
    assert problems(**level(prerequisites=pairs, max_prerequisites=4)) == []


def test_length() -> None:
    assert "5 lines instead of 6 to 10" in problem(length=(6, 10))
    assert "5 lines instead of 2 to 4" in problem(length=(1, 4))
    assert problems(**level(length=(5, 5))) == []
    assert "0 lines" in problem(lines=[0, 0])


@pytest.mark.parametrize(
    "lines",
    [
        [GATEWAY, TRAIN_ZEALOT],  # not from the root
        [GATEWAY, PYLON, TRAIN_ZEALOT],
        [PYLON, PYLON, TRAIN_ADEPT],
        [NEXUS, TRAIN_ADEPT],  # not its trainer
        [PYLON, GATEWAY, CORE, TRAIN_ZEALOT],
        [PYLON, TRAIN_ADEPT, TRAIN_ADEPT],  # a unit right after a unit
        [TRAIN_ADEPT, PYLON, TRAIN_ADEPT],
    ],
)
def test_orders_that_are_no_complete_chain(lines: list[int]) -> None:
    assert "instead of its chain" in problem(lines=lines)


def test_buildings_at_the_end() -> None:
    assert "ends with the buildings [9, 6]" in problem(lines=[PYLON, TRAIN_ADEPT, PYLON, GATEWAY])


def test_shapes_and_codes_of_the_map() -> None:
    assert "not 6 by 6" in problem(buildings=grid({HOME: NEXUS})[:5])
    assert "not 6 by 6" in problem(terrain=[row[:5] for row in level()["terrain"]])
    assert "15 is no code of the buildings" in problem(buildings=grid({HOME: NEXUS, (3, 3): 15}))
    assert "3 is no code of the terrain" in problem(terrain=grid({MINERALS_AT: 1, GAS_AT: 2, (5, 5): 3}))
    assert "not on the map" in problem(probe=(1, 6))


def test_minerals_and_gas() -> None:
    assert "0 cells of gas" in problem(terrain=grid({MINERALS_AT: 1}))
    assert "0 cells of minerals" in problem(terrain=grid({GAS_AT: 2}))
    assert "2 cells of minerals" in problem(terrain=grid({MINERALS_AT: 1, (2, 2): 1, GAS_AT: 2}))
    assert "gas at (1, 3)" in problem(terrain=grid({MINERALS_AT: 1, (1, 3): 2}))
    assert "minerals at (1, 1)" in problem(terrain=grid({HOME: 1, GAS_AT: 2}))


def test_the_nexus_of_the_probes() -> None:
    assert "no Nexus at" in problem(buildings=grid({HOME: PYLON, (5, 5): NEXUS}))
    assert "no Nexus at" in problem(buildings=grid({(5, 5): NEXUS}))
    # Beside another Nexus than the terrain
    found = problems(**level(probe=(5, 5)))
    assert [words.split(" at")[0] for words in found] == ["the minerals", "the gas"]


def test_buildings_on_terrain() -> None:
    assert "on terrain 1 at (0, 0)" in problem(buildings=grid({HOME: NEXUS, MINERALS_AT: PYLON}))
    assert "on terrain 2 at (0, 1)" in problem(buildings=grid({HOME: NEXUS, GAS_AT: ASSIMILATOR}))


def crowded(number: int) -> list[list[int]]:
    """A Nexus and this many further buildings on plain cells, of which there are 33."""
    plain = [(r, c) for r in range(6) for c in range(6) if (r, c) not in (HOME, MINERALS_AT, GAS_AT)]
    return grid({HOME: NEXUS} | dict.fromkeys(plain[:number], FORGE))


def test_free_cells_for_the_building_lines() -> None:
    assert problems(**level(buildings=crowded(30))) == []  # 3 building lines
    assert "31 further buildings on 33 cells" in problem(buildings=crowded(31))


def test_more_building_lines_than_cells() -> None:
    lines = [PYLON, TRAIN_ADEPT] * 40
    assert problems(**level(lines=lines, length=(80, 80), buildings=crowded(0))) == []
    assert "1 further buildings" in problem(lines=lines, length=(80, 80), buildings=crowded(1))
