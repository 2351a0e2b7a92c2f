"""Examples worked out by hand from docs/starcraft-rules.md: the time limit and what comes after the end."""

import pytest

from envs.reference.starcraft.examples import (
    ADEPT,
    CANNON,
    FORGE,
    HOME,
    NEXUS,
    NOTHING,
    OBSERVER,
    PROBES,
    PYLON,
    TRAIN_ADEPT,
    ZEALOT,
    allowed,
    build,
    building,
    cell,
    destroyed,
    make,
    probe,
    standing,
    state,
    train,
    wait,
)


def test_time_limit() -> None:
    sim = make()  # 3 lines
    for _ in range(89):
        assert sim.step(NOTHING) == (0, False, False)
    assert sim.status == "running"
    assert sim.step(NOTHING) == (0, False, True)
    assert (sim.status, sim.time) == ("timed out", 90)


def test_narrowing_takes_no_time_of_the_limit() -> None:
    sim = make(lines=[PYLON, TRAIN_ADEPT], steps_per_line=1)
    for _ in range(2):
        assert sim.step(probe(1)) == (0, False, False)
        assert sim.step(building(PYLON)) == (0, False, False)
        assert sim.status == "running"
        sim.step(cell(5, 5))
    assert sim.status == "timed out"


def test_success_in_the_last_step() -> None:
    sim = make(lines=[PYLON, TRAIN_ADEPT], further={(5, 5): PYLON}, steps_per_line=2)
    wait(sim, 3)
    assert train(sim, (5, 5), ADEPT) == (1, True, False)
    assert (sim.status, sim.time) == ("succeeded", 4)


def test_the_enemy_comes_in_the_last_step() -> None:
    sim = make(lines=[PYLON, TRAIN_ADEPT], further={(5, 5): PYLON}, steps_per_line=1)
    assert sim.line == 1
    train(sim, HOME, OBSERVER)
    assert sim.step(NOTHING, ambush=OBSERVER, attack=[(5, 5)]) == (0, False, True)
    assert sim.units == [0] * 16
    assert standing(sim) == {HOME: NEXUS}
    assert (sim.line, sim.latest) == (0, {"unit lost", "buildings lost", "jump back"})


@pytest.mark.parametrize("end", ["succeeded", "timed out"])
def test_a_finished_episode_stays_as_it_is(end: str) -> None:
    sim = make(lines=[PYLON, TRAIN_ADEPT], further={(5, 5): PYLON, (4, 4): FORGE}, steps_per_line=2)
    train(sim, HOME, OBSERVER)
    build(sim, 1, CANNON, (5, 0), ambush=OBSERVER, attack=[(4, 4)])
    wait(sim)
    if end == "succeeded":
        assert train(sim, (5, 5), ADEPT) == (1, True, False)
    else:
        assert sim.step(NOTHING) == (0, False, True)
    assert sim.status == end
    before, mask = state(sim), sim.mask()
    for choice in range(-1, 71):
        assert not sim.narrows(choice)
        flags = sim.step(choice, ambush=ZEALOT, attack=[HOME])
        assert flags == ((0, True, False) if end == "succeeded" else (0, False, True))
        assert state(sim) == before
    assert sim.mask() == mask
    assert allowed(sim) == {NOTHING} | PROBES | {cell(r, c) for r, c in standing(sim)}


def test_the_last_news_of_a_timed_out_episode_stay() -> None:
    sim = make(lines=[PYLON, TRAIN_ADEPT], further={(5, 5): PYLON}, steps_per_line=1)
    train(sim, HOME, OBSERVER)
    sim.step(NOTHING, ambush=OBSERVER, attack=[(5, 5)])
    wait(sim)
    assert (sim.ambushed, destroyed(sim)) == (OBSERVER, {(5, 5)})
