"""The Minecraft-inspired domain as the comparison with the plain simulator wants it."""

from typing import Any

import jax
import jax.numpy as jnp

from cofca.envs.minecraft import (
    CONDITIONS,
    Level,
    Minecraft,
    MinecraftParams,
    Primitive,
    State,
    Status,
    Thing,
    generate,
    oracle,
)
from cofca.envs.minecraft.levels import grammar
from cofca.envs.minecraft.worker import View, planner
from envs.differential import Deed, Divergence, Domain, Kind
from envs.reference.minecraft.planner import plan
from envs.reference.minecraft.program import KINDS
from envs.reference.minecraft.simulator import Simulator

STATUSES = {"running": 0, "succeeded": 1, "failed": 2, "timed out": 3}
assert list(STATUSES.values()) == list(Status)

PAPER = MinecraftParams(length=(1, 50))
WIDE = MinecraftParams(length=(3, 30), max_depth=4, conditions=CONDITIONS, steps_per_line=6)
"""Nested blocks and conditions on wood; a short time limit, so that it is met too."""


def generated(key: jax.Array, number: int, params: MinecraftParams) -> Level:
    """Levels as they are played."""
    return generate(jax.random.split(key, number), params)


def wild_levels(key: jax.Array, number: int, params: MinecraftParams) -> Level:
    """Levels no generator would make: any thing in any cell, any program, solvable or not."""

    def one(key: jax.Array) -> Level:
        length_key, program_key, cells_key, density_key, worker_key = jax.random.split(key, 5)
        length = jax.random.randint(length_key, (), params.length[0], params.length[1] + 1)
        weights = jax.random.dirichlet(density_key, jnp.array([3.0, 1, 1, 1, 1, 1, 0.7]))
        cells = jax.random.categorical(cells_key, jnp.log(weights), shape=(params.size, params.size))
        place = jax.random.randint(worker_key, (2,), 0, params.size)
        cells = cells.at[place[0], place[1]].set(Thing.NOTHING).astype(jnp.int8)
        return Level(key, grammar.generate(program_key, length, params), cells, place.astype(jnp.int8))

    return jax.vmap(one)(jax.random.split(key, number))


ORACLE, SLIPPING, WANDERING, SENSELESS = range(4)
STYLES = (ORACLE, SLIPPING, *5 * (WANDERING,), SENSELESS)
"""Who plays: the oracle; it with random primitives now and then; somebody who does harmless things between
right ones, so that episodes last and the worker gets everywhere; and somebody who does anything, integers
that mean nothing included."""
SLIPS = jnp.array([0.0, 0.1, 0.0, 0.5])
HARMLESS = jnp.array([2, 6, 7, 8, 9])
"""Mine wood, inspect something, wait."""


def choose(key: jax.Array, state: State, style: jax.Array, params: MinecraftParams) -> Deed:
    """A command, a primitive, and what the planner answers to the command, whether or not it is done."""
    del params
    kind_key, pick_key, slip_key, primitive_key = jax.random.split(key, 4)
    right, harmless = oracle(state), jax.random.choice(pick_key, HARMLESS)
    wandering = jnp.where(jax.random.uniform(kind_key) < 0.3, right, harmless)
    anything = jax.random.randint(pick_key, (), -3, 13)
    command = jnp.stack([right, right, wandering, anything])[style]
    planned = planner(key, View(state.cells, state.worker, state.inventory), command)
    slip = jax.random.uniform(slip_key) < SLIPS[style]
    return Deed(command, jnp.where(slip, jax.random.randint(primitive_key, (), -2, 14), planned), planned)


def simulator(level: Any, params: MinecraftParams) -> Simulator:
    """The plain world at the start of a level."""
    lines = [tuple(line) for line in level.program.lines[: level.program.length]]
    return Simulator(lines, level.cells, tuple(level.worker), params.steps_per_line)


def fields(simulator: Simulator) -> list[Any]:
    """The simulator's state in the form and order of `State`."""
    return [
        simulator.cells,
        list(simulator.worker),
        simulator.inventory,
        simulator.line,
        simulator.time,
        STATUSES[simulator.status],
        [simulator.transitions[kind] for kind in KINDS],
        [kind in simulator.latest for kind in KINDS],
    ]


def follow(simulator: Simulator, deed: Deed, after: dict[str, Any]) -> float:
    """Ask the plain planner too, and do what was done."""
    del after
    wanted = plan(simulator.cells, simulator.worker, simulator.inventory, deed.action)
    if deed.witness != wanted:
        raise Divergence(f"planner says {Primitive(deed.witness).name}, reference {Primitive(wanted).name}")
    return simulator.step(deed.action, deed.response)[0]


DOMAIN = Domain(Minecraft(), STYLES, choose, simulator, State._fields[1:], fields, follow)
LEVELS = Kind(generated, PAPER), Kind(wild_levels, WIDE)
