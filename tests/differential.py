"""Step the compiled world and the plain-Python one side by side and name the first place where they part."""

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from reference.planner import plan
from reference.program import KINDS
from reference.simulator import Simulator

from cofca.minecraft import CONDITIONS, Level, Minecraft, MinecraftParams, Primitive, State, Status, Thing, oracle
from cofca.minecraft.levels import grammar
from cofca.minecraft.worker import View, planner
from cofca.minecraft.world import advance, start

STATUSES = {"running": 0, "succeeded": 1, "failed": 2, "timed out": 3}
assert [Status(number).value for number in STATUSES.values()] == [0, 1, 2, 3]

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


def choose(key: jax.Array, state: State, style: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """A command, a primitive and what the planner says, in four styles from sensible to senseless."""
    which, random_key, other_key, slip_key = jax.random.split(key, 4)
    command = jnp.where(style < 2, oracle(state), jax.random.randint(random_key, (), 0, 10))
    nonsense = jax.random.randint(random_key, (), -20, 30)
    command = jnp.where((style == 3) & (jax.random.uniform(which) < 0.2), nonsense, command)
    planned = planner(key, View(state.cells, state.worker, state.inventory), command)
    slip = jax.random.uniform(slip_key) < jnp.array([0.0, 0.1, 0.0, 0.5])[style]
    return command, jnp.where(slip, jax.random.randint(other_key, (), -2, 14), planned), planned


@partial(jax.jit, static_argnames=("params", "steps"))
def trace(key: jax.Array, levels: Level, params: MinecraftParams, steps: int) -> tuple[State, Trace]:
    """Play all levels in the compiled world; episodes that end are stepped on."""
    first = jax.vmap(start)(levels)
    styles = jnp.arange(first.line.shape[0]) % 4
    env = Minecraft()

    def step(states: State, key: jax.Array) -> tuple[State, Trace]:
        keys = jax.random.split(key, styles.size)
        command, primitive, planned = jax.vmap(choose)(keys, states, styles)
        after, outcome = jax.vmap(partial(env.advance, params=params))(keys, states, command, primitive)
        slim = after._replace(level=jnp.zeros(styles.size, bool))
        return after, Trace(command, primitive, planned, slim, outcome.reward)

    return first, jax.lax.scan(step, first, jax.random.split(key, steps))[1]


def divergences(first: State, played: Trace, params: MinecraftParams) -> Iterator[str]:
    """Replay every episode in the plain simulator; yields one message an episode that differs."""
    program = first.level.program
    for episode in range(program.length.shape[0]):
        length = int(program.length[episode])
        lines = [tuple(line) for line in program.lines[episode, :length].tolist()]
        cells, worker = first.cells[episode].tolist(), tuple(first.worker[episode].tolist())
        simulator = Simulator(lines, cells, worker, params.steps_per_line)
        view = _pick(first._replace(level=jnp.zeros(program.length.shape, bool)), episode)
        if problem := _difference(simulator, view, 0, 0):
            yield f"episode {episode}, start: {problem}"
            continue
        states = _pick_episode(played.state, episode)
        for step in range(played.command.shape[0]):
            command, primitive = int(played.command[step, episode]), int(played.primitive[step, episode])
            wanted = plan(simulator.cells, simulator.worker, simulator.inventory, command)
            planned = int(played.planned[step, episode])
            where = f"episode {episode}, step {step}, command {command}, primitive {primitive}"
            if wanted != planned:
                yield f"{where}: planner says {Primitive(planned).name}, reference {Primitive(wanted).name}"
                break
            reward = simulator.step(command, primitive)[0]
            given = float(played.reward[step, episode])
            if problem := _difference(simulator, _pick(states, step), reward, given):
                yield f"{where}: {problem}"
                break


def _pick(states: State, index: int) -> State:
    return jax.tree.map(lambda leaf: leaf[index], states)


def _pick_episode(states: State, episode: int) -> State:
    return jax.tree.map(lambda leaf: leaf[:, episode], states)


def _difference(simulator: Simulator, state: State, reward: float, given: float) -> str | None:
    """The first field in which the two worlds differ."""
    counted = [simulator.transitions[kind] for kind in KINDS]
    pairs: dict[str, tuple[Any, Any]] = {
        "reward": (given, reward),
        "cells": (state.cells.tobytes(), bytes(cell for row in simulator.cells for cell in row)),
        "worker": (tuple(state.worker.tolist()), simulator.worker),
        "inventory": (state.inventory.tolist(), simulator.inventory),
        "line": (int(state.line), simulator.line),
        "time": (int(state.time), simulator.time),
        "status": (int(state.status), STATUSES[simulator.status]),
        "transitions": (state.transitions.tolist(), counted),
        "latest": ({KINDS[kind] for kind in np.flatnonzero(state.latest)}, simulator.latest),
    }
    for name, (ours, theirs) in pairs.items():
        if ours != theirs:
            return f"{name} is {ours}, reference {theirs}"
    return None


def compare(key: jax.Array, levels: Level, params: MinecraftParams, steps: int) -> list[str]:
    """The first divergence of each episode of these levels, none if the worlds agree."""
    first, played = trace(key, levels, params, steps)
    # Random keys can't be turned into numbers, and nothing here depends on them.
    keyless = first.level._replace(key=jnp.zeros(first.line.shape, bool))
    first, played = jax.device_get((first._replace(level=keyless), played))
    return list(divergences(first, played, params))
