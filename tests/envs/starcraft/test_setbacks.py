"""Setbacks: what the notes of compiled episodes say is what somebody finds who goes through the episodes by hand."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from compiled import at
from tiny_preset import TINY

from cofca.agents.base import Memory
from cofca.envs.rollout import Episodes, memoryless, play, scripted
from cofca.envs.spec import spec_of
from cofca.envs.starcraft import REFERENCES, Level, StarCraft, StarCraftParams, State, Status, oracle
from cofca.envs.starcraft.setbacks import SETBACKS, TIMES, Cause, End, Notes, report
from cofca.envs.starcraft.symbols import FIRST_UNIT
from cofca.experiments.eval_set import agent_policy

ENV = StarCraft()
PARAMS = StarCraftParams(length=(4, 9), ambush_probability=0.2, attack_probability=0.2, steps_per_line=8)
PEACE = replace(PARAMS, ambush_probability=0.0, attack_probability=0.0)
NUMBER = 24
KEYS = jax.random.split(jax.random.key(5), NUMBER)


def _careless(key: jax.Array, state: State, memory: Any) -> tuple[jax.Array, Any]:
    """Now and then nothing is done, and the pointer stands anywhere."""
    idle, place = jax.random.split(key)
    choice = jnp.where(jax.random.bernoulli(idle, 0.3), 0, oracle(state))
    return choice, jax.random.randint(place, (), 0, state.level.program.length)


PLAYERS = {
    "idle": REFERENCES["plus_minus_one_idle"],
    "one_pass": REFERENCES["one_pass"],
    "careless": scripted(lambda state: jnp.int32(0), _careless, pointer=lambda memory: memory),
}


@cache
def levels() -> Level:
    return ENV.levels(jax.random.split(jax.random.key(2), NUMBER), PARAMS)


@cache
def played(who: str, params: StarCraftParams = PARAMS) -> Episodes:
    policy = {**PLAYERS, "oracle": memoryless(oracle)}[who]
    whole = jax.jit(lambda keys, levels: play(keys, ENV, levels, policy, params, 5, SETBACKS))
    return jax.device_get(whole(KEYS, levels()))


class Frame(NamedTuple):
    before: State
    pointer: int
    after: State
    quiet: State
    """What would have come after, had the enemy stayed away."""


@cache
def choice_of(who: str) -> Callable:
    def choose(key: jax.Array, number: int, state: State, memory: Any) -> tuple:
        keys = jax.random.split(jax.random.fold_in(key, number), 3)
        taken = PLAYERS[who].step(keys[:2], state, memory, lambda action: jnp.int32(0))
        return keys[2], taken.action, taken.memory, taken.pointer

    return jax.jit(choose)


@jax.jit
def step_of(chance: jax.Array, state: State, choice: jax.Array) -> tuple[State, State]:
    """What comes after, and what would have."""
    after, quiet = (ENV.step(chance, state, choice, params)[1] for params in (PARAMS, PEACE))
    return after, quiet


start = jax.jit(lambda levels, place: ENV.start(at(levels, place), PARAMS))


def keyless(state: State) -> State:
    """Plain arrays, of which every part can be read without compiling anything."""
    return jax.device_get(state._replace(level=state.level._replace(key=jnp.int32(0))))


def frames(who: str, place: int) -> Iterator[Frame]:
    """An episode, frame by frame."""
    state = start(levels(), place)
    memory, number, before = jax.jit(PLAYERS[who].begin)(state), 0, keyless(state)
    while before.status == Status.RUNNING:
        chance, choice, memory, pointer = choice_of(who)(KEYS[place], number, state, memory)
        state, quiet = step_of(chance, state, choice)
        after = keyless(state)
        yield Frame(before, int(pointer), after, keyless(quiet))
        before, number = after, number + 1


def is_satisfied(state: State, line: int) -> bool:
    """In the words of the rules."""
    lines = state.level.program.lines.tolist()
    symbol = lines[line]
    if symbol < FIRST_UNIT:
        return symbol in state.buildings.reshape(-1).tolist()
    return int(state.units[symbol - FIRST_UNIT]) >= lines[: line + 1].count(symbol)


def goal_of(state: State) -> int:
    """The first unit line that is not covered."""
    length = int(state.level.program.length)
    units = [line for line in range(length) if state.level.program.lines[line] >= FIRST_UNIT]
    return next((line for line in units if not is_satisfied(state, line)), length)


@dataclass
class Setback:
    line: int
    cause: Cause
    time: int
    pointed: int | None = None
    repaired: int | None = None
    waited: int = 0


def setbacks_of(episode: Iterator[Frame]) -> list[Setback]:
    found: list[Setback] = []
    for before, pointer, after, quiet in episode:
        waiting = [setback for setback in found if setback.repaired is None]
        for setback in waiting:
            if setback.pointed is None and pointer == before.line:
                setback.pointed = int(before.time) - setback.time
        if after.time == before.time:
            continue
        for setback in waiting:
            setback.waited = int(after.time) - setback.time
            if is_satisfied(quiet, setback.line):
                setback.repaired = int(after.time) - setback.time
        if after.line < quiet.line:
            unit = goal_of(after) < goal_of(quiet)
            line = goal_of(after) if unit else int(quiet.line) - 1
            assert is_satisfied(quiet, line)
            assert not is_satisfied(after, line)
            assert (state_symbol(after, line) >= FIRST_UNIT) == unit
            found.append(Setback(line, Cause.AMBUSH if unit else Cause.ATTACK, int(after.time)))
    return found


def state_symbol(state: State, line: int) -> int:
    return int(state.level.program.lines[line])


def noted(notes: Notes, place: int, cause: Cause, end: End) -> Counter:
    return Counter({time: int(count) for time, count in enumerate(notes.counts[place, cause, end]) if count})


@pytest.mark.parametrize("who", PLAYERS)
def test_notes_are_what_one_finds_by_hand(who: str) -> None:
    notes, seen = played(who).notes, Counter()
    for place in range(8):
        found = setbacks_of(frames(who, place))
        for cause in Cause:
            own = [setback for setback in found if setback.cause is cause]
            assert notes.setbacks[place, cause] == len(own)
            assert notes.waited[place, cause] == sum(setback.waited for setback in own)
            for end, name in zip(End, ("pointed", "repaired"), strict=True):
                times = [getattr(setback, name) for setback in own if getattr(setback, name) is not None]
                assert noted(notes, place, cause, end) == Counter(times)
                assert notes.times[place, cause, end] == sum(times)
                seen[cause, end] += len(times)
                seen[cause, "never", end] += len(own) - len(times)
    # A pass that never comes back repairs no unit, and its pointer is never where it should be.
    assert all(seen[Cause.ATTACK, end] for end in End)
    assert bool(seen[Cause.AMBUSH, End.REPAIRED]) == (who != "one_pass")
    assert who == "idle" or seen[Cause.AMBUSH, "never", End.POINTED]


def test_who_succeeds_has_repaired_everything() -> None:
    ends = played("oracle")
    won = ends.returns > 0
    assert won.sum() > NUMBER // 2
    # Nothing waits longer than it takes to repair it.
    assert np.array_equal(ends.notes.waited[won], ends.notes.times[won][:, :, End.REPAIRED])
    assert (ends.notes.setbacks[won].sum(axis=0) > 3).all()
    assert np.array_equal(ends.notes.counts[won][:, :, End.REPAIRED].sum(axis=-1), ends.notes.setbacks[won])


def test_without_enemies_there_are_no_setbacks() -> None:
    assert not played("careless", PEACE).notes.setbacks.any()


@pytest.mark.parametrize(("name", "line"), [("cofca-s", 3), ("olsk", 3), ("unstructured", -1)])
def test_only_agents_with_a_pointer_point(name: str, line: int) -> None:
    agent = TINY.agent("starcraft", name)(jax.random.key(0), spec_of(ENV, PARAMS))
    policy = agent_policy(agent, ENV, PARAMS, jnp.bool_(False))
    memory = Memory(jnp.int32(3), jnp.zeros(agent.hidden_size), jnp.zeros(2, jnp.int32))
    state = start(levels(), 0)
    taken = jax.jit(lambda keys: policy.step(keys, state, memory, lambda action: jnp.int32(0)))(KEYS[:2])
    assert taken.pointer == line


# Reports


def notes_of(*episodes: tuple[int, list[int]]) -> Notes:
    """Episodes with so many ambushes, and the times until they were repaired. They end ten time steps after what is
    never repaired."""
    setbacks, times = np.zeros((len(episodes), 2), np.int32), np.zeros((len(episodes), 2, 2), np.int32)
    waited, ends = np.zeros_like(setbacks), np.zeros(len(episodes), np.int16)
    counts = np.zeros((len(episodes), 2, 2, TIMES), np.int16)
    for place, (number, repaired) in enumerate(episodes):
        setbacks[place, Cause.AMBUSH] = number
        times[place, Cause.AMBUSH, End.REPAIRED] = sum(repaired)
        waited[place, Cause.AMBUSH] = sum(repaired) + 10 * (number - len(repaired))
        for time in repaired:
            counts[place, Cause.AMBUSH, End.REPAIRED, min(time, TIMES - 1)] += 1
    nothing = np.zeros((len(episodes), 9))
    return Notes(nothing.astype(np.int16) - 1, nothing > 0, setbacks, times, counts, waited, ends)


def test_a_report_has_mean_median_error_and_share_of_never() -> None:
    said = report(notes_of((3, [1, 2]), (0, []), (1, [6])))
    assert said["ambush"]["setbacks"] == 4
    # Residuals of the sums 3, 0 and 6 from the mean 3 of 2, 0 and 1 times.
    error = np.sqrt((9 + 0 + 9) * 3 / 2) / 3
    assert said["ambush"]["repaired"] == {"mean": 3.0, "error": round(error, 4), "median": 2, "never": 0.25}
    assert said["ambush"]["pointed"] == {"mean": None, "error": None, "median": None, "never": 1.0}
    assert said["ambush"]["waited"] == (1 + 2 + 10 + 6) / 4
    assert (said["attack"]["setbacks"], said["attack"]["waited"]) == (0, None)
    assert said["attack"]["repaired"] == {"mean": None, "error": None, "median": None, "never": None}


def test_long_times_count_in_full_in_the_mean() -> None:
    repaired = report(notes_of((2, [TIMES + 40, TIMES + 60])))["ambush"]["repaired"]
    assert (repaired["mean"], repaired["median"]) == (TIMES + 50, TIMES - 1)


def test_a_single_episode_has_no_error() -> None:
    assert report(notes_of((2, [1, 3]), (1, [])))["ambush"]["repaired"]["error"] is None
