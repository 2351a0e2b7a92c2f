"""Step the compiled world and the plain-Python one side by side and name the first place where they part."""

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from reference.minecraft.planner import plan
from reference.minecraft.program import KINDS
from reference.minecraft.simulator import Simulator

from cofca.minecraft import CONDITIONS, Level, Minecraft, MinecraftParams, Primitive, State, Status, Thing, oracle
from cofca.minecraft.levels import grammar
from cofca.minecraft.worker import View, planner
from cofca.minecraft.world import start

STATUSES = {"running": 0, "succeeded": 1, "failed": 2, "timed out": 3}
assert list(STATUSES.values()) == list(Status)

STEPS_BEYOND_THE_END = 3
"""A finished episode must stay as it is: so many further steps are compared."""

PAPER = MinecraftParams(length=(1, 50))
WIDE = MinecraftParams(length=(3, 30), max_depth=4, conditions=CONDITIONS, steps_per_line=6)
"""Nested blocks and conditions on wood; a short time limit, so that it is met too."""


class Trace(NamedTuple):
    """What was done and what came of it, [steps, episodes, ...]."""

    command: np.ndarray
    primitive: np.ndarray
    planned: np.ndarray
    """What the planner answers to the command, whether or not it was done."""
    state: State
    reward: np.ndarray


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
STYLES = jnp.array([ORACLE, SLIPPING, WANDERING, WANDERING, WANDERING, WANDERING, WANDERING, SENSELESS])
"""Who plays: the oracle; it with random primitives now and then; somebody who does harmless things between
right ones, so that episodes last and the worker gets everywhere; and somebody who does anything, integers
that mean nothing included."""
SLIPS = jnp.array([0.0, 0.1, 0.0, 0.5])
HARMLESS = jnp.array([2, 6, 7, 8, 9])
"""Mine wood, inspect something, wait."""


def choose(key: jax.Array, state: State, style: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """A command, a primitive, and what the planner says to the command."""
    kind_key, pick_key, slip_key, primitive_key = jax.random.split(key, 4)
    right, harmless = oracle(state), jax.random.choice(pick_key, HARMLESS)
    wandering = jnp.where(jax.random.uniform(kind_key) < 0.3, right, harmless)
    anything = jax.random.randint(pick_key, (), -3, 13)
    command = jnp.stack([right, right, wandering, anything])[style]
    planned = planner(key, View(state.cells, state.worker, state.inventory), command)
    slip = jax.random.uniform(slip_key) < SLIPS[style]
    return command, jnp.where(slip, jax.random.randint(primitive_key, (), -2, 14), planned), planned


@partial(jax.jit, static_argnames=("params", "steps"))
def trace(key: jax.Array, levels: Level, params: MinecraftParams, steps: int) -> tuple[State, Trace]:
    """Play all levels in the compiled world; episodes that end are stepped on."""
    first = jax.vmap(start)(levels)
    styles = STYLES[jnp.arange(first.line.shape[0]) % STYLES.size]
    env = Minecraft()

    def step(states: State, key: jax.Array) -> tuple[State, Trace]:
        keys = jax.random.split(key, styles.size)
        command, primitive, planned = jax.vmap(choose)(keys, states, styles)
        after, outcome = jax.vmap(partial(env.advance, params=params))(keys, states, command, primitive)
        slim = after._replace(level=jnp.zeros(styles.size, bool))
        return after, Trace(command, primitive, planned, slim, outcome.reward)

    return first, jax.lax.scan(step, first, jax.random.split(key, steps))[1]


class Comparison(NamedTuple):
    """How many steps of running episodes were compared, and the first divergence of each episode that has one."""

    steps: int
    divergences: list[str]


def compare(key: jax.Array, levels: Level, params: MinecraftParams, steps: int) -> Comparison:
    """Play these levels in both worlds."""
    first, played = trace(key, levels, params, steps)
    # Random keys can't be turned into numbers, and nothing here depends on them.
    keyless = first.level._replace(key=jnp.zeros(first.line.shape, bool))
    first, played = jax.device_get((first._replace(level=keyless), played))
    replays = [_replay(first, played, episode, params) for episode in range(first.line.size)]
    found = [f"episode {episode}, {problem}" for episode, (_, problem) in enumerate(replays) if problem]
    return Comparison(sum(steps for steps, _ in replays), found)


def _replay(first: State, played: Trace, episode: int, params: MinecraftParams) -> tuple[int, str | None]:
    """Replay one episode, and a few steps beyond its end, in the plain simulator."""
    program = jax.tree.map(lambda leaf: leaf[episode], first.level.program)
    lines = [tuple(line) for line in program.lines[: program.length].tolist()]
    cells, worker = first.cells[episode].tolist(), tuple(first.worker[episode].tolist())
    simulator = Simulator(lines, cells, worker, params.steps_per_line)
    begin = [leaf[episode].tolist() for leaf in first[1:]]
    if begin != (reached := _fields(simulator)):
        return 0, f"start: {_difference(begin, reached)}"
    states = zip(*(leaf[:, episode].tolist() for leaf in played.state[1:]), strict=True)
    deeds = (leaf[:, episode].tolist() for leaf in (played.command, played.primitive, played.planned, played.reward))
    beyond = 0
    for step, (command, primitive, planned, reward, state) in enumerate(zip(*deeds, states, strict=True)):
        where = f"step {step}, command {command}, primitive {primitive}"
        wanted = plan(simulator.cells, simulator.worker, simulator.inventory, command)
        if planned != wanted:
            return step, f"{where}: planner says {Primitive(planned).name}, reference {Primitive(wanted).name}"
        given, *_ = simulator.step(command, primitive)
        if [reward, *state] != [given, *(reached := _fields(simulator))]:
            return step, f"{where}: {_difference([reward, *state], [given, *reached], 'reward')}"
        beyond += simulator.status != "running"
        if beyond > STEPS_BEYOND_THE_END:
            return step - STEPS_BEYOND_THE_END, None
    return step + 1, None


def _fields(simulator: Simulator) -> list[Any]:
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


def _difference(ours: list[Any], theirs: list[Any], *before: str) -> str:
    names = (*before, *State._fields[1:])
    pairs = zip(names, ours, theirs, strict=True)
    return "; ".join(f"{name} is {mine}, reference {other}" for name, mine, other in pairs if mine != other)
