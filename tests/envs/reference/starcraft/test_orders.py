"""Examples worked out by hand from docs/starcraft-rules.md: the Probes go, and go to build."""

from envs.reference.starcraft.examples import (
    FORGE,
    GAS_AT,
    HOME,
    MINERALS_AT,
    NEXUS,
    NOTHING,
    OBSERVER,
    PYLON,
    build,
    go,
    make,
    standing,
    train,
    wait,
)


def test_go() -> None:
    sim = make()
    assert go(sim, 2, (4, 2)) == (0, False, False)
    assert sim.probes == [HOME, (2, 2), HOME]
    assert sim.goals == [HOME, (4, 2), HOME]
    assert sim.tasks == [0, 0, 0]
    assert (sim.stage, sim.time) == ([0, 0, 0], 1)
    wait(sim)
    assert sim.probes[1] == (3, 2)
    wait(sim)
    assert sim.probes[1] == sim.goals[1] == (4, 2)
    wait(sim, 2)
    assert sim.probes[1] == sim.goals[1] == (4, 2)
    assert sim.time == 5
    assert standing(sim) == {HOME: NEXUS}


def test_probes_move_like_kings_in_all_directions() -> None:
    sim = make(probe=(3, 3))
    for place, step in [((1, 3), (2, 3)), ((3, 0), (3, 2)), ((5, 1), (4, 2)), ((0, 5), (2, 4)), ((2, 2), (2, 2))]:
        go(sim, 1, place)
        assert sim.probes[0] == step
        go(sim, 1, (3, 3))
        assert sim.probes[0] == (3, 3)


def test_a_probe_goes_diagonally_first_and_never_leaves_the_map() -> None:
    sim = make(probe=(0, 0))
    go(sim, 1, (5, 2))
    path = [sim.probes[0]]
    for _ in range(6):
        wait(sim)
        path.append(sim.probes[0])
    assert path == [(1, 1), (2, 2), (3, 2), (4, 2), (5, 2), (5, 2), (5, 2)]
    go(sim, 1, (5, 5))
    wait(sim, 9)
    assert sim.probes[0] == (5, 5)
    go(sim, 1, (0, 5))
    wait(sim, 9)
    assert sim.probes[0] == (0, 5)


def test_a_probe_does_not_wrap_around_the_edge() -> None:
    sim = make(probe=(0, 0))
    go(sim, 1, (0, 5))
    assert sim.probes[0] == (0, 1)
    go(sim, 2, (5, 0))
    assert sim.probes[1] == (1, 0)


def test_probes_walk_over_buildings_terrain_and_each_other() -> None:
    sim = make(further={(0, 2): PYLON})
    go(sim, 1, MINERALS_AT)
    go(sim, 2, GAS_AT)
    go(sim, 3, (0, 2))
    assert sim.probes == [MINERALS_AT, GAS_AT, (0, 2)]
    go(sim, 1, GAS_AT)
    go(sim, 3, GAS_AT)
    assert sim.probes == [GAS_AT] * 3


def test_go_to_the_own_cell_ends_at_once() -> None:
    sim = make()
    go(sim, 1, HOME)
    assert (sim.probes[0], sim.goals[0], sim.tasks[0], sim.time) == (HOME, HOME, 0, 1)


def test_build() -> None:
    sim = make()
    build(sim, 3, PYLON, (4, 1))
    assert sim.probes == [HOME, HOME, (2, 1)]
    assert (sim.goals[2], sim.tasks) == ((4, 1), [0, 0, PYLON])
    wait(sim)
    assert standing(sim) == {HOME: NEXUS}
    wait(sim)
    assert standing(sim) == {HOME: NEXUS, (4, 1): PYLON}
    assert (sim.probes[2], sim.goals[2], sim.tasks) == ((4, 1), (4, 1), [0, 0, 0])


def test_a_building_is_built_once() -> None:
    sim = make()
    build(sim, 1, PYLON, (1, 2))
    sim.step(NOTHING, attack=[(1, 2)])
    wait(sim, 3)
    assert standing(sim) == {HOME: NEXUS}


def test_build_on_the_neighbouring_and_on_the_own_cell() -> None:
    sim = make()
    build(sim, 1, PYLON, (1, 2))
    assert standing(sim)[1, 2] == PYLON
    go(sim, 1, (2, 2))
    build(sim, 1, FORGE, (2, 2))
    assert standing(sim)[2, 2] == FORGE
    assert (sim.probes[0], sim.goals[0], sim.tasks[0]) == ((2, 2), (2, 2), 0)


def test_orders_run_on_while_others_are_given() -> None:
    sim = make()
    build(sim, 1, PYLON, (4, 4))
    build(sim, 2, FORGE, (1, 3))
    train(sim, HOME, OBSERVER)
    assert standing(sim) == {HOME: NEXUS, (1, 3): FORGE, (4, 4): PYLON}
    assert sim.units[OBSERVER - 1] == 1
    assert sim.time == 3


def test_build_replaces_build() -> None:
    sim = make()
    build(sim, 1, PYLON, (5, 5))
    build(sim, 1, FORGE, (2, 4))
    assert (sim.goals[0], sim.tasks[0]) == ((2, 4), FORGE)
    wait(sim, 8)
    assert standing(sim) == {HOME: NEXUS, (2, 4): FORGE}
    assert sim.probes[0] == (2, 4)


def test_go_replaces_build_even_to_the_same_cell() -> None:
    sim = make()
    build(sim, 1, PYLON, (3, 3))
    go(sim, 1, (3, 3))
    wait(sim, 3)
    assert sim.probes[0] == (3, 3)
    assert standing(sim) == {HOME: NEXUS}


def test_build_replaces_go() -> None:
    sim = make()
    go(sim, 1, (3, 3))
    build(sim, 1, PYLON, (3, 3))
    assert standing(sim)[3, 3] == PYLON
