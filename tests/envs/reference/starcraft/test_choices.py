"""Examples worked out by hand from docs/starcraft-rules.md: choices, stages and the mask."""

import pytest

from envs.reference.starcraft.examples import (
    ADEPT,
    BUILDINGS,
    CELLS,
    COUNCIL,
    FORGE,
    GATEWAY,
    HOME,
    NOTHING,
    OBSERVER,
    PROBES,
    PYLON,
    TRAIN_ADEPT,
    UNITS,
    ZEALOT,
    allowed,
    build,
    building,
    cell,
    go,
    make,
    probe,
    state,
    train,
    unit,
    wait,
)


def test_numbers_of_the_choices() -> None:
    sim = make(further={(5, 5): PYLON})
    assert len(sim.mask()) == 70
    sim.step(3)
    assert sim.stage == [3, 0, 0]
    sim.step(17)
    assert sim.stage == [3, 14, 0]
    wait(sim)
    sim.step(1)
    sim.step(4)
    assert sim.stage == [1, 1, 0]
    wait(sim)
    sim.step(53)
    assert sim.stage == [0, 0, 36]
    sim.step(54)  # unit 1, an Adept, which the Pylon on cell 35 trains
    assert sim.units == [1] + [0] * 15


def test_the_last_choice_is_the_last_unit_and_cells_are_numbered_row_by_row() -> None:
    sim = make(lines=[PYLON, TRAIN_ADEPT], further={(2, 4): GATEWAY})
    sim.step(18 + 2 * 6 + 4)
    sim.step(69)
    assert sim.units == [0] * 15 + [1]


def test_the_first_cell() -> None:
    sim = make(further={(0, 0): PYLON})
    sim.step(18)
    assert sim.stage == [0, 0, 1]
    sim.step(unit(ADEPT))
    assert sim.units[0] == 1


def test_mask_of_the_empty_stage() -> None:
    sim = make(further={(5, 0): PYLON})
    assert allowed(sim) == {NOTHING} | PROBES | {cell(*HOME), cell(5, 0)}


def test_mask_after_a_probe() -> None:
    sim = make()
    sim.step(probe(2))
    assert allowed(sim) == {NOTHING} | BUILDINGS | CELLS


def test_mask_after_a_probe_and_a_building() -> None:
    sim = make()
    sim.step(probe(2))
    sim.step(building(COUNCIL))
    assert allowed(sim) == {NOTHING} | CELLS


def test_mask_after_a_cell() -> None:
    sim = make()
    sim.step(cell(*HOME))
    assert allowed(sim) == {NOTHING} | UNITS


def test_mask_follows_the_buildings() -> None:
    sim = make()
    build(sim, 1, PYLON, (1, 2))
    assert allowed(sim) == {NOTHING} | PROBES | {cell(*HOME), cell(1, 2)}
    sim.step(NOTHING, attack=[(1, 2)])
    assert allowed(sim) == {NOTHING} | PROBES | {cell(*HOME)}


def test_mask_is_of_booleans_in_every_stage() -> None:
    sim = make()
    for choice in (probe(1), building(PYLON), NOTHING, cell(*HOME), NOTHING):
        assert {type(okay) for okay in sim.mask()} == {bool}
        sim.step(choice)


@pytest.mark.parametrize(
    "choices",
    [[probe(1)], [probe(3), building(PYLON)], [cell(*HOME)]],
)
def test_narrowing_changes_nothing_but_the_stage(choices: list[int]) -> None:
    sim = make(further={(5, 5): PYLON, (4, 4): GATEWAY})
    go(sim, 2, (1, 5))
    train(sim, (5, 5), ADEPT, ambush=ADEPT, attack=[(4, 4)])
    for choice in choices:
        before = state(sim)
        assert sim.narrows(choice)
        # What the enemy would do is ignored, even what is impossible.
        assert sim.step(choice, ambush=ZEALOT, attack=[(3, 3)]) == (0, False, False)
        after = state(sim)
        assert after.pop("stage") != before.pop("stage")
        assert after == before


def test_narrows() -> None:
    sim = make()
    narrowing = {choice for choice in range(-2, 75) if sim.narrows(choice)}
    assert narrowing == PROBES | {cell(*HOME)}
    sim.step(probe(1))
    assert {choice for choice in range(-2, 75) if sim.narrows(choice)} == BUILDINGS
    sim.step(building(PYLON))
    assert not any(sim.narrows(choice) for choice in range(-2, 75))
    wait(sim)
    sim.step(cell(*HOME))
    assert not any(sim.narrows(choice) for choice in range(-2, 75))


STAGES = {
    "empty": [],
    "probe": [probe(2)],
    "probe, building": [probe(2), building(PYLON)],
    "cell": [cell(*HOME)],
}
INVALID = {
    "empty": [building(PYLON), cell(3, 3), unit(OBSERVER), -1, 70, 1000],
    "probe": [probe(1), probe(2), unit(OBSERVER), -1, 70],
    "probe, building": [probe(2), building(PYLON), building(FORGE), unit(OBSERVER), -1, 70],
    "cell": [probe(1), building(PYLON), cell(*HOME), cell(3, 3), -1, 70],
}


@pytest.mark.parametrize(("stage", "choice"), [(stage, choice) for stage in STAGES for choice in INVALID[stage]])
def test_choices_that_the_mask_does_not_allow_do_what_nothing_does(stage: str, choice: int) -> None:
    sims = make(), make()
    for sim, last in zip(sims, (choice, NOTHING), strict=True):
        go(sim, 1, (5, 5))
        for narrowing in STAGES[stage]:
            sim.step(narrowing)
        assert not sim.narrows(last)
        assert sim.step(last) == (0, False, False)
    assert state(sims[0]) == state(sims[1])
    assert sims[0].time == 2
    assert sims[0].stage == [0, 0, 0]
    assert sims[0].probes[0] == (3, 3)  # its order runs on


def test_the_last_choices_before_zero_are_no_choices_from_the_end() -> None:
    sim = make(further={(5, 5): GATEWAY})
    sim.step(cell(5, 5))
    sim.step(-1)
    assert sim.units == [0] * 16
