"""Examples worked out by hand from docs/starcraft-rules.md: the line to do."""

import pytest

from envs.reference.starcraft.examples import (
    ADEPT,
    CORE,
    FORGE,
    GATEWAY,
    HOME,
    NEXUS,
    NOTHING,
    OBSERVER,
    PYLON,
    STALKER,
    TRAIN_ADEPT,
    TRAIN_OBSERVER,
    TRAIN_STALKER,
    TRAIN_ZEALOT,
    ZEALOT,
    build,
    make,
    standing,
    train,
    wait,
)

LONG = [PYLON, GATEWAY, CORE, TRAIN_STALKER, NEXUS, TRAIN_OBSERVER, PYLON, TRAIN_ADEPT, PYLON, GATEWAY, TRAIN_ZEALOT]


@pytest.mark.parametrize(
    ("further", "line"),
    [
        ([], 0),
        ([PYLON], 1),
        ([GATEWAY], 2),  # without its Pylon
        ([CORE], 3),
        ([PYLON, CORE], 3),
        ([FORGE, NEXUS], 0),
    ],
)
def test_line_at_the_start(further: list[int], line: int) -> None:
    sim = make(lines=LONG, further={(5, column): kind for column, kind in enumerate(further)})
    assert sim.line == line
    assert sum(sim.transitions.values()) == 0
    assert sim.latest == set()


def test_line_at_the_start_of_an_instruction_that_begins_with_a_nexus() -> None:
    assert make(lines=[NEXUS, TRAIN_OBSERVER]).line == 1


def test_line_through_a_whole_episode() -> None:
    sim = make(lines=LONG)
    seen = []

    def note() -> None:
        seen.append((sim.line, sorted(sim.latest)))

    build(sim, 1, PYLON, (1, 2))
    note()
    wait(sim)
    note()
    build(sim, 2, GATEWAY, (2, 2))
    note()
    train(sim, (2, 2), ZEALOT)  # the last order, early
    note()
    build(sim, 3, CORE, (2, 1))
    note()
    train(sim, (2, 1), STALKER)  # the Nexus of line 4 stands: on to line 5
    note()
    train(sim, HOME, OBSERVER)  # the Pylon of line 6 stands: on to line 7
    note()
    sim.step(NOTHING, attack=[(1, 2), (2, 2), (2, 1)])
    note()
    sim.step(NOTHING, ambush=STALKER)  # back to the first order, of which nothing stands
    note()
    build(sim, 1, PYLON, (1, 3))
    note()
    build(sim, 2, GATEWAY, (2, 3))
    note()
    build(sim, 3, CORE, (2, 1), ambush=ZEALOT)
    note()
    train(sim, (2, 1), STALKER)  # the Observer is still alive: on to line 7
    note()
    train(sim, (1, 3), ADEPT)  # Pylon and Gateway stand: on to line 10
    note()
    assert train(sim, (2, 3), ZEALOT) == (1, True, False)
    note()
    assert seen == [
        (1, ["next line"]),
        (1, []),
        (2, ["next line"]),
        (2, []),
        (3, ["next line"]),
        (5, ["skip"]),
        (7, ["skip"]),
        (6, ["buildings lost", "jump back"]),
        (0, ["jump back", "unit lost"]),
        (1, ["next line"]),
        (2, ["next line"]),
        (3, ["next line", "unit lost"]),
        (7, ["skip"]),
        (10, ["skip"]),
        (11, ["next line"]),
    ]
    assert sim.transitions == {"next line": 7, "skip": 4, "jump back": 2, "unit lost": 2, "buildings lost": 1}


def test_the_last_unit_trained_early_is_skipped_at_the_end() -> None:
    sim = make(lines=[PYLON, TRAIN_ADEPT, NEXUS, TRAIN_OBSERVER], further={(5, 5): PYLON})
    train(sim, HOME, OBSERVER)
    assert (sim.line, sim.latest) == (1, set())
    train(sim, (5, 5), ADEPT)
    assert (sim.line, sim.latest, sim.status) == (4, {"skip"}, "succeeded")


def test_a_standing_building_before_an_earlier_unit_does_not_matter() -> None:
    """The line never lies before the last unit line before the first one that is not covered."""
    sim = make(lines=[NEXUS, TRAIN_OBSERVER, PYLON, TRAIN_ADEPT])
    train(sim, HOME, OBSERVER)
    assert sim.line == 2


def test_the_unit_to_train_next_is_the_first_that_is_not_covered() -> None:
    """Two of three Adepts alive cover the first two lines that order one, also if a unit between them is missing."""
    lines = [PYLON, TRAIN_ADEPT, NEXUS, TRAIN_OBSERVER, PYLON, TRAIN_ADEPT, PYLON, TRAIN_ADEPT]
    sim = make(lines=lines, further={(5, 5): PYLON})
    train(sim, (5, 5), ADEPT)
    train(sim, (5, 5), ADEPT)
    assert sim.line == 3
    train(sim, HOME, OBSERVER)
    assert sim.line == 7
    sim.step(NOTHING, ambush=ADEPT)
    assert (sim.line, sim.latest) == (5, {"unit lost", "jump back"})
    sim.step(NOTHING, ambush=ADEPT, attack=[(5, 5)])
    assert (sim.line, sim.latest) == (0, {"unit lost", "buildings lost", "jump back"})


def test_the_line_is_found_after_the_enemy() -> None:
    sim = make(lines=[PYLON, TRAIN_ADEPT])
    build(sim, 1, PYLON, (1, 2), attack=[(1, 2)])
    assert (sim.line, sim.latest) == (0, {"buildings lost"})


def test_an_attack_may_leave_the_line_where_it_is() -> None:
    sim = make(further={(5, 5): PYLON, (5, 4): GATEWAY})
    assert sim.line == 2
    sim.step(NOTHING, attack=[(5, 5)])
    assert (sim.line, sim.latest) == (2, {"buildings lost"})
    build(sim, 1, GATEWAY, (1, 2))  # and yet no further Gateway can be built without a Pylon
    assert (1, 2) not in standing(sim)
