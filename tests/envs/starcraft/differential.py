"""The StarCraft-inspired domain as the comparison with the plain simulator wants it."""

from typing import Any

import jax
import jax.numpy as jnp

from cofca.envs.starcraft import Building, Level, StarCraft, StarCraftParams, State, Status, Terrain, oracle
from cofca.envs.starcraft.levels.generator import generate
from cofca.envs.starcraft.symbols import NUM_BUILDINGS
from cofca.utils.prng import pick
from envs.differential import Deed, Divergence, Domain, Kind
from envs.reference.starcraft.simulator import Simulator

ENV = StarCraft()
STATUSES = {"running": 0, "succeeded": 1, "timed out": 3}
assert [Status(code).name for code in STATUSES.values()] == ["RUNNING", "SUCCEEDED", "OUT_OF_TIME"]

PAPER = StarCraftParams(length=(2, 25))
HARSH = StarCraftParams(
    length=(2, 12), ambush_probability=0.4, attack_probability=0.3, steps_per_line=5, max_depth=4, size=4
)
"""Enemies all the time, a small grid, and a short time limit, so that everything happens often."""


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
STYLES = (ORACLE, SLIPPING, SLIPPING, ALLOWED, ALLOWED, SENSELESS)
"""Who plays: the oracle; it with random allowed choices now and then; random allowed choices; and somebody who chooses
anything, integers that mean nothing included."""


def choose(key: jax.Array, state: State, style: jax.Array, params: StarCraftParams) -> Deed:
    """A choice, whether it lets time pass, and the mask it was made under."""
    slip_key, pick_key, any_key = jax.random.split(key, 3)
    mask = ENV.allowed(state, params)
    right, random = oracle(state), pick(jax.random.uniform(pick_key), mask)
    slip = jnp.where(jax.random.uniform(slip_key) < 0.3, random, right)
    anything = jax.random.randint(any_key, (), -3, params.num_choices + 3)
    senseless = jnp.where(jax.random.uniform(slip_key) < 0.3, anything, random)
    choice = jnp.stack([right, slip, random, senseless])[style]
    return Deed(choice, ENV.respond(key, state, choice, params), mask)


def simulator(level: Any, params: StarCraftParams) -> Simulator:
    """The plain world at the start of a level."""
    lines = level.program.lines[: level.program.length]
    forest, ground = (level.prerequisites, level.trainers), (level.terrain, level.buildings)
    return Simulator(lines, *forest, *ground, tuple(level.nexus), params.steps_per_line)


NAMES = (
    *("buildings", "places", "goals", "tasks", "units", "stage", "ambushed", "destroyed"),
    *("line", "time", "status", "transitions", "latest"),
)


def fields(simulator: Simulator) -> list[Any]:
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


def follow(simulator: Simulator, deed: Deed, after: dict[str, Any]) -> float:
    """Choose the same, and let the enemy do what it did."""
    running = simulator.status == "running"
    if deed.witness != simulator.mask():
        raise Divergence("the masks differ")
    if deed.response != (running and not simulator.narrows(deed.action)):
        raise Divergence("the simulator answers otherwise")
    ambush, attack = _enemy(after) if running and deed.response else (0, ())
    try:
        return simulator.step(deed.action, ambush, attack)[0]
    except AssertionError as error:
        raise Divergence(f"the enemy did the impossible: {error}") from error


def _enemy(after: dict[str, Any]) -> tuple[int, list[tuple[int, int]]]:
    """What the enemy did in a step, read off the state after it."""
    cells = [(r, c) for r, row in enumerate(after["destroyed"]) for c, lost in enumerate(row) if lost]
    return after["ambushed"], cells


DOMAIN = Domain(ENV, STYLES, choose, simulator, NAMES, fields, follow)
LEVELS = Kind(generated, PAPER), Kind(wild_levels, HARSH)
