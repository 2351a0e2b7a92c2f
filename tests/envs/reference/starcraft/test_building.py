"""Examples worked out by hand from docs/starcraft-rules.md: what may be built where, and in which order."""

import pytest

from envs.reference.starcraft.examples import (
    ASSIMILATOR,
    CANNON,
    CORE,
    FORGE,
    GAS_AT,
    GATEWAY,
    HOME,
    MINERALS_AT,
    NEXUS,
    NOTHING,
    PYLON,
    build,
    building,
    go,
    make,
    probe,
    standing,
    state,
    wait,
)
from envs.reference.starcraft.simulator import Place


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        (GATEWAY, (4, 4)),  # no Pylon
        (FORGE, HOME),  # taken
        (FORGE, (5, 5)),  # taken
        (FORGE, MINERALS_AT),
        (FORGE, GAS_AT),
        (ASSIMILATOR, MINERALS_AT),
    ],
)
def test_invalid_builds_do_what_nothing_does(kind: int, place: Place) -> None:
    sims = make(further={(5, 5): CANNON}), make(further={(5, 5): CANNON})
    for sim in sims:
        build(sim, 1, PYLON, (5, 3))
    assert build(sims[0], 1, kind, place) == (0, False, False)
    wait(sims[1])
    assert state(sims[0]) == state(sims[1])
    assert (sims[0].time, sims[0].probes[0]) == (2, (3, 3))
    assert (sims[0].goals[0], sims[0].tasks[0]) == ((5, 3), PYLON)  # the order it had


def test_invalid_choice_amid_a_command_leaves_the_orders() -> None:
    sim = make()
    go(sim, 1, (5, 5))
    sim.step(probe(1))
    sim.step(building(PYLON))
    sim.step(NOTHING)
    assert (sim.goals[0], sim.tasks[0], sim.stage) == ((5, 5), 0, [0, 0, 0])


def test_an_assimilator_stands_on_gas_and_on_plain() -> None:
    sim = make()
    build(sim, 1, ASSIMILATOR, GAS_AT)
    build(sim, 2, ASSIMILATOR, (2, 2))
    assert standing(sim) == {HOME: NEXUS, GAS_AT: ASSIMILATOR, (2, 2): ASSIMILATOR}


def test_a_prerequisite_may_stand_anywhere() -> None:
    sim = make(further={(5, 0): PYLON})
    build(sim, 1, GATEWAY, (1, 2))
    assert standing(sim)[1, 2] == GATEWAY


def test_only_the_own_prerequisite_counts() -> None:
    sim = make(further={(5, 0): GATEWAY})  # its own Pylon is gone
    build(sim, 1, CORE, (1, 2))
    assert standing(sim)[1, 2] == CORE
    build(sim, 1, GATEWAY, (1, 3))
    assert (1, 3) not in standing(sim)


def test_a_prerequisite_on_its_way_is_not_there() -> None:
    """The command is judged before the Probes move."""
    sim = make()
    build(sim, 1, PYLON, (3, 3))
    build(sim, 2, GATEWAY, (1, 3))  # the Pylon is placed in this very time step, after the command
    assert standing(sim) == {HOME: NEXUS, (3, 3): PYLON}
    assert (sim.tasks, sim.probes[1]) == ([0, 0, 0], HOME)


def test_a_prerequisite_destroyed_on_the_way() -> None:
    sim = make(further={(5, 0): PYLON})
    build(sim, 1, GATEWAY, (3, 3), attack=[(5, 0)])
    assert (sim.tasks[0], sim.goals[0]) == (GATEWAY, (3, 3))  # attacks leave orders alone
    wait(sim)
    assert standing(sim) == {HOME: NEXUS}
    assert (sim.probes[0], sim.goals[0], sim.tasks[0]) == ((3, 3), (3, 3), 0)
    build(sim, 2, PYLON, (1, 2))
    wait(sim, 3)
    assert (3, 3) not in standing(sim)  # the order has ended


def test_a_prerequisite_destroyed_and_built_again_on_the_way() -> None:
    sim = make(further={(5, 0): PYLON})
    build(sim, 1, GATEWAY, (5, 5), attack=[(5, 0)])
    build(sim, 2, PYLON, (1, 2))
    wait(sim, 2)
    assert standing(sim) == {HOME: NEXUS, (1, 2): PYLON, (5, 5): GATEWAY}


def test_two_probes_for_one_cell_in_one_time_step() -> None:
    """The first Probe builds, though it got its order later; the second finds the cell taken."""
    sim = make()
    go(sim, 1, (2, 2))
    build(sim, 2, FORGE, (3, 3))
    build(sim, 1, CANNON, (3, 3))
    assert standing(sim) == {HOME: NEXUS, (3, 3): CANNON}
    assert sim.tasks == [0, 0, 0]
    assert sim.probes == [(3, 3), (3, 3), HOME]


def arriving_together(pylon_probe: int, gateway_probe: int) -> dict[Place, int]:
    """A Gateway and the Pylon that replaces the destroyed one are placed in the same time step."""
    sim = make(further={(5, 0): PYLON})
    build(sim, gateway_probe, GATEWAY, (4, 1), attack=[(5, 0)])
    build(sim, pylon_probe, PYLON, (1, 3))
    wait(sim)
    return standing(sim)


def test_a_building_of_an_earlier_probe_in_this_time_step_counts() -> None:
    assert arriving_together(1, 2) == {HOME: NEXUS, (1, 3): PYLON, (4, 1): GATEWAY}


def test_a_building_of_a_later_probe_in_this_time_step_does_not_count() -> None:
    assert arriving_together(2, 1) == {HOME: NEXUS, (1, 3): PYLON}


def test_a_cell_taken_on_the_way() -> None:
    sim = make()
    build(sim, 1, PYLON, (4, 4))
    build(sim, 2, FORGE, (4, 4))
    wait(sim, 3)
    assert standing(sim) == {HOME: NEXUS, (4, 4): PYLON}
    assert (sim.probes[1], sim.tasks[1]) == ((4, 4), 0)
