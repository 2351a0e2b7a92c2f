"""Examples worked out by hand from docs/starcraft-rules.md: units are trained until the orders are fulfilled."""

from envs.reference.starcraft.examples import (
    ADEPT,
    FORGE,
    GATEWAY,
    HOME,
    NEXUS,
    NOTHING,
    OBSERVER,
    PYLON,
    TRAIN_ADEPT,
    TRAIN_OBSERVER,
    TRAIN_ZEALOT,
    ZEALOT,
    build,
    cell,
    destroyed,
    make,
    standing,
    train,
    unit,
)


def test_train() -> None:
    sim = make(further={(5, 5): PYLON})
    train(sim, (5, 5), ADEPT)
    assert sim.units == [1] + [0] * 15
    train(sim, (5, 5), ADEPT)
    assert sim.units == [2] + [0] * 15
    assert (sim.time, sim.stage) == (2, [0, 0, 0])
    assert (sim.probes, sim.goals) == ([HOME] * 3, [HOME] * 3)


def test_train_needs_no_prerequisite_to_stand() -> None:
    sim = make(lines=[PYLON, TRAIN_ADEPT], further={(5, 5): GATEWAY})
    train(sim, (5, 5), ZEALOT)
    assert sim.units[ZEALOT - 1] == 1


def test_only_its_trainer_trains_a_unit() -> None:
    sim = make(further={(5, 5): PYLON, (4, 4): GATEWAY})
    assert train(sim, (5, 5), ZEALOT) == (0, False, False)
    assert train(sim, HOME, ADEPT) == (0, False, False)
    assert sim.units == [0] * 16
    assert sim.time == 2


def test_a_command_of_a_step_may_not_use_what_the_step_builds() -> None:
    sim = make()
    build(sim, 1, PYLON, (3, 3))
    sim.step(cell(3, 3))  # nothing stands there yet, so this is a time step
    assert (sim.time, sim.stage) == (2, [0, 0, 0])
    assert standing(sim)[3, 3] == PYLON


def test_success() -> None:
    sim = make()
    build(sim, 1, PYLON, (1, 2))
    build(sim, 2, GATEWAY, (2, 2))
    sim.step(cell(2, 2))
    assert sim.step(unit(ZEALOT)) == (1, True, False)
    assert (sim.status, sim.time, sim.line) == ("succeeded", 3, 3)
    assert sim.transitions == {"next line": 3, "skip": 0, "jump back": 0, "unit lost": 0, "buildings lost": 0}
    assert sim.latest == {"next line"}


def test_all_units_have_to_be_alive_at_the_same_moment() -> None:
    sim = make(lines=[PYLON, TRAIN_ADEPT, NEXUS, TRAIN_OBSERVER], further={(5, 5): PYLON})
    assert train(sim, (5, 5), ADEPT) == (0, False, False)
    assert sim.step(NOTHING, ambush=ADEPT) == (0, False, False)
    assert train(sim, HOME, OBSERVER) == (0, False, False)
    assert train(sim, (5, 5), ADEPT) == (1, True, False)


def test_units_may_come_in_any_order_and_buildings_need_not_be_built() -> None:
    sim = make(lines=[PYLON, GATEWAY, TRAIN_ZEALOT, NEXUS, TRAIN_OBSERVER], further={(5, 5): GATEWAY})
    assert train(sim, HOME, OBSERVER) == (0, False, False)
    assert train(sim, (5, 5), ZEALOT) == (1, True, False)


def test_a_unit_ordered_twice_must_live_twice() -> None:
    sim = make(lines=[PYLON, TRAIN_ADEPT, PYLON, TRAIN_ADEPT], further={(5, 5): PYLON})
    assert train(sim, (5, 5), ADEPT) == (0, False, False)
    assert sim.line == 3  # the second order; its Pylon stands
    assert train(sim, (5, 5), ADEPT) == (1, True, False)
    assert sim.line == 4


def test_more_than_ordered_is_no_harm() -> None:
    sim = make(lines=[PYLON, TRAIN_ADEPT, NEXUS, TRAIN_OBSERVER], further={(5, 5): PYLON})
    train(sim, (5, 5), ADEPT)
    assert train(sim, (5, 5), ADEPT) == (0, False, False)
    assert train(sim, HOME, OBSERVER) == (1, True, False)
    assert sim.units[ADEPT - 1] == 2


def test_the_enemy_does_not_come_in_the_step_of_success() -> None:
    sim = make(lines=[PYLON, TRAIN_ADEPT], further={(5, 5): PYLON})
    assert train(sim, (5, 5), ADEPT, ambush=ADEPT, attack=[(5, 5)]) == (1, True, False)
    assert sim.units[ADEPT - 1] == 1
    assert standing(sim) == {HOME: NEXUS, (5, 5): PYLON}
    assert (sim.ambushed, destroyed(sim)) == (0, set())
    assert sim.latest == {"next line"}


def test_the_step_of_success_ignores_impossible_deeds_and_ends_old_news() -> None:
    sim = make(lines=[PYLON, TRAIN_ADEPT], further={(5, 5): PYLON, (4, 4): FORGE})
    train(sim, HOME, OBSERVER, ambush=OBSERVER, attack=[(4, 4)])
    assert (sim.ambushed, destroyed(sim)) == (OBSERVER, {(4, 4)})
    assert train(sim, (5, 5), ADEPT, ambush=ZEALOT, attack=[(4, 4)]) == (1, True, False)
    assert (sim.ambushed, destroyed(sim)) == (0, set())
