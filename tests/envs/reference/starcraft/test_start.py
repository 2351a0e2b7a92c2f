"""Examples worked out by hand from docs/starcraft-rules.md: the start of an episode, on any map."""

from envs.reference.starcraft.examples import (
    ADEPT,
    HOME,
    NEXUS,
    PREREQUISITES,
    PYLON,
    TRAIN_ADEPT,
    TRAINERS,
    build,
    destroyed,
    grid,
    make,
    standing,
    train,
    wait,
)
from envs.reference.starcraft.simulator import Simulator


def test_start() -> None:
    sim = make()
    assert standing(sim) == {HOME: NEXUS}
    assert sim.probes == [HOME] * 3
    assert sim.goals == [HOME] * 3
    assert sim.tasks == [0, 0, 0]
    assert sim.units == [0] * 16
    assert sim.stage == [0, 0, 0]
    assert (sim.ambushed, destroyed(sim)) == (0, set())
    assert (sim.line, sim.time, sim.status) == (0, 0, "running")
    assert sim.transitions == dict.fromkeys(["next line", "skip", "jump back", "unit lost", "buildings lost"], 0)
    assert list(sim.transitions) == ["next line", "skip", "jump back", "unit lost", "buildings lost"]
    assert sim.latest == set()


def test_what_was_given_stays_as_it_was() -> None:
    buildings = grid({HOME: NEXUS})
    sim = Simulator([PYLON, TRAIN_ADEPT], PREREQUISITES, TRAINERS, grid({}), buildings, HOME)
    build(sim, 1, PYLON, HOME)
    build(sim, 1, PYLON, (1, 2))
    assert standing(sim) == {HOME: NEXUS, (1, 2): PYLON}
    assert buildings == grid({HOME: NEXUS})


def test_zeros_are_no_lines() -> None:
    sim = make(lines=[PYLON, TRAIN_ADEPT, 0, 0], steps_per_line=2, further={(5, 5): PYLON})
    wait(sim, 3)
    assert sim.status == "running"
    train(sim, (5, 5), ADEPT)
    assert (sim.status, sim.line) == ("succeeded", 2)
    sim = make(lines=[PYLON, TRAIN_ADEPT, 0, 0], steps_per_line=2)
    wait(sim, 4)
    assert sim.status == "timed out"


def test_another_size_of_map() -> None:
    terrain = [[0] * 3 for _ in range(3)]
    buildings = [[0, 0, 0], [0, NEXUS, 0], [0, 0, 0]]
    sim = Simulator([PYLON, TRAIN_ADEPT], PREREQUISITES, TRAINERS, terrain, buildings, (1, 1))
    assert len(sim.mask()) == 34 + 9
    sim.step(1)
    sim.step(3 + PYLON)
    sim.step(18 + 3 * 2 + 1)
    assert sim.buildings == [[0, 0, 0], [0, NEXUS, 0], [0, PYLON, 0]]
    sim.step(18 + 3 * 2 + 1)
    assert sim.step(18 + 9) == (1, True, False)
