"""Episodes in which anything is chosen, frame by frame, and what was done in them, read off the rules."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from compiled import at
from hypothesis import given, settings
from hypothesis import strategies as st

from cofca.envs.starcraft import Level, State, Status, oracle
from cofca.envs.starcraft.symbols import FIRST_CELL, NUM_UNITS
from cofca.testing.environment import traced_once
from cofca.utils.prng import pick
from envs.starcraft.differential import ENV, HARSH, wild_levels

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
    made = at(levels(), number)
    before, played = jax.device_get(trace(made, np.uint32(seed), *wishes))
    steps = []
    for number in range(STEPS):
        choice, passed, valid, mask, after, reward, *flags = jax.tree.map(lambda leaf, n=number: leaf[n], played)
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


Episode = tuple[int, int, np.ndarray, np.ndarray]
"""The arguments of `play`."""
SHARES = st.tuples(st.integers(1, 9), st.integers(0, 9), st.integers(0, 3))
EPISODES = st.builds(
    lambda number, seed, shares: (number, seed, *wishes(seed, shares)),
    *(st.integers(0, LEVELS - 1), st.integers(0, 2**31), SHARES),
)


def every_episode(test: Callable) -> Callable:
    return settings(deadline=None, max_examples=40)(given(EPISODES)(test))


def sensible_episodes(number: int) -> Iterator[list[Step]]:
    """Mostly right choices, so that much happens."""
    for place in range(number):
        yield play(place, place, *wishes(place, (5, 14, 1)))


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


def same(one: Any, other: Any) -> bool:
    return jax.tree.all(jax.tree.map(np.array_equal, one, other))
