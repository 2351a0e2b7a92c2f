"""What holds in every episode, whatever is chosen and whatever the enemy does."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cofca.draws import pick
from cofca.rollout import memoryless
from cofca.starcraft import (
    REFERENCES,
    Building,
    Level,
    StarCraft,
    StarCraftParams,
    State,
    Status,
    Terrain,
    Transition,
    oracle,
    own_level,
)
from cofca.starcraft.symbols import FIRST_CELL, FIRST_UNIT, NUM_UNITS
from cofca.starcraft.world import enemy
from cofca.testing import check_environment, traced_once

from .differential import HARSH, PAPER, generated, wild_levels

ENV = StarCraft()
LEVELS, STEPS = 600, 60
ALLOWED, RIGHT, ANYTHING = range(3)
"""Who chooses in a frame: somebody at random among what is allowed; the oracle; nobody sensible."""


class Step(NamedTuple):
    """A frame, without the level."""

    choice: int
    passed: bool
    valid: bool
    allowed: np.ndarray
    before: State
    after: State
    reward: float
    flags: tuple[bool, bool]

    @property
    def running(self) -> bool:
        return bool(self.before.status == Status.RUNNING)


@cache
def levels() -> Level:
    """Any building and ground in any cell; as many as in the differential test, which has compiled this already."""
    return jax.jit(wild_levels, static_argnums=(1, 2))(jax.random.key(0), LEVELS, HARSH)


@cache
def plain_levels() -> Any:
    return jax.device_get(levels()._replace(key=jnp.zeros(LEVELS)))


@traced_once
def trace(level: Level, seed: jax.Array, wishes: jax.Array, deciders: jax.Array) -> tuple:
    """The first state, and all that came after it."""

    def step(state: State, wish: tuple) -> tuple:
        key, choice, decider = wish
        mask = ENV.allowed(state, HARSH)
        random = pick(jax.random.uniform(jax.random.fold_in(key, 1)), mask)
        choice = jnp.where(decider == RIGHT, oracle(state), jnp.where(decider == ALLOWED, random, choice))
        response = ENV.respond(key, state, choice, HARSH)
        after, outcome = ENV.advance(key, state, choice, response, HARSH)
        return after, (choice, response, outcome.info.valid, mask, after._replace(level=None), *outcome[:3])

    first = ENV.start(level, HARSH)
    keys = jax.random.split(jax.random.key(seed), STEPS)
    return first._replace(level=None), jax.lax.scan(step, first, (keys, wishes, deciders))[1]


def level(number: int) -> Any:
    """A level as plain arrays."""
    return jax.tree.map(lambda leaf: leaf[number], plain_levels())


def play(number: int, seed: int, *wishes: np.ndarray) -> list[Step]:
    """The frames of an episode, those after its end included."""
    made = jax.tree.map(lambda leaf: leaf[number], levels())
    before, played = jax.device_get(trace(made, np.uint32(seed), *wishes))
    steps = []
    for at in range(STEPS):
        choice, passed, valid, mask, after, reward, *flags = jax.tree.map(lambda leaf, at=at: leaf[at], played)
        steps.append(Step(int(choice), bool(passed), bool(valid), mask, before, after, float(reward), tuple(flags)))
        before = after
    return steps


def wishes(seed: int, shares: tuple[int, int, int]) -> tuple[np.ndarray, np.ndarray]:
    """What is wished for in each frame, any integer now and then, and who decides: each in proportion to a share."""
    rng = np.random.default_rng(seed)
    sensible = rng.integers(-2, HARSH.num_choices + 2, STEPS, dtype=np.int32)
    senseless = rng.integers(-(2**31), 2**31, STEPS).astype(np.int32)
    wished = np.where(rng.random(STEPS) < 0.8, sensible, senseless)
    return wished, rng.choice(3, STEPS, p=np.array(shares) / sum(shares)).astype(np.int32)


SHARES = st.tuples(st.integers(1, 9), st.integers(0, 9), st.integers(0, 3))
EPISODES = st.builds(
    lambda number, seed, shares: (number, seed, *wishes(seed, shares)),
    *(st.integers(0, LEVELS - 1), st.integers(0, 2**31), SHARES),
)


def every_episode(test: Callable) -> Callable:
    return settings(deadline=None, max_examples=40)(given(EPISODES)(test))


def sensible_episodes(number: int = LEVELS) -> Iterator[tuple[Any, list[Step]]]:
    """Mostly right choices, so that much happens."""
    for place in range(number):
        yield level(place), play(place, place, *wishes(place, (5, 14, 1)))


# What was commanded, and what the Probes did of it


class Trained(NamedTuple):
    """A train command: where, and the unit's number."""

    building: int
    unit: int


def trained(step: Step) -> Trained | None:
    """The train command that a choice completes, read off the rules."""
    unit = step.choice - HARSH.first_unit_choice + 1
    cell = int(step.before.stage[2])
    if not (cell and 1 <= unit <= NUM_UNITS and step.running):
        return None
    return Trained(int(step.before.buildings.reshape(-1)[cell - 1]), unit)


def told(step: Step) -> tuple[np.ndarray, np.ndarray]:
    """Goals and tasks of the Probes once they have been told."""
    goals, tasks = step.before.probes.goals.copy(), step.before.probes.tasks.copy()
    probe, building, _ = step.before.stage
    if probe and step.valid:
        goals[probe - 1] = divmod(step.choice - FIRST_CELL, HARSH.size)
        tasks[probe - 1] = building
    return goals, tasks


def arrived(step: Step) -> list[tuple[tuple[int, int], int]]:
    """Where Probes arrive with a task in this frame, and which, in the order of the Probes."""
    goals, tasks = told(step)
    if not step.passed:
        return []
    there = (step.after.probes.places == goals).all(axis=1)
    return [(tuple(goals[number].tolist()), int(tasks[number])) for number in np.flatnonzero(there & (tasks > 0))]


def lost_unit(step: Step) -> np.ndarray:
    return (np.arange(1, NUM_UNITS + 1) == step.after.ambushed) & step.passed


@every_episode
def test_units_come_only_by_valid_training_and_go_only_by_ambush_one_at_a_time(episode):
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
def test_buildings_come_only_by_a_probe_arriving_with_that_task(episode):
    for step in play(*episode):
        new = (step.before.buildings == 0) & (step.after.buildings > 0)
        for place in map(tuple, np.argwhere(new).tolist()):
            assert (place, step.after.buildings[place]) in arrived(step)


@every_episode
def test_buildings_go_only_where_it_is_told(episode):
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
def test_nothing_is_built_without_its_prerequisite(episode):
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
def test_the_ground_takes_every_building(episode):
    terrain = level(episode[0]).terrain
    for step in play(*episode):
        for state in (step.before, step.after):
            assert not state.buildings[terrain == Terrain.MINERALS].any()
            assert set(state.buildings[terrain == Terrain.GAS].tolist()) <= {0, Building.ASSIMILATOR}


@every_episode
def test_a_taken_cell_is_never_built_on(episode):
    for step in play(*episode):
        if step.before.stage[1] and step.valid:
            assert step.before.buildings.reshape(-1)[step.choice - FIRST_CELL] == 0


@every_episode
def test_no_nexus_is_ever_lost(episode):
    for step in play(*episode):
        assert (step.after.buildings[step.before.buildings == Building.NEXUS] == Building.NEXUS).all()
        assert not step.after.destroyed[step.before.buildings == Building.NEXUS].any()


@every_episode
def test_probes_walk_like_kings_straight_to_their_goals(episode):
    for step in play(*episode):
        goals, _ = told(step)
        moved = step.after.probes.places - step.before.probes.places
        assert np.array_equal(moved, np.sign(goals - step.before.probes.places) * step.passed)
        assert ((step.after.probes.places >= 0) & (step.after.probes.places < HARSH.size)).all()


@every_episode
def test_narrowing_changes_only_the_stage(episode):
    for step in play(*episode):
        if step.running and not step.passed:
            assert step.allowed[step.choice]
            assert not step.valid
            assert not np.array_equal(step.before.stage, step.after.stage)
            assert same(step.before._replace(stage=0), step.after._replace(stage=0))
        elif step.running:
            assert not step.after.stage.any()


@every_episode
def test_time_goes_up_with_every_choice_that_does_not_narrow_and_never_beyond_the_limit(episode):
    limit = HARSH.steps_per_line * int(level(episode[0]).program.length)
    for step in play(*episode):
        assert step.after.time == step.before.time + step.passed
        assert step.after.time <= limit
        if step.after.status == Status.RUNNING:
            assert step.after.time < limit
        if step.after.status == Status.OUT_OF_TIME:
            assert step.after.time == limit


@every_episode
def test_a_finished_episode_is_frozen(episode):
    flags = None
    for step in play(*episode):
        if not step.running:
            assert same(step.before, step.after)
            assert (step.reward, step.passed, step.valid) == (0, False, False)
            assert flags == step.flags
        flags = step.flags


@every_episode
def test_reward_comes_once_with_success_which_is_when_every_order_is_covered(episode):
    required = level(episode[0]).program.required
    steps = play(*episode)
    assert sum(step.reward for step in steps) == (steps[-1].after.status == Status.SUCCEEDED)
    for step in steps:
        status = step.after.status
        assert step.reward == (step.running and status == Status.SUCCEEDED)
        assert step.flags == (status == Status.SUCCEEDED, status == Status.OUT_OF_TIME)
        assert (status == Status.SUCCEEDED) == (step.after.units >= required).all()


@every_episode
def test_news_stays_until_time_passes_and_a_success_brings_none(episode):
    for step in play(*episode):
        if not step.passed:
            assert step.after.ambushed == step.before.ambushed
            assert np.array_equal(step.after.destroyed, step.before.destroyed)
        if step.after.status == Status.SUCCEEDED:
            assert step.after.ambushed == 0
            assert not step.after.destroyed.any()


@every_episode
def test_transitions_tell_what_happened_to_the_line_and_why(episode):
    for step in play(*episode):
        if not step.passed:
            continue
        change = int(step.after.line) - int(step.before.line)
        lost = step.after.ambushed > 0, step.after.destroyed.any()
        assert step.after.latest.tolist() == [change == 1, change > 1, change < 0, *lost]
        assert np.array_equal(step.after.transitions, step.before.transitions + step.after.latest)


def same(one: Any, other: Any) -> bool:
    return jax.tree.all(jax.tree.map(np.array_equal, one, other))


def test_everything_does_occur():
    """What the tests above look out for is there to be seen."""
    seen = dict.fromkeys(("trained", "built", "built and lost", "invalid", "late", "won", "narrowed"), 0)
    kinds = np.zeros(len(Transition), int)
    for _, steps in sensible_episodes(48):
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


# Any integer at any stage

STRANGE = (-(2**31), -1, HARSH.num_choices, HARSH.num_choices + 1, 2**31 - 1)
CHOICES = np.array([*range(HARSH.num_choices), *STRANGE], np.int32)


@traced_once
def each_choice(key: jax.Array, state: State) -> tuple:
    """What comes of every choice, with the same chance."""

    def one(choice: jax.Array) -> tuple:
        response = ENV.respond(key, state, choice, HARSH)
        after, outcome = ENV.advance(key, state, choice, response, HARSH)
        return after._replace(level=None), response, outcome.info.valid

    return *jax.vmap(one)(CHOICES), ENV.allowed(state, HARSH)


def prepared(number: int, narrowing: list[int]) -> State:
    made = jax.tree.map(lambda leaf: leaf[number], levels())
    return ENV.start(made, HARSH)._replace(stage=jnp.array(narrowing, jnp.int8))


def expected_mask(stage: list[int], buildings: np.ndarray) -> list[bool]:
    """The table of the rules, row by row."""
    probe, building, cell = stage
    empty = not (probe or cell)
    cells = (buildings.reshape(-1) > 0).tolist() if empty else [probe > 0] * HARSH.cells
    return [True, *[empty] * 3, *[probe > 0 and not building] * 14, *cells, *[cell > 0] * 16]


@pytest.mark.parametrize("stage", ["empty", "probe", "probe and building", "cell"])
def test_any_integer_narrows_or_commands_where_allowed_and_else_does_what_nothing_does(stage):
    completed, refused = 0, 0
    for number in range(24):
        buildings = level(number).buildings
        standing = int(np.flatnonzero(buildings)[number % (buildings > 0).sum()])
        narrowing = {"probe": [2, 0, 0], "probe and building": [3, 1 + number % 14, 0], "cell": [0, 0, 1 + standing]}
        state = prepared(number, narrowing.get(stage, [0, 0, 0]))
        after, passed, valid, mask = jax.device_get(each_choice(jax.random.key(number), state))
        assert mask.tolist() == expected_mask(state.stage.tolist(), buildings)
        nothing = jax.tree.map(lambda leaf: leaf[0], after)
        assert passed[0]
        assert not valid[0]
        for place in range(len(CHOICES)):
            does_nothing = same(nothing, jax.tree.map(lambda leaf, at=place: leaf[at], after))
            allowed = place < len(mask) and mask[place]
            if not allowed or (passed[place] and not valid[place]):
                assert does_nothing
                assert (bool(passed[place]), bool(valid[place])) == (True, False)
            completed += int(valid[place])
            refused += bool(allowed and place and passed[place] and not valid[place])
        if stage == "empty":
            assert not passed[: len(mask)][mask][1:].any()
    assert (completed > 0) == (stage != "empty")
    assert (refused > 0) == (stage in ("probe and building", "cell"))


# Chance

PEACE = StarCraftParams(ambush_probability=0, attack_probability=0)
WAR = StarCraftParams(ambush_probability=1, attack_probability=1)
MANY = 20_000
UNITS = np.array([3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2], np.int16)
BUILDINGS = np.zeros((6, 6), np.int8)
BUILDINGS[[0, 0, 1, 2, 3, 5, 5], [0, 1, 3, 4, 2, 0, 5]] = [7, 9, 7, 1, 6, 9, 14]
"""Five that may be lost, and two Nexus."""


@cache
def raids(params: StarCraftParams) -> tuple[np.ndarray, np.ndarray]:
    """What many raids destroy: units, and cells [raids, 36]."""
    come = jax.jit(jax.vmap(lambda key: enemy(key, jnp.asarray(UNITS), jnp.asarray(BUILDINGS), params)))
    ambushed, destroyed = jax.device_get(come(jax.random.split(jax.random.key(0), MANY)))
    return ambushed, destroyed.reshape(MANY, -1)


def assert_share(happened: np.ndarray, expected: float) -> None:
    error = np.sqrt(expected * (1 - expected) / len(happened))
    assert abs(happened.mean() - expected) <= 4 * error


def test_ambush_and_attack_come_independently_with_their_probabilities():
    # An attack on five buildings destroys none of them once in six times.
    ambushed, destroyed = raids(StarCraftParams(ambush_probability=0.1, attack_probability=0.3))
    assert_share(ambushed > 0, 0.1)
    assert_share(destroyed.any(axis=1), 0.3 * 5 / 6)
    assert_share((ambushed > 0) & destroyed.any(axis=1), 0.1 * 0.3 * 5 / 6)


def test_every_unit_alive_is_ambushed_equally_often():
    ambushed, _ = raids(WAR)
    for unit, number in enumerate(UNITS, start=1):
        assert_share(ambushed == unit, number / UNITS.sum())


def test_the_number_of_buildings_lost_is_uniform_and_every_set_of_that_size_equally_likely():
    _, destroyed = raids(WAR)
    may_be_lost = np.flatnonzero((BUILDINGS > 0) & (BUILDINGS != Building.NEXUS))
    assert not np.delete(destroyed, may_be_lost, axis=1).any()
    sets = destroyed[:, may_be_lost] @ (1 << np.arange(5))
    for which in range(32):
        size = which.bit_count()
        assert_share(sets == which, 1 / 6 / (1, 5, 10, 10, 5, 1)[size])


def test_there_is_nothing_to_lose_in_peace_or_where_nothing_is():
    ambushed, destroyed = raids(PEACE)
    assert not ambushed.any()
    assert not destroyed.any()
    nothing = enemy(jax.random.key(0), jnp.zeros(NUM_UNITS, jnp.int16), jnp.full((6, 6), 7, jnp.int8), WAR)
    assert nothing.ambushed == 0
    assert not nothing.destroyed.any()


# The contract


def test_starcraft_keeps_the_contract():
    check_environment(StarCraft())


def test_levels_of_ones_own_and_generated_ones_are_traced_once():
    start = traced_once(partial(ENV.start, params=PAPER))
    step = traced_once(lambda key, state: ENV.step(key, state, oracle(state), PAPER)[1])
    key, made = jax.random.key(0), jax.tree.map(lambda leaf: leaf[0], paper_levels())
    drawn = own_level(key, "Build Pylon\nTrain Adept", PAPER, "@gm...\n" + 5 * "......\n")
    for one in (made, drawn, own_level(key, "Build Nexus\nTrain Oracle", PAPER)):
        state = start(one)
        for _ in range(3):
            state = step(key, state)


# The oracle and the references

PLAYERS = {"oracle": memoryless(oracle), **REFERENCES}
ORACLE_LEVELS, REFERENCE_LEVELS, FRAMES = 600, 100, 300


@cache
def paper_levels() -> Level:
    """As in the differential test too."""
    return jax.jit(generated, static_argnums=(1, 2))(jax.random.key(0), ORACLE_LEVELS, PAPER)


class Frames(NamedTuple):
    """What a policy did, [frames, episodes, ...]."""

    choice: np.ndarray
    forbidden: np.ndarray
    """Whether the mask forbids the choice."""
    line: np.ndarray
    """Where the pointer stands, for those that have one."""
    before: State
    after: State
    level: Level


@cache
def watch_all() -> tuple[np.ndarray, Frames]:
    """The number of the policy in each lane, and what all of them do."""
    numbers = [REFERENCE_LEVELS] * len(REFERENCES)
    player = np.repeat(np.arange(len(PLAYERS)), [ORACLE_LEVELS, *numbers])
    place = np.concatenate([np.arange(number) for number in (ORACLE_LEVELS, *numbers)])
    made = jax.tree.map(lambda leaf: leaf[place], paper_levels())
    pointers = [name.startswith("plus_minus_one") for name in PLAYERS]

    def step(state: State, memories: tuple, key: jax.Array, player: jax.Array) -> tuple:
        act_key, step_key = jax.random.split(key)
        acts = [policy.act(act_key, state, memory) for policy, memory in zip(PLAYERS.values(), memories, strict=True)]
        choices, memories = zip(*acts, strict=True)
        choice = jnp.stack(choices)[player]
        lines = [memory.line if has else jnp.int16(0) for has, memory in zip(pointers, memories, strict=True)]
        response = ENV.respond(step_key, state, choice, PAPER)
        after, _ = ENV.advance(step_key, state, choice, response, PAPER)
        forbidden = ~ENV.allowed(state, PAPER)[choice]
        return after, memories, (choice, forbidden, jnp.stack(lines)[player], state._replace(level=None))

    @jax.jit
    def run(levels: Level) -> tuple:
        states = jax.vmap(partial(ENV.start, params=PAPER))(levels)
        memories = tuple(jax.vmap(policy.begin)(states) for policy in PLAYERS.values())

        def frame(carry: tuple, key: jax.Array) -> tuple:
            after, memory, seen = jax.vmap(step)(*carry, jax.random.split(key, len(player)), player)
            return (after, memory), seen

        return jax.lax.scan(frame, (states, memories), jax.random.split(jax.random.key(4), FRAMES))[1]

    choice, forbidden, line, states = jax.device_get(run(made))
    before, after = (jax.tree.map(lambda leaf, at=at: leaf[at], states) for at in (slice(-1), slice(1, None)))
    plain = jax.device_get(made._replace(key=jnp.zeros(len(player))))
    return player, Frames(choice[:-1], forbidden[:-1], line[:-1], before, after, plain)


@cache
def watch(name: str) -> Frames:
    """What one policy does."""
    player, frames = watch_all()
    mine = player == list(PLAYERS).index(name)
    *seen, level = frames
    return Frames(*jax.tree.map(lambda leaf: leaf[:, mine], seen), jax.tree.map(lambda leaf: leaf[mine], level))


def running(frames: Frames) -> np.ndarray:
    return frames.before.status == Status.RUNNING


def test_the_oracle_succeeds_on_600_levels_and_keeps_to_the_mask():
    frames = watch("oracle")
    assert (frames.after.status[-1] == Status.SUCCEEDED).all()
    assert not frames.forbidden.any()


every_reference = pytest.mark.parametrize("name", REFERENCES)


@every_reference
def test_references_keep_to_the_mask(name):
    frames = watch(name)
    assert not frames.forbidden[running(frames)].any()


def trained_units(frames: Frames, episode: int) -> list[int]:
    """The symbols of the units trained, in order."""
    gained = frames.after.units[:, episode].astype(int) - frames.before.units[:, episode]
    gained += frames.after.ambushed[:, episode, None] == np.arange(1, NUM_UNITS + 1)
    # An old ambush is told on while a command is narrowed down.
    passed = frames.after.time[:, episode] > frames.before.time[:, episode]
    return [FIRST_UNIT + int(unit) for unit in np.argwhere(gained * passed[:, None] > 0)[:, 1]]


def test_one_pass_trains_every_line_once_in_order_and_never_comes_back():
    frames = watch("one_pass")
    for episode in range(REFERENCE_LEVELS):
        lines = frames.level.program.lines[episode]
        ordered = lines[lines >= FIRST_UNIT].tolist()
        did = trained_units(frames, episode)
        assert did == ordered
        lost = frames.after.transitions[-1, episode, Transition.UNIT_LOST] > 0
        assert (frames.after.status[-1, episode] == Status.SUCCEEDED) == (not lost)
    assert {Status.SUCCEEDED} < set(frames.after.status[-1].tolist())


@pytest.mark.parametrize("name", ["plus_minus_one", "plus_minus_one_idle"])
def test_a_limited_pointer_moves_one_line_at_a_time_towards_the_line_to_do(name):
    frames = watch(name)
    line, goal = frames.line.astype(int), frames.before.line.astype(int)
    assert (line[0] == 0).all()
    moves = line[1:] - line[:-1]
    passed = frames.before.time[1:] > frames.before.time[:-1]
    assert set(moves.reshape(-1).tolist()) == {-1, 0, 1}
    moved = (moves != 0) & running(frames)[1:]
    assert passed[moved].all()
    assert (moves == np.sign(goal[1:] - line[:-1]))[moved].all()


def symbols_at(frames: Frames, line: np.ndarray) -> np.ndarray:
    last = frames.level.program.length - 1
    return frames.level.program.lines[np.arange(line.shape[1]), np.minimum(line, last)]


def test_the_pointer_waits_until_its_command_is_completed():
    frames = watch("plus_minus_one")
    line = frames.line
    left, moved = symbols_at(frames, line[:-1]), (line[1:] != line[:-1]) & running(frames)[1:]
    busy = (frames.before.probes.tasks[1:] == left[..., None]).any(axis=-1)
    assert busy.any()
    assert not (moved & busy).any()


def test_the_idle_pointer_does_nothing_where_nothing_is_needed():
    frames = watch("plus_minus_one_idle")
    symbols = symbols_at(frames, frames.line)
    stands = (frames.before.buildings.reshape(*symbols.shape, -1) == symbols[..., None]).any(axis=-1)
    needless = stands & (symbols < FIRST_UNIT) & running(frames)
    assert needless.any()
    assert not frames.choice[needless].any()


def test_the_stubborn_pointer_builds_what_stands_already():
    frames = watch("plus_minus_one")
    probe, building, _ = np.moveaxis(frames.before.stage, -1, 0)
    standing = (frames.before.buildings.reshape(*building.shape, -1) == building[..., None]).any(axis=-1)
    assert ((building > 0) & (probe > 0) & standing & running(frames)).any()
