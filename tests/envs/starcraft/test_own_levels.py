"""Levels of one's own: what can be done can be played, what can't is refused with the reason."""

import jax
import numpy as np
import pytest

from cofca.envs.starcraft import (
    Building,
    ImpossibleLevelError,
    InstructionError,
    Level,
    MapError,
    StarCraftParams,
    Terrain,
    Unit,
    draw_map,
    level_text,
    own_level,
    read_map,
)
from cofca.envs.starcraft.levels.own import LETTERS
from cofca.envs.starcraft.symbols import NUM_BUILDINGS, NUM_UNITS

KEY = jax.random.key(3)
PARAMS = StarCraftParams()
TEXT = "Build Pylon\nBuild Gateway\nTrain Zealot\nBuild Nexus\nTrain Adept"
EMPTY = "@.....\n" + 5 * "......\n"


def level_on(drawing: str | None = EMPTY, text: str = TEXT, params: StarCraftParams = PARAMS) -> Level:
    return own_level(KEY, text, params, drawing)


# From the text


def test_the_text_comes_back_in_its_canonical_form() -> None:
    level = level_on(text="# first\n  BUILD nexus\n\ntrain\tadept  # then\n")
    assert level_text(level) == "Build Nexus\nTrain Adept"
    assert level.program.lines.tolist() == [7, 15, 0, 0, 0]
    assert level.program.length == 2


def test_the_forest_is_what_the_text_implies() -> None:
    level = level_on()
    needs = {Building.GATEWAY: Building.PYLON}
    assert level.prerequisites.tolist() == [needs.get(building, 0) for building in Building]
    assert level.trainers[Unit.ZEALOT - 1] == Building.GATEWAY
    assert level.trainers[Unit.ADEPT - 1] == Building.NEXUS


def test_units_that_are_not_named_have_any_trainer() -> None:
    trainers = np.array([own_level(jax.random.key(seed), TEXT, PARAMS, EMPTY).trainers for seed in range(30)])
    assert set(trainers.reshape(-1).tolist()) == set(range(1, NUM_BUILDINGS + 1))
    named = [Unit.ADEPT - 1, Unit.ZEALOT - 1]
    assert (trainers[:, named] == trainers[0, named]).all()
    others = np.delete(np.arange(NUM_UNITS), named)
    assert (trainers[:, others] != trainers[0, others]).any(axis=0).all()


def test_the_key_decides_on_the_map() -> None:
    level, again, other = (own_level(jax.random.key(seed), TEXT, PARAMS) for seed in (1, 1, 2))
    assert np.array_equal(level.buildings, again.buildings)
    assert not np.array_equal(level.buildings, other.buildings)
    assert sorted(np.asarray(level.terrain).reshape(-1).tolist())[-3:] == [0, Terrain.MINERALS, Terrain.GAS]


def test_too_many_lines_are_refused() -> None:
    with pytest.raises(InstructionError, match=r"^line 6, column 1: one line too many; expected at most 5$"):
        level_on(text=TEXT + "\nBuild Nexus\nTrain Adept")


def test_a_contradiction_is_refused() -> None:
    with pytest.raises(InstructionError, match=r"^line 4, column 1: Zealot comes after Pylon; expected after Gateway"):
        level_on(text="Build Gateway\nTrain Zealot\nBuild Pylon\nTrain Zealot")


def test_there_may_be_room_for_more_lines_than_are_generated() -> None:
    assert level_text(level_on(params=StarCraftParams(length=(2, 2), max_lines=5))) == TEXT


# On a drawn map


def test_a_level_on_a_drawn_map_is_just_that_map() -> None:
    drawing = "aAm...\n@NP...\ng.....\nG....F\n......\nW....."
    level = level_on(drawing)
    assert draw_map(level) == drawing
    assert level.nexus.tolist() == [1, 0]
    assert level.buildings[:2, :3].tolist() == [
        [Building.ASSIMILATOR, Building.ASSIMILATOR, 0],
        [Building.NEXUS, Building.NEXUS, Building.PYLON],
    ]
    assert level.terrain[:3, :3].tolist() == [[Terrain.GAS, 0, Terrain.MINERALS], [0, 0, 0], [Terrain.GAS, 0, 0]]


FULL = "@mmmmm\n" + 5 * "mmmmmm\n"


@pytest.mark.parametrize(
    ("text", "drawing", "line"),
    [
        (TEXT, FULL, "line 1: Build Pylon"),
        (TEXT, FULL.replace("m", ".", 1), "line 2: Build Gateway"),
        (TEXT, FULL.replace("m", "g", 1), "line 1: Build Pylon"),
        ("Build Nexus\nTrain Adept\nBuild Assimilator\nTrain Oracle", FULL, "line 3: Build Assimilator"),
        (TEXT, FULL.replace("m", "N"), "line 1: Build Pylon"),
    ],
    ids=["first line", "second line", "gas", "Assimilator", "only Nexus"],
)
def test_a_map_without_a_free_cell_for_a_line_is_refused(text: str, drawing: str, line: str) -> None:
    with pytest.raises(ImpossibleLevelError) as error:
        level_on(drawing, text)
    assert str(error.value) == f"no free cell is left for {line}"


def test_gas_is_room_enough_for_an_assimilator() -> None:
    level_on(FULL.replace("m", "g", 1), "Build Assimilator\nTrain Adept")


def test_a_level_that_takes_too_long_is_refused() -> None:
    far = "@" + "m" * 34 + "."
    drawing = "\n".join(far[start : start + 6] for start in range(0, 36, 6))
    with pytest.raises(
        ImpossibleLevelError, match=r"^the oracle can't solve this in time: after 4 time steps .* line 1$"
    ):
        level_on(drawing, "Build Pylon\nTrain Adept", StarCraftParams(steps_per_line=2))


# Maps as text


def test_every_letter_stands_for_a_building_or_ground_and_no_two_for_the_same() -> None:
    assert len(set(LETTERS.values())) == len(LETTERS) == NUM_BUILDINGS + 4
    for letter, (building, ground) in LETTERS.items():
        terrain, buildings, nexus = read_map(f"@.{letter}\n...\n...", 3)
        assert (int(buildings[0, 2]), int(terrain[0, 2])) == (building, ground)
        assert buildings[0, 0] == Building.NEXUS
        assert nexus.tolist() == [0, 0]


def test_a_random_map_is_drawn_and_read_back() -> None:
    for seed in range(6):
        level = own_level(jax.random.key(seed), TEXT, PARAMS)
        found = read_map(draw_map(level), 6)
        assert np.array_equal(found.terrain, level.terrain)
        assert np.array_equal(found.buildings, level.buildings)
        assert np.array_equal(found.nexus, level.nexus)


def test_spaces_and_blank_lines_in_a_map_do_not_matter() -> None:
    one, other = read_map("\n @ P .\n\n g..  \r\n...", 3), read_map("@P.\ng..\n...", 3)
    assert all(np.array_equal(mine, theirs) for mine, theirs in zip(one, other, strict=True))


KNOWN = ". A C D F O G N H P B R S T W a m g @"


@pytest.mark.parametrize(
    ("drawing", "message"),
    [
        ("", "expected 3 rows of 3 cells, got rows of []"),
        ("@..\n...", "expected 3 rows of 3 cells, got rows of [3, 3]"),
        ("@..\n....\n...", "expected 3 rows of 3 cells, got rows of [3, 4, 3]"),
        ("N..\n...\n...", "expected one Nexus with the Probes '@', found 0"),
        ("@..\n...\n..@", "expected one Nexus with the Probes '@', found 2"),
        ("@..\n.x.\n...", f"row 2, column 2: unknown letter 'x'; expected {KNOWN}"),
        ("@..\n...\n..p", f"row 3, column 3: unknown letter 'p'; expected {KNOWN}"),
    ],
)
def test_what_is_wrong_with_a_map_is_told(drawing: str, message: str) -> None:
    with pytest.raises(MapError) as error:
        read_map(drawing, 3)
    assert str(error.value) == f"map: {message}"
