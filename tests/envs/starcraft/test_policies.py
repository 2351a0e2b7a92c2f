"""The oracle, and the scripted agents with limited pointers."""

from functools import cache, partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from compiled import fast

from cofca.envs.rollout import memoryless
from cofca.envs.starcraft import REFERENCES, Level, State, Status, Transition, oracle
from cofca.envs.starcraft.symbols import FIRST_UNIT, NUM_UNITS
from envs.starcraft.differential import ENV, PAPER, generated

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
        keys = jnp.stack([act_key, act_key])
        respond = partial(ENV.respond, step_key, state, params=PAPER)
        acts = [
            policy.step(keys, state, memory, respond) for policy, memory in zip(PLAYERS.values(), memories, strict=True)
        ]
        memories = tuple(taken.memory for taken in acts)
        choice = jnp.stack([taken.action for taken in acts])[player]
        lines = [memory.line if has else jnp.int16(0) for has, memory in zip(pointers, memories, strict=True)]
        response = ENV.respond(step_key, state, choice, PAPER)
        after, _ = ENV.advance(step_key, state, choice, response, PAPER)
        forbidden = ~ENV.allowed(state, PAPER)[choice]
        return after, memories, (choice, forbidden, jnp.stack(lines)[player], state._replace(level=None))

    @fast
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


def test_the_oracle_succeeds_on_600_levels_and_keeps_to_the_mask() -> None:
    frames = watch("oracle")
    assert (frames.after.status[-1] == Status.SUCCEEDED).all()
    assert not frames.forbidden.any()


@pytest.mark.parametrize("name", REFERENCES)
def test_references_keep_to_the_mask(name: str) -> None:
    frames = watch(name)
    assert not frames.forbidden[running(frames)].any()


def trained_units(frames: Frames, episode: int) -> list[int]:
    """The symbols of the units trained, in order."""
    gained = frames.after.units[:, episode].astype(int) - frames.before.units[:, episode]
    gained += frames.after.ambushed[:, episode, None] == np.arange(1, NUM_UNITS + 1)
    # An old ambush is told on while a command is narrowed down.
    passed = frames.after.time[:, episode] > frames.before.time[:, episode]
    return [FIRST_UNIT + int(unit) for unit in np.argwhere(gained * passed[:, None] > 0)[:, 1]]


def test_one_pass_trains_every_line_once_in_order_and_never_comes_back() -> None:
    frames = watch("one_pass")
    for episode in range(REFERENCE_LEVELS):
        lines = frames.level.program.lines[episode]
        ordered = lines[lines >= FIRST_UNIT].tolist()
        did = trained_units(frames, episode)
        assert did == ordered
        lost = frames.after.transitions[-1, episode, Transition.UNIT_LOST] > 0
        assert (frames.after.status[-1, episode] == Status.SUCCEEDED) == (not lost)
    assert {Status.SUCCEEDED} < set(frames.after.status[-1].tolist())


def test_rounds_train_every_line_in_order_again_and_again_until_all_units_are_there() -> None:
    frames = watch("rounds")
    went_round = False
    for episode in range(REFERENCE_LEVELS):
        lines = frames.level.program.lines[episode]
        ordered = lines[lines >= FIRST_UNIT].tolist()
        did = trained_units(frames, episode)
        assert did == [ordered[number % len(ordered)] for number in range(len(did))]
        went_round |= len(did) > len(ordered)
    assert went_round
    assert set(frames.after.status[-1].tolist()) == {Status.SUCCEEDED}


@pytest.mark.parametrize("name", ["plus_minus_one", "plus_minus_one_idle"])
def test_a_limited_pointer_moves_one_line_at_a_time_towards_the_line_to_do(name: str) -> None:
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


def test_the_pointer_waits_until_its_command_is_completed() -> None:
    frames = watch("plus_minus_one")
    line = frames.line
    left, moved = symbols_at(frames, line[:-1]), (line[1:] != line[:-1]) & running(frames)[1:]
    busy = (frames.before.probes.tasks[1:] == left[..., None]).any(axis=-1)
    assert busy.any()
    assert not (moved & busy).any()


def test_the_idle_pointer_does_nothing_where_nothing_is_needed() -> None:
    frames = watch("plus_minus_one_idle")
    symbols = symbols_at(frames, frames.line)
    stands = (frames.before.buildings.reshape(*symbols.shape, -1) == symbols[..., None]).any(axis=-1)
    needless = stands & (symbols < FIRST_UNIT) & running(frames)
    assert needless.any()
    assert not frames.choice[needless].any()


def test_the_stubborn_pointer_builds_what_stands_already() -> None:
    frames = watch("plus_minus_one")
    probe, building, _ = np.moveaxis(frames.before.stage, -1, 0)
    standing = (frames.before.buildings.reshape(*building.shape, -1) == building[..., None]).any(axis=-1)
    assert ((building > 0) & (probe > 0) & standing & running(frames)).any()
