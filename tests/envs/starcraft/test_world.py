"""What holds in every episode, whatever is chosen and whatever the enemy does."""

import numpy as np

from cofca.envs.starcraft import Building, Status, Terrain, Transition
from cofca.envs.starcraft.symbols import FIRST_CELL, NUM_UNITS
from envs.starcraft.differential import HARSH
from envs.starcraft.episodes import (
    Episode,
    arrived,
    every_episode,
    level,
    lost_unit,
    play,
    same,
    sensible_episodes,
    told,
    trained,
)


@every_episode
def test_units_come_only_by_valid_training_and_go_only_by_ambush_one_at_a_time(episode: Episode) -> None:
    trainers = level(episode[0]).trainers
    for step in play(*episode):
        now = trained(step)
        valid = now is not None and trainers[now.unit - 1] == now.building
        gained = np.zeros(NUM_UNITS, int)
        if valid:
            gained[now.unit - 1] = 1
        assert np.array_equal(step.after.units, step.before.units + gained - lost_unit(step))
        assert (step.after.units >= 0).all()
        if now is not None:
            assert step.valid == valid


@every_episode
def test_buildings_come_only_by_a_probe_arriving_with_that_task(episode: Episode) -> None:
    for step in play(*episode):
        new = (step.before.buildings == 0) & (step.after.buildings > 0)
        for place in map(tuple, np.argwhere(new).tolist()):
            assert (place, step.after.buildings[place]) in arrived(step)


@every_episode
def test_buildings_go_only_where_it_is_told(episode: Episode) -> None:
    for step in play(*episode):
        before, after = step.before.buildings, step.after.buildings
        gone = (before > 0) & (after == 0)
        assert (gone <= (step.after.destroyed & step.passed)).all()
        assert not after[step.after.destroyed].any()
        kept = (before > 0) & (after > 0)
        assert np.array_equal(before[kept], after[kept])
        built = {place for place, _ in arrived(step)}
        for place in map(tuple, np.argwhere(step.after.destroyed & step.passed).tolist()):
            assert before[place] or place in built


@every_episode
def test_nothing_is_built_without_its_prerequisite(episode: Episode) -> None:
    needs = level(episode[0]).prerequisites
    for step in play(*episode):
        standing = {0, *step.before.buildings.reshape(-1).tolist()}
        for place, building in arrived(step):
            if step.before.buildings[place] == 0 and step.after.buildings[place] == building:
                assert int(needs[building - 1]) in standing
            standing.add(building)
        if step.before.stage[1] and step.valid:
            assert int(needs[step.before.stage[1] - 1]) in {0, *step.before.buildings.reshape(-1).tolist()}


@every_episode
def test_the_ground_takes_every_building(episode: Episode) -> None:
    terrain = level(episode[0]).terrain
    for step in play(*episode):
        for state in (step.before, step.after):
            assert not state.buildings[terrain == Terrain.MINERALS].any()
            assert set(state.buildings[terrain == Terrain.GAS].tolist()) <= {0, Building.ASSIMILATOR}


@every_episode
def test_a_taken_cell_is_never_built_on(episode: Episode) -> None:
    for step in play(*episode):
        if step.before.stage[1] and step.valid:
            assert step.before.buildings.reshape(-1)[step.choice - FIRST_CELL] == 0


@every_episode
def test_no_nexus_is_ever_lost(episode: Episode) -> None:
    for step in play(*episode):
        assert (step.after.buildings[step.before.buildings == Building.NEXUS] == Building.NEXUS).all()
        assert not step.after.destroyed[step.before.buildings == Building.NEXUS].any()


@every_episode
def test_probes_walk_like_kings_straight_to_their_goals(episode: Episode) -> None:
    for step in play(*episode):
        goals, _ = told(step)
        moved = step.after.probes.places - step.before.probes.places
        assert np.array_equal(moved, np.sign(goals - step.before.probes.places) * step.passed)
        assert ((step.after.probes.places >= 0) & (step.after.probes.places < HARSH.size)).all()


@every_episode
def test_narrowing_changes_only_the_stage(episode: Episode) -> None:
    for step in play(*episode):
        if step.running and not step.passed:
            assert step.allowed[step.choice]
            assert not step.valid
            assert not np.array_equal(step.before.stage, step.after.stage)
            assert same(step.before._replace(stage=0), step.after._replace(stage=0))
        elif step.running:
            assert not step.after.stage.any()


@every_episode
def test_time_goes_up_with_every_choice_that_does_not_narrow_and_never_beyond_the_limit(episode: Episode) -> None:
    limit = HARSH.steps_per_line * int(level(episode[0]).program.length)
    for step in play(*episode):
        assert step.after.time == step.before.time + step.passed
        assert step.after.time <= limit
        if step.after.status == Status.RUNNING:
            assert step.after.time < limit
        if step.after.status == Status.OUT_OF_TIME:
            assert step.after.time == limit


@every_episode
def test_a_finished_episode_is_frozen(episode: Episode) -> None:
    flags = None
    for step in play(*episode):
        if not step.running:
            assert same(step.before, step.after)
            assert (step.reward, step.passed, step.valid) == (0, False, False)
            assert flags == step.flags
        flags = step.flags


@every_episode
def test_reward_comes_once_with_success_which_is_when_every_order_is_covered(episode: Episode) -> None:
    required = level(episode[0]).program.required
    steps = play(*episode)
    assert sum(step.reward for step in steps) == (steps[-1].after.status == Status.SUCCEEDED)
    for step in steps:
        status = step.after.status
        assert step.reward == (step.running and status == Status.SUCCEEDED)
        assert step.flags == (status == Status.SUCCEEDED, status == Status.OUT_OF_TIME)
        assert (status == Status.SUCCEEDED) == (step.after.units >= required).all()


@every_episode
def test_news_stays_until_time_passes_and_a_success_brings_none(episode: Episode) -> None:
    for step in play(*episode):
        if not step.passed:
            assert step.after.ambushed == step.before.ambushed
            assert np.array_equal(step.after.destroyed, step.before.destroyed)
        if step.after.status == Status.SUCCEEDED:
            assert step.after.ambushed == 0
            assert not step.after.destroyed.any()


@every_episode
def test_transitions_tell_what_happened_to_the_line_and_why(episode: Episode) -> None:
    for step in play(*episode):
        if not step.passed:
            continue
        change = int(step.after.line) - int(step.before.line)
        lost = step.after.ambushed > 0, step.after.destroyed.any()
        assert step.after.latest.tolist() == [change == 1, change > 1, change < 0, *lost]
        assert np.array_equal(step.after.transitions, step.before.transitions + step.after.latest)


def test_everything_does_occur() -> None:
    """What the tests above look out for is there to be seen."""
    seen = dict.fromkeys(("trained", "built", "built and lost", "invalid", "late", "won", "narrowed"), 0)
    kinds = np.zeros(len(Transition), int)
    for steps in sensible_episodes(48):
        for step in steps:
            built = arrived(step)
            seen["trained"] += trained(step) is not None and step.valid
            seen["built"] += any(step.after.buildings[place] == task for place, task in built)
            seen["built and lost"] += any(step.after.destroyed[place] for place, _ in built)
            seen["invalid"] += step.passed and not step.valid and bool(step.before.stage.any())
            seen["narrowed"] += step.running and not step.passed
        seen["late"] += steps[-1].after.status == Status.OUT_OF_TIME
        seen["won"] += steps[-1].after.status == Status.SUCCEEDED
        kinds += steps[-1].after.transitions
    assert all(seen.values()), seen
    assert kinds.all()
