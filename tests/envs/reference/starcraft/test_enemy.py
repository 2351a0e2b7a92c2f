"""Examples worked out by hand from docs/starcraft-rules.md: ambushes and attacks."""

from typing import Any

import pytest

from envs.reference.starcraft.examples import (
    ADEPT,
    CANNON,
    FORGE,
    HOME,
    NEXUS,
    NOTHING,
    PYLON,
    ZEALOT,
    build,
    building,
    cell,
    destroyed,
    make,
    probe,
    standing,
    train,
    wait,
)


def test_ambush() -> None:
    sim = make(further={(5, 5): PYLON})
    train(sim, (5, 5), ADEPT)
    train(sim, (5, 5), ADEPT)
    assert sim.step(NOTHING, ambush=ADEPT) == (0, False, False)
    assert (sim.units[ADEPT - 1], sim.ambushed) == (1, ADEPT)
    assert sim.latest == {"unit lost"}
    assert sim.transitions["unit lost"] == 1
    wait(sim)
    assert (sim.units[ADEPT - 1], sim.ambushed, sim.latest) == (1, 0, set())


def test_an_ambush_may_destroy_the_unit_just_trained() -> None:
    sim = make(further={(5, 5): PYLON})
    train(sim, (5, 5), ADEPT, ambush=ADEPT)
    assert (sim.units, sim.ambushed) == ([0] * 16, ADEPT)


def test_attack() -> None:
    sim = make(further={(5, 5): PYLON, (4, 4): FORGE, (3, 3): PYLON})
    assert sim.step(NOTHING, attack={(5, 5), (4, 4)}) == (0, False, False)
    assert standing(sim) == {HOME: NEXUS, (3, 3): PYLON}
    assert destroyed(sim) == {(5, 5), (4, 4)}
    assert sim.latest == {"buildings lost"}
    assert sim.transitions["buildings lost"] == 1  # the attack counts, not the buildings
    wait(sim)
    assert (destroyed(sim), sim.latest) == (set(), set())


def test_an_attack_on_nothing_is_no_loss() -> None:
    sim = make(further={(5, 5): PYLON})
    sim.step(NOTHING, ambush=0, attack=[])
    assert (sim.latest, sim.transitions["buildings lost"], sim.transitions["unit lost"]) == (set(), 0, 0)


def test_an_attack_may_destroy_what_was_just_built_and_it_may_be_built_again() -> None:
    sim = make(further={(5, 5): FORGE})
    build(sim, 1, PYLON, (1, 2), attack=[(1, 2)])
    assert standing(sim) == {HOME: NEXUS, (5, 5): FORGE}
    assert destroyed(sim) == {(1, 2)}
    build(sim, 1, CANNON, (1, 2))
    assert standing(sim)[1, 2] == CANNON


def test_attack_and_ambush_in_one_step() -> None:
    sim = make(further={(5, 5): PYLON})
    train(sim, (5, 5), ADEPT, ambush=ADEPT, attack=[(5, 5)])
    assert (sim.ambushed, destroyed(sim)) == (ADEPT, {(5, 5)})
    assert {"unit lost", "buildings lost"} <= sim.latest


def test_probes_and_orders_survive_an_attack_on_their_cells() -> None:
    sim = make(further={(2, 2): PYLON})
    build(sim, 1, FORGE, (3, 3), attack=[(2, 2)])
    assert (sim.probes[0], sim.goals[0], sim.tasks[0]) == ((2, 2), (3, 3), FORGE)
    wait(sim)
    assert standing(sim) == {HOME: NEXUS, (3, 3): FORGE}


def test_news_stay_during_narrowing_until_the_next_time_step_ends() -> None:
    sim = make(further={(5, 5): PYLON, (4, 4): FORGE})
    train(sim, (5, 5), ADEPT, ambush=ADEPT, attack=[(4, 4)])
    for choice in (probe(1), building(FORGE)):
        sim.step(choice)
        assert (sim.ambushed, destroyed(sim)) == (ADEPT, {(4, 4)})
        assert sim.latest == {"unit lost", "buildings lost"}
    sim.step(cell(3, 3), attack=[(5, 5)])
    assert (sim.ambushed, destroyed(sim)) == (0, {(5, 5)})
    assert sim.latest == {"buildings lost", "jump back"}  # line 0 again, without its Pylon


@pytest.mark.parametrize(
    "enemy",
    [
        {"ambush": ZEALOT},  # none alive
        {"ambush": -1},
        {"ambush": 17},
        {"attack": [(3, 3)]},  # nothing there
        {"attack": [HOME]},  # a Nexus
        {"attack": [(2, 5)]},  # a further Nexus
        {"attack": [(5, 5), (3, 3)]},
        {"attack": [(-1, 5)]},
        {"attack": [(5, 6)]},
    ],
)
def test_impossible_deeds(enemy: dict[str, Any]) -> None:
    sim = make(further={(5, 5): PYLON, (2, 5): NEXUS})
    train(sim, (5, 5), ADEPT)
    with pytest.raises(AssertionError):
        sim.step(NOTHING, **enemy)


def test_a_nexus_that_was_built_is_not_destroyed_either() -> None:
    sim = make()
    build(sim, 1, NEXUS, (1, 2))
    with pytest.raises(AssertionError):
        sim.step(NOTHING, attack=[(1, 2)])
