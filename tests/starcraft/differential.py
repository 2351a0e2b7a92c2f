"""Step the compiled world and the plain-Python one side by side and name the first place where they part."""

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from reference.starcraft.simulator import Simulator

from cofca.draws import pick
from cofca.starcraft import Building, Level, StarCraft, StarCraftParams, State, Status, Terrain, oracle
from cofca.starcraft.levels.generator import generate
from cofca.starcraft.symbols import NUM_BUILDINGS
from cofca.starcraft.world import start

STATUSES = {"running": 0, "succeeded": 1, "timed out": 3}
assert [Status(code).name for code in STATUSES.values()] == ["RUNNING", "SUCCEEDED", "OUT_OF_TIME"]

STEPS_BEYOND_THE_END = 3
"""A finished episode must stay as it is: so many further frames are compared."""

PAPER = StarCraftParams(length=(2, 25))
HARSH = StarCraftParams(
    length=(2, 12), ambush_probability=0.4, attack_probability=0.3, steps_per_line=5, max_depth=4, size=4
)
"""Enemies all the time, a small grid, and a short time limit, so that everything happens often."""


class Trace(NamedTuple):
    """What was chosen and what came of it, [frames, episodes, ...]."""

    choice: np.ndarray
    response: np.ndarray
    mask: np.ndarray
    """What was allowed before the choice."""
    state: State
    reward: np.ndarray


def generated(key: jax.Array, number: int, params: StarCraftParams) -> Level:
    """Levels as they are played."""
    return generate(jax.random.split(key, number), params)


def wild_levels(key: jax.Array, number: int, params: StarCraftParams) -> Level:
    """Levels no generator would make: any building and ground in any cell, so far as a building may stand there."""

    def one(level: Level, key: jax.Array) -> Level:
        ground_key, building_key, share_key = jax.random.split(key, 3)
        shape = level.terrain.shape
        ground = jax.random.categorical(ground_key, jnp.log(jnp.array([0.7, 0.15, 0.15])), shape=shape)
        kinds = jax.random.randint(building_key, shape, 1, NUM_BUILDINGS + 1)
        there = jax.random.uniform(share_key, shape) < jax.random.uniform(key)
        fits = (ground == Terrain.PLAIN) | (ground == Terrain.GAS) & (kinds == Building.ASSIMILATOR)
        nexus = (jnp.arange(level.terrain.size) == _cell(level)).reshape(shape)
        buildings = jnp.where(nexus, Building.NEXUS, jnp.where(there & fits, kinds, 0))
        terrain = jnp.where(nexus, Terrain.PLAIN, ground)
        return level._replace(terrain=terrain.astype(jnp.int8), buildings=buildings.astype(jnp.int8))

    return jax.vmap(one)(generated(key, number, params), jax.random.split(key, number))


def _cell(level: Level) -> jax.Array:
    return level.nexus[0] * level.buildings.shape[1] + level.nexus[1]


ORACLE, SLIPPING, ALLOWED, SENSELESS = range(4)
STYLES = jnp.array([ORACLE, SLIPPING, SLIPPING, ALLOWED, ALLOWED, SENSELESS])
"""Who plays: the oracle; it with random allowed choices now and then; random allowed choices; and somebody who chooses
anything, integers that mean nothing included."""


def choose(key: jax.Array, state: State, style: jax.Array, params: StarCraftParams) -> tuple[jax.Array, jax.Array]:
    """A choice, and the mask it was made under."""
    slip_key, pick_key, any_key = jax.random.split(key, 3)
    mask = StarCraft().allowed(state, params)
    right, random = oracle(state), pick(jax.random.uniform(pick_key), mask)
    slip = jnp.where(jax.random.uniform(slip_key) < 0.3, random, right)
    anything = jax.random.randint(any_key, (), -3, params.num_choices + 3)
    senseless = jnp.where(jax.random.uniform(slip_key) < 0.3, anything, random)
    return jnp.stack([right, slip, random, senseless])[style], mask


@partial(jax.jit, static_argnames=("params", "steps"))
def trace(key: jax.Array, levels: Level, params: StarCraftParams, steps: int) -> tuple[State, Trace]:
    """Play all levels in the compiled world; episodes that end are stepped on."""
    first = jax.vmap(start)(levels)
    styles = STYLES[jnp.arange(first.line.shape[0]) % STYLES.size]
    env = StarCraft()

    def step(states: State, key: jax.Array) -> tuple[State, Trace]:
        keys = jax.random.split(key, styles.size)
        choice, mask = jax.vmap(partial(choose, params=params))(keys, states, styles)
        response = jax.vmap(partial(env.respond, params=params))(keys, states, choice)
        after, outcome = jax.vmap(partial(env.advance, params=params))(keys, states, choice, response)
        slim = after._replace(level=jnp.zeros(styles.size, bool))
        return after, Trace(choice, response, mask, slim, outcome.reward)

    return first, jax.lax.scan(step, first, jax.random.split(key, steps))[1]


class Comparison(NamedTuple):
    """How many frames of running episodes were compared, and the first divergence of each episode that has one."""

    steps: int
    divergences: list[str]


def compare(key: jax.Array, levels: Level, params: StarCraftParams, steps: int) -> Comparison:
    """Play these levels in both worlds."""
    first, played = trace(key, levels, params, steps)
    # Random keys can't be turned into numbers, and nothing here depends on them.
    keyless = first.level._replace(key=jnp.zeros(first.line.shape, bool))
    first, played = jax.device_get((first._replace(level=keyless), played))
    replays = [_replay(first, played, episode, params) for episode in range(first.line.size)]
    found = [f"episode {episode}, {problem}" for episode, (_, problem) in enumerate(replays) if problem]
    return Comparison(sum(steps for steps, _ in replays), found)


def _replay(first: State, played: Trace, episode: int, params: StarCraftParams) -> tuple[int, str | None]:
    """Replay one episode, and a few frames beyond its end, in the plain simulator."""
    level = jax.tree.map(lambda leaf: leaf[episode].tolist(), first.level)
    lines = level.program.lines[: level.program.length]
    place = level.nexus[0], level.nexus[1]
    forest = level.prerequisites, level.trainers
    simulator = Simulator(lines, *forest, level.terrain, level.buildings, place, params.steps_per_line)
    begin = [leaf[episode].tolist() for leaf in jax.tree.leaves(first[1:])]
    if begin != (reached := _fields(simulator)):
        return 0, f"start: {_difference(begin, reached)}"
    states = zip(*(leaf[:, episode].tolist() for leaf in jax.tree.leaves(played.state[1:])), strict=True)
    deeds = (leaf[:, episode].tolist() for leaf in (played.choice, played.response, played.mask, played.reward))
    beyond = 0
    for step, (choice, response, mask, reward, state) in enumerate(zip(*deeds, states, strict=True)):
        where = f"frame {step}, choice {choice}"
        running = simulator.status == "running"
        if mask != simulator.mask():
            return step, f"{where}: the masks differ"
        if response != (running and not simulator.narrows(choice)):
            return step, f"{where}: response is {response}"
        ambush, attack = _enemy(state) if running and response else (0, ())
        try:
            given, *_ = simulator.step(choice, ambush, attack)
        except AssertionError as error:
            return step, f"{where}: the enemy did the impossible: {error}"
        if [reward, *state] != [given, *(reached := _fields(simulator))]:
            return step, f"{where}: {_difference([reward, *state], [given, *reached], 'reward')}"
        beyond += simulator.status != "running"
        if beyond > STEPS_BEYOND_THE_END:
            return step - STEPS_BEYOND_THE_END, None
    return step + 1, None


NAMES = (
    *("buildings", "places", "goals", "tasks", "units", "stage", "ambushed", "destroyed"),
    *("line", "time", "status", "transitions", "latest"),
)


def _enemy(state: tuple) -> tuple[int, list[tuple[int, int]]]:
    """What the enemy did in a step, read off the state after it."""
    destroyed = state[NAMES.index("destroyed")]
    cells = [(r, c) for r, row in enumerate(destroyed) for c, lost in enumerate(row) if lost]
    return state[NAMES.index("ambushed")], cells


def _fields(simulator: Simulator) -> list[Any]:
    """The simulator's state in the form and order of `State`."""
    return [
        simulator.buildings,
        [list(place) for place in simulator.probes],
        [list(goal) for goal in simulator.goals],
        simulator.tasks,
        simulator.units,
        list(simulator.stage),
        simulator.ambushed,
        simulator.destroyed,
        simulator.line,
        simulator.time,
        STATUSES[simulator.status],
        list(simulator.transitions.values()),
        [kind in simulator.latest for kind in simulator.transitions],
    ]


def _difference(ours: list[Any], theirs: list[Any], *before: str) -> str:
    pairs = zip((*before, *NAMES), ours, theirs, strict=True)
    return "; ".join(f"{name} is {mine}, reference {other}" for name, mine, other in pairs if mine != other)
