"""What holds in every episode, whatever is commanded and whatever the worker does."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from compiled import at
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from cofca.envs.minecraft import (
    CONDITIONS,
    Level,
    LineType,
    Minecraft,
    MinecraftParams,
    Primitive,
    State,
    Status,
    Thing,
    Verb,
    View,
    oracle,
    planner,
)
from cofca.envs.minecraft.symbols import MOVES, RESOURCES, WAIT
from envs.minecraft.differential import wild_levels

PARAMS = MinecraftParams(length=(3, 10), max_depth=2, conditions=CONDITIONS, steps_per_line=5)
"""The time limit is short, so that it is met too."""
LEVELS, STEPS = 256, 50
FREE, PLANNED, RIGHT = range(3)
"""Who decides in a step: nobody sensible; the planner on the primitive; the oracle on the command as well."""


class Step(NamedTuple):
    """A time step, without the level."""

    command: int
    primitive: int
    before: State
    after: State
    reward: float
    flags: tuple[bool, bool]


@cache
def levels() -> Level:
    """Any thing in any cell, any program, solvable or not."""
    return jax.jit(wild_levels, static_argnums=(1, 2))(jax.random.key(0), LEVELS, PARAMS)


@jax.jit
def trace(level: Level, commands: jax.Array, primitives: jax.Array, deciders: jax.Array) -> tuple:
    """The first state, and all that came after it."""
    env = Minecraft()

    def step(state: State, wish: tuple) -> tuple:
        command, primitive, decider = wish
        command = jnp.where(decider == RIGHT, oracle(state), command)
        answer = planner(level.key, View(state.cells, state.worker, state.inventory), command)
        primitive = jnp.where(decider == FREE, primitive, answer)
        after, outcome = env.advance(level.key, state, command, primitive, PARAMS)
        return after, (command, primitive, after._replace(level=None), *outcome[:3])

    first = env.start(level, PARAMS)
    return first._replace(level=None), jax.lax.scan(step, first, (commands, primitives, deciders))[1]


def level(number: int) -> Level:
    return at(levels(), number)


def play(number: int, *wishes: np.ndarray) -> list[Step]:
    """The steps of an episode, those after its end included."""
    before, played = jax.device_get(trace(level(number), *wishes))
    steps = []
    for step in range(STEPS):
        command, primitive, after, reward, *flags = jax.tree.map(lambda leaf, step=step: leaf[step], played)
        steps.append(Step(int(command), int(primitive), before, after, float(reward), tuple(flags)))
        before = after
    return steps


def wishes(seed: int, shares: tuple[int, int, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Commands and primitives that are wished for, any integers among them, and who decides in each step: each in
    proportion to a share."""
    rng = np.random.default_rng(seed)
    sensible = rng.integers(0, [[WAIT + 1], [len(Primitive)]], (2, STEPS))
    senseless = rng.integers(-(2**31), 2**31, (2, STEPS))
    commands, primitives = np.where(rng.random((2, STEPS)) < 0.6, sensible, senseless).astype(np.int32)
    return commands, primitives, rng.choice(3, STEPS, p=np.array(shares) / sum(shares)).astype(np.int32)


SHARES = st.tuples(st.integers(1, 9), st.integers(0, 9), st.integers(0, 9))
EPISODES = st.builds(
    lambda number, seed, shares: (number, *wishes(seed, shares)),
    *(st.integers(0, LEVELS - 1), st.integers(0, 2**31), SHARES),
)


def every_episode(test: Callable) -> Callable:
    return settings(deadline=None, max_examples=60)(given(EPISODES)(test))


def sensible_episodes() -> Iterator[list[Step]]:
    """Mostly right steps, so that much happens."""
    rng = np.random.default_rng(0)
    for number in range(LEVELS):
        commands, primitives = rng.integers(0, [[WAIT], [len(Primitive)]], (2, STEPS), dtype=np.int32)
        yield play(number, commands, primitives, rng.choice(3, STEPS, p=[0.1, 0.1, 0.8]).astype(np.int32))


def on_map(state: State) -> tuple[int, ...]:
    return tuple(int((state.cells == thing).sum()) for thing in Thing)


def change(step: Step) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """By how much the things on the map (but nothing itself) and in the inventory changed."""
    there = np.subtract(on_map(step.after), on_map(step.before))[1:]
    held = step.after.inventory.astype(int) - step.before.inventory
    return tuple(there.tolist()), tuple(held.tolist())


NO_CHANGE = (0,) * 6, (0,) * 3
MINED = [(tuple(-(t == x) for t in Thing)[1:], tuple(int(t == x) for t in RESOURCES)) for x in RESOURCES]
SOLD = [((0,) * 6, tuple(-(t == x) for t in RESOURCES)) for x in RESOURCES]
BRIDGED = tuple(-(t == Thing.WATER) for t in Thing)[1:], (0, 0, -1)


def possible_changes(primitive: int) -> list:
    if primitive in range(len(MOVES)):
        return [NO_CHANGE, BRIDGED]
    return [NO_CHANGE, *{Primitive.MINE: MINED, Primitive.SELL: SOLD}.get(primitive, [])]


@every_episode
def test_nothing_is_made_or_lost_but_by_mining_selling_and_bridging(episode):
    for step in play(*episode):
        assert change(step) in possible_changes(step.primitive)


@every_episode
def test_only_the_cell_the_worker_stands_on_ever_changes(episode):
    for step in play(*episode):
        row, column = step.after.worker
        changed = step.before.cells != step.after.cells
        changed[row, column] = False
        assert not changed.any()


def test_every_kind_of_change_and_every_ending_does_occur():
    changes, endings = set(), set()
    for steps in sensible_episodes():
        changes |= {change(step) for step in steps}
        endings.add(int(steps[-1].after.status))
    assert changes == {NO_CHANGE, *MINED, *SOLD, BRIDGED}
    assert {Status.SUCCEEDED, Status.FAILED, Status.OUT_OF_TIME} <= endings


@every_episode
def test_the_worker_stands_on_dry_ground_and_moves_one_cell_at_most(episode):
    for step in play(*episode):
        row, column = step.after.worker
        assert 0 <= row < PARAMS.size
        assert 0 <= column < PARAMS.size
        assert step.after.cells[row, column] not in (Thing.WATER, Thing.WALL)
        moved = tuple((step.after.worker - step.before.worker).tolist())
        assert moved == (0, 0) or moved == MOVES[step.primitive]


@every_episode
def test_walls_and_merchants_never_change(episode):
    steps = play(*episode)
    for thing in (Thing.WALL, Thing.MERCHANT):
        assert ((steps[0].before.cells == thing) == (steps[-1].after.cells == thing)).all()


@every_episode
def test_the_inventory_is_never_negative(episode):
    assert all((step.after.inventory >= 0).all() for step in play(*episode))


@every_episode
def test_sales_need_a_merchant_and_a_command_that_names_the_thing(episode):
    for step in play(*episode):
        if change(step) in SOLD:
            row, column = step.before.worker
            assert step.before.cells[row, column] == Thing.MERCHANT
            assert step.command in range(WAIT)
            assert change(step) == SOLD[step.command % len(RESOURCES)]


@every_episode
def test_a_primitive_that_does_not_exist_changes_nothing_but_the_time(episode):
    for step in play(*episode):
        if step.primitive not in range(len(Primitive)):
            for field in ("cells", "worker", "inventory", "line", "transitions", "latest"):
                assert np.array_equal(getattr(step.before, field), getattr(step.after, field))


@every_episode
def test_time_goes_up_by_one_until_the_end_and_never_beyond_the_limit(episode):
    limit = PARAMS.steps_per_line * int(level(episode[0]).program.length)
    for step in play(*episode):
        running = step.before.status == Status.RUNNING
        assert step.after.time == step.before.time + running
        assert step.after.time <= limit
        if step.after.status == Status.RUNNING:
            assert step.after.time < limit
        if step.after.status == Status.OUT_OF_TIME:
            assert step.after.time == limit


@every_episode
def test_a_finished_episode_is_frozen(episode):
    flags = None
    for step in play(*episode):
        if step.before.status != Status.RUNNING:
            assert jax.tree.all(jax.tree.map(np.array_equal, step.before, step.after))
            assert step.reward == 0
            assert flags in (None, step.flags)  # None: it failed before it began
        flags = step.flags


@every_episode
def test_reward_comes_once_with_success_and_flags_tell_the_status(episode):
    steps = play(*episode)
    assert sum(step.reward for step in steps) == (steps[-1].after.status == Status.SUCCEEDED)
    for step in steps:
        status = step.after.status
        assert step.reward in (0, 1)
        assert step.reward == 0 or (status == Status.SUCCEEDED and step.before.status == Status.RUNNING)
        assert step.flags == (status in (Status.SUCCEEDED, Status.FAILED), status == Status.OUT_OF_TIME)


@every_episode
def test_the_counter_points_to_a_subtask_while_the_episode_runs(episode):
    steps = play(*episode)
    program = jax.device_get(level(episode[0]).program)
    for state in (steps[0].before, *(step.after for step in steps)):
        done_at_the_start = state.time == 0 and state.line == program.length
        if state.status == Status.RUNNING and not done_at_the_start:
            assert state.line < program.length
            assert program.lines[state.line, 0] == LineType.SUBTASK
        if state.status == Status.SUCCEEDED:
            assert state.line == program.length


@every_episode
def test_transitions_never_decrease_and_change_only_with_the_counter(episode):
    program = jax.device_get(level(episode[0]).program)
    for step in play(*episode):
        assert (step.after.transitions >= step.before.transitions).all()
        if (step.after.transitions > step.before.transitions).any():
            _, verb, noun = program.lines[step.before.line]
            done = change(step) if verb != Verb.INSPECT else step.primitive
            assert done == {Verb.MINE: MINED, Verb.SELL: SOLD}.get(verb, [Primitive.INSPECT] * 3)[noun - 1]


FAR = 10**6


def distances(cells: np.ndarray, goals: np.ndarray, blocked: tuple[Thing, ...]) -> np.ndarray:
    """King's moves from every cell to the nearest goal, by breadth-first search; FAR where there is no way."""
    open_ = ~np.isin(cells, blocked)
    distance = np.where(goals & open_, 0, FAR)
    for moves in range(cells.size):
        near = np.pad(distance == moves, 1)
        reached = np.any([np.roll(near, shift, (0, 1)) for shift in MOVES], axis=0)[1:-1, 1:-1]
        distance = np.where(open_ & reached & (distance == FAR), moves + 1, distance)
    return distance


@st.composite
def views(draw: st.DrawFn) -> View:
    """A worker anywhere on any map, with anything in hand."""
    weights = draw(st.lists(st.sampled_from(Thing), min_size=3, max_size=12))
    cells = draw(hnp.arrays(np.int8, (PARAMS.size, PARAMS.size), elements=st.sampled_from(weights)))
    row, column = draw(st.tuples(*[st.integers(0, PARAMS.size - 1)] * 2))
    if cells[row, column] in (Thing.WATER, Thing.WALL):
        cells[row, column] = draw(st.sampled_from((Thing.NOTHING, *RESOURCES, Thing.MERCHANT)))
    inventory = draw(st.lists(st.integers(0, 2), min_size=3, max_size=3))
    return View(cells, np.array([row, column], np.int8), np.array(inventory, np.int8))


plan = jax.jit(partial(planner, jax.random.key(0)))
COMMANDS = st.integers(0, WAIT - 1)


def answer(view: View, command: int) -> int:
    return int(plan(jax.tree.map(jnp.asarray, view), jnp.int32(command)))


def target(view: View, command: int) -> Thing:
    """What a command is about: its noun, or merchants to sell to."""
    verb, noun = command // 3 + 1, command % 3 + 1
    return Thing.MERCHANT if verb == Verb.SELL and view.inventory[noun - 1] else Thing(noun)


every_view = settings(deadline=None, max_examples=100)


@every_view
@given(views(), COMMANDS)
def test_the_planner_never_makes_a_move_that_is_blocked(view, command):
    primitive = answer(view, command)
    if primitive < Primitive.STAY:
        row, column = view.worker + np.array(MOVES[primitive])
        assert 0 <= row < PARAMS.size
        assert 0 <= column < PARAMS.size
        assert view.cells[row, column] != Thing.WALL
        assert view.cells[row, column] != Thing.WATER or view.inventory[Thing.WOOD - 1] > 0


def descends(view: View, primitive: int, distance: np.ndarray) -> bool:
    """Whether the primitive is a move to a cell that is one move less far."""
    if primitive >= Primitive.STAY:
        return False
    there = tuple(view.worker + np.array(MOVES[primitive]))
    return bool(distance[there] == distance[tuple(view.worker)] - 1)


DRY, WET = (Thing.WATER, Thing.WALL), (Thing.WALL,)
"""What blocks a dry way, and a way over bridges."""


@every_view
@given(views(), COMMANDS)
def test_every_planned_step_comes_one_cell_nearer(view, command):
    primitive, here = answer(view, command), tuple(view.worker)
    goal = target(view, command)
    by_land, by_bridge = (distances(view.cells, view.cells == goal, blocked) for blocked in (DRY, WET))
    to_wood = distances(view.cells, view.cells == Thing.WOOD, DRY)
    if by_land[here] == 0:
        interaction = {Verb.SELL: Primitive.SELL, Verb.INSPECT: Primitive.INSPECT}.get(command // 3 + 1, Primitive.MINE)
        mines_to_sell = interaction == Primitive.SELL and goal != Thing.MERCHANT
        assert primitive == (Primitive.MINE if mines_to_sell else interaction)
    elif by_land[here] < FAR:
        assert descends(view, primitive, by_land)
    elif by_bridge[here] == FAR:
        assert primitive == Primitive.STAY
    elif view.inventory[Thing.WOOD - 1] > 0:
        assert descends(view, primitive, by_bridge)
    elif to_wood[here] == 0:
        assert primitive == Primitive.MINE
    elif to_wood[here] < FAR:
        assert descends(view, primitive, to_wood)
    else:
        assert primitive == Primitive.STAY


@every_view
@given(views(), st.integers(WAIT, 2**31 - 1) | st.integers(-(2**31), -1))
def test_the_planner_stays_on_any_command_that_does_not_exist(view, command):
    assert answer(view, command) == Primitive.STAY
