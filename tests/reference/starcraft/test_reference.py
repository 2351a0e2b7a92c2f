"""Examples worked out by hand from docs/starcraft-rules.md, one paragraph after the other."""

import pytest

from .simulator import Simulator
from .validity import chain, problems

ASSIMILATOR, CORE, DARK_SHRINE, FORGE, GATEWAY, NEXUS, CANNON, PYLON, COUNCIL = 1, 2, 3, 5, 6, 7, 8, 9, 14
ADEPT, OBSERVER, STALKER, ZEALOT = 1, 8, 12, 16  # as numbers of units
TRAIN_ADEPT, TRAIN_OBSERVER, TRAIN_STALKER, TRAIN_ZEALOT = 15, 22, 26, 30  # as lines

# Pylon -> Gateway -> CyberneticsCore -> TwilightCouncil; all others are roots.
PREREQUISITES = [0, GATEWAY, 0, 0, 0, PYLON, 0, 0, 0, 0, 0, 0, 0, CORE]
# A Pylon trains the Adept, a CyberneticsCore the Stalker, a Gateway the Zealot, a Nexus everyone else.
TRAINERS = [PYLON, *[NEXUS] * 10, CORE, *[NEXUS] * 3, GATEWAY]

HOME = (1, 1)
MINERALS_AT, GAS_AT = (0, 0), (0, 1)
STATE = (
    *("buildings", "probes", "goals", "tasks", "units", "stage"),
    *("ambushed", "destroyed", "line", "time", "status", "transitions", "latest"),
)

NOTHING = 0


def probe(number):
    return number


def building(number):
    return 3 + number


def cell(row, column):
    return 18 + 6 * row + column


def unit(number):
    return 53 + number


def grid(things):
    """A 6×6 grid of zeros but for {place: code}."""
    return [[things.get((row, column), 0) for column in range(6)] for row in range(6)]


def make(lines=(PYLON, GATEWAY, TRAIN_ZEALOT), further=None, **options):
    """An episode with a Nexus and the Probes at HOME, and the further buildings {place: kind}."""
    options = {"prerequisites": PREREQUISITES, "trainers": TRAINERS, "probe": HOME} | options
    return Simulator(
        lines=lines,
        terrain=grid({MINERALS_AT: 1, GAS_AT: 2}),
        buildings=grid({HOME: NEXUS} | (further or {})),
        **options,
    )


def state(sim):
    """A copy of all the state there is."""
    copies = {"buildings": [list(row) for row in sim.buildings], "destroyed": [list(row) for row in sim.destroyed]}
    copies |= {name: list(getattr(sim, name)) for name in ("probes", "goals", "tasks", "units", "stage")}
    copies |= {"transitions": dict(sim.transitions), "latest": set(sim.latest)}
    return {name: copies.get(name, getattr(sim, name)) for name in STATE}


def standing(sim):
    return {(r, c): code for r, row in enumerate(sim.buildings) for c, code in enumerate(row) if code}


def destroyed(sim):
    return {(r, c) for r, row in enumerate(sim.destroyed) for c, here in enumerate(row) if here}


def go(sim, number, place, **enemy):
    sim.step(probe(number))
    return sim.step(cell(*place), **enemy)


def build(sim, number, kind, place, **enemy):
    sim.step(probe(number))
    sim.step(building(kind))
    return sim.step(cell(*place), **enemy)


def train(sim, place, kind, **enemy):
    sim.step(cell(*place))
    return sim.step(unit(kind), **enemy)


def wait(sim, times=1):
    for _ in range(times):
        sim.step(NOTHING)


def allowed(sim):
    return {choice for choice, okay in enumerate(sim.mask()) if okay}


PROBES = {1, 2, 3}
BUILDINGS = set(range(4, 18))
CELLS = set(range(18, 54))
UNITS = set(range(54, 70))


# The start


def test_start():
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


def test_what_was_given_stays_as_it_was():
    buildings = grid({HOME: NEXUS})
    sim = Simulator([PYLON, TRAIN_ADEPT], PREREQUISITES, TRAINERS, grid({}), buildings, HOME)
    build(sim, 1, PYLON, HOME)
    build(sim, 1, PYLON, (1, 2))
    assert standing(sim) == {HOME: NEXUS, (1, 2): PYLON}
    assert buildings == grid({HOME: NEXUS})


def test_zeros_are_no_lines():
    sim = make(lines=[PYLON, TRAIN_ADEPT, 0, 0], steps_per_line=2, further={(5, 5): PYLON})
    wait(sim, 3)
    assert sim.status == "running"
    train(sim, (5, 5), ADEPT)
    assert (sim.status, sim.line) == ("succeeded", 2)
    sim = make(lines=[PYLON, TRAIN_ADEPT, 0, 0], steps_per_line=2)
    wait(sim, 4)
    assert sim.status == "timed out"


# Choices, stages and the mask


def test_numbers_of_the_choices():
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


def test_the_last_choice_is_the_last_unit_and_cells_are_numbered_row_by_row():
    sim = make(lines=[PYLON, TRAIN_ADEPT], further={(2, 4): GATEWAY})
    sim.step(18 + 2 * 6 + 4)
    sim.step(69)
    assert sim.units == [0] * 15 + [1]


def test_the_first_cell():
    sim = make(further={(0, 0): PYLON})
    sim.step(18)
    assert sim.stage == [0, 0, 1]
    sim.step(unit(ADEPT))
    assert sim.units[0] == 1


def test_mask_of_the_empty_stage():
    sim = make(further={(5, 0): PYLON})
    assert allowed(sim) == {NOTHING} | PROBES | {cell(*HOME), cell(5, 0)}


def test_mask_after_a_probe():
    sim = make()
    sim.step(probe(2))
    assert allowed(sim) == {NOTHING} | BUILDINGS | CELLS


def test_mask_after_a_probe_and_a_building():
    sim = make()
    sim.step(probe(2))
    sim.step(building(COUNCIL))
    assert allowed(sim) == {NOTHING} | CELLS


def test_mask_after_a_cell():
    sim = make()
    sim.step(cell(*HOME))
    assert allowed(sim) == {NOTHING} | UNITS


def test_mask_follows_the_buildings():
    sim = make()
    build(sim, 1, PYLON, (1, 2))
    assert allowed(sim) == {NOTHING} | PROBES | {cell(*HOME), cell(1, 2)}
    sim.step(NOTHING, attack=[(1, 2)])
    assert allowed(sim) == {NOTHING} | PROBES | {cell(*HOME)}


def test_mask_is_of_booleans_in_every_stage():
    sim = make()
    for choice in (probe(1), building(PYLON), NOTHING, cell(*HOME), NOTHING):
        assert {type(okay) for okay in sim.mask()} == {bool}
        sim.step(choice)


@pytest.mark.parametrize(
    "choices",
    [[probe(1)], [probe(3), building(PYLON)], [cell(*HOME)]],
)
def test_narrowing_changes_nothing_but_the_stage(choices):
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


def test_narrows():
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
def test_choices_that_the_mask_does_not_allow_do_what_nothing_does(stage, choice):
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


def test_the_last_choices_before_zero_are_no_choices_from_the_end():
    sim = make(further={(5, 5): GATEWAY})
    sim.step(cell(5, 5))
    sim.step(-1)
    assert sim.units == [0] * 16


# Commands


def test_go():
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


def test_probes_move_like_kings_in_all_directions():
    sim = make(probe=(3, 3))
    for place, step in [((1, 3), (2, 3)), ((3, 0), (3, 2)), ((5, 1), (4, 2)), ((0, 5), (2, 4)), ((2, 2), (2, 2))]:
        go(sim, 1, place)
        assert sim.probes[0] == step
        go(sim, 1, (3, 3))
        assert sim.probes[0] == (3, 3)


def test_a_probe_goes_diagonally_first_and_never_leaves_the_map():
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


def test_a_probe_does_not_wrap_around_the_edge():
    sim = make(probe=(0, 0))
    go(sim, 1, (0, 5))
    assert sim.probes[0] == (0, 1)
    go(sim, 2, (5, 0))
    assert sim.probes[1] == (1, 0)


def test_probes_walk_over_buildings_terrain_and_each_other():
    sim = make(further={(0, 2): PYLON})
    go(sim, 1, MINERALS_AT)
    go(sim, 2, GAS_AT)
    go(sim, 3, (0, 2))
    assert sim.probes == [MINERALS_AT, GAS_AT, (0, 2)]
    go(sim, 1, GAS_AT)
    go(sim, 3, GAS_AT)
    assert sim.probes == [GAS_AT] * 3


def test_go_to_the_own_cell_ends_at_once():
    sim = make()
    go(sim, 1, HOME)
    assert (sim.probes[0], sim.goals[0], sim.tasks[0], sim.time) == (HOME, HOME, 0, 1)


def test_build():
    sim = make()
    build(sim, 3, PYLON, (4, 1))
    assert sim.probes == [HOME, HOME, (2, 1)]
    assert (sim.goals[2], sim.tasks) == ((4, 1), [0, 0, PYLON])
    wait(sim)
    assert standing(sim) == {HOME: NEXUS}
    wait(sim)
    assert standing(sim) == {HOME: NEXUS, (4, 1): PYLON}
    assert (sim.probes[2], sim.goals[2], sim.tasks) == ((4, 1), (4, 1), [0, 0, 0])


def test_a_building_is_built_once():
    sim = make()
    build(sim, 1, PYLON, (1, 2))
    sim.step(NOTHING, attack=[(1, 2)])
    wait(sim, 3)
    assert standing(sim) == {HOME: NEXUS}


def test_build_on_the_neighbouring_and_on_the_own_cell():
    sim = make()
    build(sim, 1, PYLON, (1, 2))
    assert standing(sim)[1, 2] == PYLON
    go(sim, 1, (2, 2))
    build(sim, 1, FORGE, (2, 2))
    assert standing(sim)[2, 2] == FORGE
    assert (sim.probes[0], sim.goals[0], sim.tasks[0]) == ((2, 2), (2, 2), 0)


def test_orders_run_on_while_others_are_given():
    sim = make()
    build(sim, 1, PYLON, (4, 4))
    build(sim, 2, FORGE, (1, 3))
    train(sim, HOME, OBSERVER)
    assert standing(sim) == {HOME: NEXUS, (1, 3): FORGE, (4, 4): PYLON}
    assert sim.units[OBSERVER - 1] == 1
    assert sim.time == 3


def test_build_replaces_build():
    sim = make()
    build(sim, 1, PYLON, (5, 5))
    build(sim, 1, FORGE, (2, 4))
    assert (sim.goals[0], sim.tasks[0]) == ((2, 4), FORGE)
    wait(sim, 8)
    assert standing(sim) == {HOME: NEXUS, (2, 4): FORGE}
    assert sim.probes[0] == (2, 4)


def test_go_replaces_build_even_to_the_same_cell():
    sim = make()
    build(sim, 1, PYLON, (3, 3))
    go(sim, 1, (3, 3))
    wait(sim, 3)
    assert sim.probes[0] == (3, 3)
    assert standing(sim) == {HOME: NEXUS}


def test_build_replaces_go():
    sim = make()
    go(sim, 1, (3, 3))
    build(sim, 1, PYLON, (3, 3))
    assert standing(sim)[3, 3] == PYLON


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
def test_invalid_builds_do_what_nothing_does(kind, place):
    sims = make(further={(5, 5): CANNON}), make(further={(5, 5): CANNON})
    for sim in sims:
        build(sim, 1, PYLON, (5, 3))
    assert build(sims[0], 1, kind, place) == (0, False, False)
    wait(sims[1])
    assert state(sims[0]) == state(sims[1])
    assert (sims[0].time, sims[0].probes[0]) == (2, (3, 3))
    assert (sims[0].goals[0], sims[0].tasks[0]) == ((5, 3), PYLON)  # the order it had


def test_invalid_choice_amid_a_command_leaves_the_orders():
    sim = make()
    go(sim, 1, (5, 5))
    sim.step(probe(1))
    sim.step(building(PYLON))
    sim.step(NOTHING)
    assert (sim.goals[0], sim.tasks[0], sim.stage) == ((5, 5), 0, [0, 0, 0])


def test_an_assimilator_stands_on_gas_and_on_plain():
    sim = make()
    build(sim, 1, ASSIMILATOR, GAS_AT)
    build(sim, 2, ASSIMILATOR, (2, 2))
    assert standing(sim) == {HOME: NEXUS, GAS_AT: ASSIMILATOR, (2, 2): ASSIMILATOR}


def test_a_prerequisite_may_stand_anywhere():
    sim = make(further={(5, 0): PYLON})
    build(sim, 1, GATEWAY, (1, 2))
    assert standing(sim)[1, 2] == GATEWAY


def test_only_the_own_prerequisite_counts():
    sim = make(further={(5, 0): GATEWAY})  # its own Pylon is gone
    build(sim, 1, CORE, (1, 2))
    assert standing(sim)[1, 2] == CORE
    build(sim, 1, GATEWAY, (1, 3))
    assert (1, 3) not in standing(sim)


def test_a_prerequisite_on_its_way_is_not_there():
    """The command is judged before the Probes move."""
    sim = make()
    build(sim, 1, PYLON, (3, 3))
    build(sim, 2, GATEWAY, (1, 3))  # the Pylon is placed in this very time step, after the command
    assert standing(sim) == {HOME: NEXUS, (3, 3): PYLON}
    assert (sim.tasks, sim.probes[1]) == ([0, 0, 0], HOME)


def test_a_prerequisite_destroyed_on_the_way():
    sim = make(further={(5, 0): PYLON})
    build(sim, 1, GATEWAY, (3, 3), attack=[(5, 0)])
    assert (sim.tasks[0], sim.goals[0]) == (GATEWAY, (3, 3))  # attacks leave orders alone
    wait(sim)
    assert standing(sim) == {HOME: NEXUS}
    assert (sim.probes[0], sim.goals[0], sim.tasks[0]) == ((3, 3), (3, 3), 0)
    build(sim, 2, PYLON, (1, 2))
    wait(sim, 3)
    assert (3, 3) not in standing(sim)  # the order has ended


def test_a_prerequisite_destroyed_and_built_again_on_the_way():
    sim = make(further={(5, 0): PYLON})
    build(sim, 1, GATEWAY, (5, 5), attack=[(5, 0)])
    build(sim, 2, PYLON, (1, 2))
    wait(sim, 2)
    assert standing(sim) == {HOME: NEXUS, (1, 2): PYLON, (5, 5): GATEWAY}


def test_two_probes_for_one_cell_in_one_time_step():
    """The first Probe builds, though it got its order later; the second finds the cell taken."""
    sim = make()
    go(sim, 1, (2, 2))
    build(sim, 2, FORGE, (3, 3))
    build(sim, 1, CANNON, (3, 3))
    assert standing(sim) == {HOME: NEXUS, (3, 3): CANNON}
    assert sim.tasks == [0, 0, 0]
    assert sim.probes == [(3, 3), (3, 3), HOME]


def arriving_together(pylon_probe, gateway_probe):
    """A Gateway and the Pylon that replaces the destroyed one are placed in the same time step."""
    sim = make(further={(5, 0): PYLON})
    build(sim, gateway_probe, GATEWAY, (4, 1), attack=[(5, 0)])
    build(sim, pylon_probe, PYLON, (1, 3))
    wait(sim)
    return standing(sim)


def test_a_building_of_an_earlier_probe_in_this_time_step_counts():
    assert arriving_together(1, 2) == {HOME: NEXUS, (1, 3): PYLON, (4, 1): GATEWAY}


def test_a_building_of_a_later_probe_in_this_time_step_does_not_count():
    assert arriving_together(2, 1) == {HOME: NEXUS, (1, 3): PYLON}


def test_a_cell_taken_on_the_way():
    sim = make()
    build(sim, 1, PYLON, (4, 4))
    build(sim, 2, FORGE, (4, 4))
    wait(sim, 3)
    assert standing(sim) == {HOME: NEXUS, (4, 4): PYLON}
    assert (sim.probes[1], sim.tasks[1]) == ((4, 4), 0)


def test_train():
    sim = make(further={(5, 5): PYLON})
    train(sim, (5, 5), ADEPT)
    assert sim.units == [1] + [0] * 15
    train(sim, (5, 5), ADEPT)
    assert sim.units == [2] + [0] * 15
    assert (sim.time, sim.stage) == (2, [0, 0, 0])
    assert (sim.probes, sim.goals) == ([HOME] * 3, [HOME] * 3)


def test_train_needs_no_prerequisite_to_stand():
    sim = make(lines=[PYLON, TRAIN_ADEPT], further={(5, 5): GATEWAY})
    train(sim, (5, 5), ZEALOT)
    assert sim.units[ZEALOT - 1] == 1


def test_only_its_trainer_trains_a_unit():
    sim = make(further={(5, 5): PYLON, (4, 4): GATEWAY})
    assert train(sim, (5, 5), ZEALOT) == (0, False, False)
    assert train(sim, HOME, ADEPT) == (0, False, False)
    assert sim.units == [0] * 16
    assert sim.time == 2


def test_a_command_of_a_step_may_not_use_what_the_step_builds():
    sim = make()
    build(sim, 1, PYLON, (3, 3))
    sim.step(cell(3, 3))  # nothing stands there yet, so this is a time step
    assert (sim.time, sim.stage) == (2, [0, 0, 0])
    assert standing(sim)[3, 3] == PYLON


# Progress


def test_success():
    sim = make()
    build(sim, 1, PYLON, (1, 2))
    build(sim, 2, GATEWAY, (2, 2))
    sim.step(cell(2, 2))
    assert sim.step(unit(ZEALOT)) == (1, True, False)
    assert (sim.status, sim.time, sim.line) == ("succeeded", 3, 3)
    assert sim.transitions == {"next line": 3, "skip": 0, "jump back": 0, "unit lost": 0, "buildings lost": 0}
    assert sim.latest == {"next line"}


def test_all_units_have_to_be_alive_at_the_same_moment():
    sim = make(lines=[PYLON, TRAIN_ADEPT, NEXUS, TRAIN_OBSERVER], further={(5, 5): PYLON})
    assert train(sim, (5, 5), ADEPT) == (0, False, False)
    assert sim.step(NOTHING, ambush=ADEPT) == (0, False, False)
    assert train(sim, HOME, OBSERVER) == (0, False, False)
    assert train(sim, (5, 5), ADEPT) == (1, True, False)


def test_units_may_come_in_any_order_and_buildings_need_not_be_built():
    sim = make(lines=[PYLON, GATEWAY, TRAIN_ZEALOT, NEXUS, TRAIN_OBSERVER], further={(5, 5): GATEWAY})
    assert train(sim, HOME, OBSERVER) == (0, False, False)
    assert train(sim, (5, 5), ZEALOT) == (1, True, False)


def test_a_unit_ordered_twice_must_live_twice():
    sim = make(lines=[PYLON, TRAIN_ADEPT, PYLON, TRAIN_ADEPT], further={(5, 5): PYLON})
    assert train(sim, (5, 5), ADEPT) == (0, False, False)
    assert sim.line == 3  # the second order; its Pylon stands
    assert train(sim, (5, 5), ADEPT) == (1, True, False)
    assert sim.line == 4


def test_more_than_ordered_is_no_harm():
    sim = make(lines=[PYLON, TRAIN_ADEPT, NEXUS, TRAIN_OBSERVER], further={(5, 5): PYLON})
    train(sim, (5, 5), ADEPT)
    assert train(sim, (5, 5), ADEPT) == (0, False, False)
    assert train(sim, HOME, OBSERVER) == (1, True, False)
    assert sim.units[ADEPT - 1] == 2


def test_the_enemy_does_not_come_in_the_step_of_success():
    sim = make(lines=[PYLON, TRAIN_ADEPT], further={(5, 5): PYLON})
    assert train(sim, (5, 5), ADEPT, ambush=ADEPT, attack=[(5, 5)]) == (1, True, False)
    assert sim.units[ADEPT - 1] == 1
    assert standing(sim) == {HOME: NEXUS, (5, 5): PYLON}
    assert (sim.ambushed, destroyed(sim)) == (0, set())
    assert sim.latest == {"next line"}


def test_the_step_of_success_ignores_impossible_deeds_and_ends_old_news():
    sim = make(lines=[PYLON, TRAIN_ADEPT], further={(5, 5): PYLON, (4, 4): FORGE})
    train(sim, HOME, OBSERVER, ambush=OBSERVER, attack=[(4, 4)])
    assert (sim.ambushed, destroyed(sim)) == (OBSERVER, {(4, 4)})
    assert train(sim, (5, 5), ADEPT, ambush=ZEALOT, attack=[(4, 4)]) == (1, True, False)
    assert (sim.ambushed, destroyed(sim)) == (0, set())


# The enemy


def test_ambush():
    sim = make(further={(5, 5): PYLON})
    train(sim, (5, 5), ADEPT)
    train(sim, (5, 5), ADEPT)
    assert sim.step(NOTHING, ambush=ADEPT) == (0, False, False)
    assert (sim.units[ADEPT - 1], sim.ambushed) == (1, ADEPT)
    assert sim.latest == {"unit lost"}
    assert sim.transitions["unit lost"] == 1
    wait(sim)
    assert (sim.units[ADEPT - 1], sim.ambushed, sim.latest) == (1, 0, set())


def test_an_ambush_may_destroy_the_unit_just_trained():
    sim = make(further={(5, 5): PYLON})
    train(sim, (5, 5), ADEPT, ambush=ADEPT)
    assert (sim.units, sim.ambushed) == ([0] * 16, ADEPT)


def test_attack():
    sim = make(further={(5, 5): PYLON, (4, 4): FORGE, (3, 3): PYLON})
    assert sim.step(NOTHING, attack={(5, 5), (4, 4)}) == (0, False, False)
    assert standing(sim) == {HOME: NEXUS, (3, 3): PYLON}
    assert destroyed(sim) == {(5, 5), (4, 4)}
    assert sim.latest == {"buildings lost"}
    assert sim.transitions["buildings lost"] == 1  # the attack counts, not the buildings
    wait(sim)
    assert (destroyed(sim), sim.latest) == (set(), set())


def test_an_attack_on_nothing_is_no_loss():
    sim = make(further={(5, 5): PYLON})
    sim.step(NOTHING, ambush=0, attack=[])
    assert (sim.latest, sim.transitions["buildings lost"], sim.transitions["unit lost"]) == (set(), 0, 0)


def test_an_attack_may_destroy_what_was_just_built_and_it_may_be_built_again():
    sim = make(further={(5, 5): FORGE})
    build(sim, 1, PYLON, (1, 2), attack=[(1, 2)])
    assert standing(sim) == {HOME: NEXUS, (5, 5): FORGE}
    assert destroyed(sim) == {(1, 2)}
    build(sim, 1, CANNON, (1, 2))
    assert standing(sim)[1, 2] == CANNON


def test_attack_and_ambush_in_one_step():
    sim = make(further={(5, 5): PYLON})
    train(sim, (5, 5), ADEPT, ambush=ADEPT, attack=[(5, 5)])
    assert (sim.ambushed, destroyed(sim)) == (ADEPT, {(5, 5)})
    assert {"unit lost", "buildings lost"} <= sim.latest


def test_probes_and_orders_survive_an_attack_on_their_cells():
    sim = make(further={(2, 2): PYLON})
    build(sim, 1, FORGE, (3, 3), attack=[(2, 2)])
    assert (sim.probes[0], sim.goals[0], sim.tasks[0]) == ((2, 2), (3, 3), FORGE)
    wait(sim)
    assert standing(sim) == {HOME: NEXUS, (3, 3): FORGE}


def test_news_stay_during_narrowing_until_the_next_time_step_ends():
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
def test_impossible_deeds(enemy):
    sim = make(further={(5, 5): PYLON, (2, 5): NEXUS})
    train(sim, (5, 5), ADEPT)
    with pytest.raises(AssertionError):
        sim.step(NOTHING, **enemy)


def test_a_nexus_that_was_built_is_not_destroyed_either():
    sim = make()
    build(sim, 1, NEXUS, (1, 2))
    with pytest.raises(AssertionError):
        sim.step(NOTHING, attack=[(1, 2)])


# The end


def test_time_limit():
    sim = make()  # 3 lines
    for _ in range(89):
        assert sim.step(NOTHING) == (0, False, False)
    assert sim.status == "running"
    assert sim.step(NOTHING) == (0, False, True)
    assert (sim.status, sim.time) == ("timed out", 90)


def test_narrowing_takes_no_time_of_the_limit():
    sim = make(lines=[PYLON, TRAIN_ADEPT], steps_per_line=1)
    for _ in range(2):
        assert sim.step(probe(1)) == (0, False, False)
        assert sim.step(building(PYLON)) == (0, False, False)
        assert sim.status == "running"
        sim.step(cell(5, 5))
    assert sim.status == "timed out"


def test_success_in_the_last_step():
    sim = make(lines=[PYLON, TRAIN_ADEPT], further={(5, 5): PYLON}, steps_per_line=2)
    wait(sim, 3)
    assert train(sim, (5, 5), ADEPT) == (1, True, False)
    assert (sim.status, sim.time) == ("succeeded", 4)


def test_the_enemy_comes_in_the_last_step():
    sim = make(lines=[PYLON, TRAIN_ADEPT], further={(5, 5): PYLON}, steps_per_line=1)
    assert sim.line == 1
    train(sim, HOME, OBSERVER)
    assert sim.step(NOTHING, ambush=OBSERVER, attack=[(5, 5)]) == (0, False, True)
    assert sim.units == [0] * 16
    assert standing(sim) == {HOME: NEXUS}
    assert (sim.line, sim.latest) == (0, {"unit lost", "buildings lost", "jump back"})


@pytest.mark.parametrize("end", ["succeeded", "timed out"])
def test_a_finished_episode_stays_as_it_is(end):
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


def test_the_last_news_of_a_timed_out_episode_stay():
    sim = make(lines=[PYLON, TRAIN_ADEPT], further={(5, 5): PYLON}, steps_per_line=1)
    train(sim, HOME, OBSERVER)
    sim.step(NOTHING, ambush=OBSERVER, attack=[(5, 5)])
    wait(sim)
    assert (sim.ambushed, destroyed(sim)) == (OBSERVER, {(5, 5)})


# The line to do

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
def test_line_at_the_start(further, line):
    sim = make(lines=LONG, further={(5, column): kind for column, kind in enumerate(further)})
    assert sim.line == line
    assert sum(sim.transitions.values()) == 0
    assert sim.latest == set()


def test_line_at_the_start_of_an_instruction_that_begins_with_a_nexus():
    assert make(lines=[NEXUS, TRAIN_OBSERVER]).line == 1


def test_line_through_a_whole_episode():
    sim = make(lines=LONG)
    seen = []

    def note():
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


def test_the_last_unit_trained_early_is_skipped_at_the_end():
    sim = make(lines=[PYLON, TRAIN_ADEPT, NEXUS, TRAIN_OBSERVER], further={(5, 5): PYLON})
    train(sim, HOME, OBSERVER)
    assert (sim.line, sim.latest) == (1, set())
    train(sim, (5, 5), ADEPT)
    assert (sim.line, sim.latest, sim.status) == (4, {"skip"}, "succeeded")


def test_a_standing_building_before_an_earlier_unit_does_not_matter():
    """The line never lies before the last unit line before the first one that is not covered."""
    sim = make(lines=[NEXUS, TRAIN_OBSERVER, PYLON, TRAIN_ADEPT])
    train(sim, HOME, OBSERVER)
    assert sim.line == 2


def test_the_unit_to_train_next_is_the_first_that_is_not_covered():
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


def test_the_line_is_found_after_the_enemy():
    sim = make(lines=[PYLON, TRAIN_ADEPT])
    build(sim, 1, PYLON, (1, 2), attack=[(1, 2)])
    assert (sim.line, sim.latest) == (0, {"buildings lost"})


def test_an_attack_may_leave_the_line_where_it_is():
    sim = make(further={(5, 5): PYLON, (5, 4): GATEWAY})
    assert sim.line == 2
    sim.step(NOTHING, attack=[(5, 5)])
    assert (sim.line, sim.latest) == (2, {"buildings lost"})
    build(sim, 1, GATEWAY, (1, 2))  # and yet no further Gateway can be built without a Pylon
    assert (1, 2) not in standing(sim)


# Other maps


def test_another_size_of_map():
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


# Valid levels


def level(**changes):
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


def problem(**changes):
    """The only problem that the changes make."""
    found = problems(**level(**changes))
    assert len(found) == 1, found
    return found[0]


def test_valid_levels():
    assert problems(**level()) == []
    assert problems(**level(max_depth=4, max_prerequisites=3)) == []
    assert problems(**level(lines=[PYLON, TRAIN_ADEPT, PYLON, TRAIN_ADEPT, 0, 0, 0])) == []
    assert problems(**level(buildings=grid({HOME: NEXUS}))) == []
    assert (
        problems(**level(prerequisites=[0] * 14, trainers=[NEXUS] * 16, lines=[NEXUS, 15], max_prerequisites=0)) == []
    )


def test_chain():
    assert chain(COUNCIL, PREREQUISITES) == [PYLON, GATEWAY, CORE, COUNCIL]
    assert chain(NEXUS, PREREQUISITES) == [NEXUS]


def test_numbers_that_mean_nothing():
    assert "31 is no line" in problem(lines=[PYLON, 31])
    assert "0 is no line" in problem(lines=[PYLON, 0, TRAIN_ADEPT])
    assert "15 is no prerequisite" in problem(prerequisites=[15, *PREREQUISITES[1:]])
    assert "0 is no trainer" in problem(trainers=[0, *TRAINERS[1:]])
    assert "13 prerequisites" in problem(prerequisites=PREREQUISITES[:13])
    assert "17 trainers" in problem(trainers=[*TRAINERS, NEXUS])


def test_a_circle():
    # Assimilator needs DarkShrine needs Assimilator
    found = problems(**level(prerequisites=[DARK_SHRINE, GATEWAY, ASSIMILATOR, *PREREQUISITES[3:]]))
    assert len(found) == 2
    assert all("circle" in words for words in found)
    assert "circle" in problem(prerequisites=[ASSIMILATOR, *PREREQUISITES[1:]])


def test_too_deep():
    assert "chain of building 14 has 4 buildings" in problem(max_depth=3)


def test_too_many_prerequisites():
    found = problems(**level(max_prerequisites=2))
    assert [words.split(",")[0] for words in found] == [
        "3 buildings have a prerequisite",
        "4 buildings have or are a prerequisite",
    ]


def test_prerequisites_of_too_many_buildings():
    """Only the first building of the shuffle and the capped number after it have to do with prerequisites."""
    pairs = [FORGE, *PREREQUISITES[1:13], 0]  # Assimilator needs Forge; Pylon -> Gateway -> CyberneticsCore
    assert "5 buildings have or are" in problem(prerequisites=pairs, max_prerequisites=3)
    assert problems(**level(prerequisites=pairs, max_prerequisites=4)) == []


def test_length():
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
def test_orders_that_are_no_complete_chain(lines):
    assert "instead of its chain" in problem(lines=lines)


def test_buildings_at_the_end():
    assert "ends with the buildings [9, 6]" in problem(lines=[PYLON, TRAIN_ADEPT, PYLON, GATEWAY])


def test_shapes_and_codes_of_the_map():
    assert "not 6 by 6" in problem(buildings=grid({HOME: NEXUS})[:5])
    assert "not 6 by 6" in problem(terrain=[row[:5] for row in level()["terrain"]])
    assert "15 is no code of the buildings" in problem(buildings=grid({HOME: NEXUS, (3, 3): 15}))
    assert "3 is no code of the terrain" in problem(terrain=grid({MINERALS_AT: 1, GAS_AT: 2, (5, 5): 3}))
    assert "not on the map" in problem(probe=(1, 6))


def test_minerals_and_gas():
    assert "0 cells of gas" in problem(terrain=grid({MINERALS_AT: 1}))
    assert "0 cells of minerals" in problem(terrain=grid({GAS_AT: 2}))
    assert "2 cells of minerals" in problem(terrain=grid({MINERALS_AT: 1, (2, 2): 1, GAS_AT: 2}))
    assert "gas at (1, 3)" in problem(terrain=grid({MINERALS_AT: 1, (1, 3): 2}))
    assert "minerals at (1, 1)" in problem(terrain=grid({HOME: 1, GAS_AT: 2}))


def test_the_nexus_of_the_probes():
    assert "no Nexus at" in problem(buildings=grid({HOME: PYLON, (5, 5): NEXUS}))
    assert "no Nexus at" in problem(buildings=grid({(5, 5): NEXUS}))
    # Beside another Nexus than the terrain
    found = problems(**level(probe=(5, 5)))
    assert [words.split(" at")[0] for words in found] == ["the minerals", "the gas"]


def test_buildings_on_terrain():
    assert "on terrain 1 at (0, 0)" in problem(buildings=grid({HOME: NEXUS, MINERALS_AT: PYLON}))
    assert "on terrain 2 at (0, 1)" in problem(buildings=grid({HOME: NEXUS, GAS_AT: ASSIMILATOR}))


def crowded(number):
    """A Nexus and this many further buildings on plain cells, of which there are 33."""
    plain = [(r, c) for r in range(6) for c in range(6) if (r, c) not in (HOME, MINERALS_AT, GAS_AT)]
    return grid({HOME: NEXUS} | dict.fromkeys(plain[:number], FORGE))


def test_free_cells_for_the_building_lines():
    assert problems(**level(buildings=crowded(30))) == []  # 3 building lines
    assert "31 further buildings on 33 cells" in problem(buildings=crowded(31))


def test_more_building_lines_than_cells():
    lines = [PYLON, TRAIN_ADEPT] * 40
    assert problems(**level(lines=lines, length=(80, 80), buildings=crowded(0))) == []
    assert "1 further buildings" in problem(lines=lines, length=(80, 80), buildings=crowded(1))
