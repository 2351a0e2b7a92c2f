"""The dynamics: what a primitive of the worker does to the world and to the hidden program counter."""

from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, Int8, Int16

from cofca.envs.base import Status
from cofca.envs.minecraft.levels.level import Level
from cofca.envs.minecraft.params import MinecraftParams
from cofca.envs.minecraft.program import count, walk
from cofca.envs.minecraft.symbols import MOVES, RESOURCES, WAIT, Primitive, Thing, Verb


class State(NamedTuple):
    """Everything about an episode at one moment."""

    level: Level
    cells: Int8[Array, "height width"]
    worker: Int8[Array, "2"]
    inventory: Int8[Array, "3"]
    line: Int16[Array, ""]
    """The hidden program counter: the current subtask, or the program's length when it is done."""
    time: Int16[Array, ""]
    status: Int8[Array, ""]
    transitions: Int16[Array, "9"]
    """How often each `Transition` happened in this episode."""
    latest: Bool[Array, "9"]
    """Which of them happened in the latest walk: what a failure now is put down to."""


class Event(NamedTuple):
    """What a primitive accomplished: verb 0 if nothing."""

    verb: Int8[Array, ""]
    noun: Int8[Array, ""]


def start(level: Level) -> State:
    """The state at the start of an episode, the program counter on the first subtask."""
    first = walk(level.program, jnp.int16(0), count(level.cells), needed=jnp.bool(True), first=True)
    return State(
        level=level,
        cells=level.cells,
        worker=level.worker,
        inventory=jnp.zeros(len(RESOURCES), jnp.int8),
        line=jnp.where(first.endless, 0, first.line).astype(jnp.int16),
        time=jnp.int16(0),
        status=jnp.where(first.endless, Status.FAILED, Status.RUNNING).astype(jnp.int8),
        transitions=first.transitions,
        latest=first.transitions > 0,
    )


def advance(state: State, command: Int[Array, ""], primitive: Int[Array, ""], params: MinecraftParams) -> State:
    """The state one time step later. A finished episode stays as it is."""
    running = state.status == Status.RUNNING
    noun = jnp.where((command >= 0) & (command < WAIT), command % len(RESOURCES) + 1, 0).astype(jnp.int8)
    primitive = jnp.where(running, primitive, Primitive.STAY)
    cells, worker, inventory, event = act(state, noun, primitive)

    program = state.level.program
    _, verb, wanted = program.lines[state.line]
    completed = (event.verb > 0) & (event.verb == verb) & (event.noun == wanted)
    completed &= state.line < program.length
    mined = event.verb == Verb.MINE
    fetched = mined & ((event.noun == Thing.WOOD) | (verb == Verb.SELL) & (event.noun == wanted))
    out_of_order = (mined | (event.verb == Verb.SELL)) & ~completed & ~fetched

    path = walk(program, (state.line + completed).astype(jnp.int16), count(cells), needed=completed)
    time = (state.time + running).astype(jnp.int16)
    # Also a program that was done at the start succeeds with the first step.
    done = ~path.endless & (path.line >= program.length)
    late = time >= params.steps_per_line * program.length
    return State(
        level=state.level,
        cells=cells,
        worker=worker,
        inventory=inventory,
        line=jnp.where(path.endless, state.line, path.line),
        time=time,
        status=jnp.where(running, _status(done, out_of_order | path.endless, late), state.status),
        transitions=state.transitions + path.transitions,
        latest=jnp.where(completed, path.transitions > 0, state.latest),
    )


def act(
    state: State, noun: Int8[Array, ""], primitive: Int[Array, ""]
) -> tuple[Int8[Array, "height width"], Int8[Array, "2"], Int8[Array, "3"], Event]:
    """Carry out a primitive: the new cells, worker and inventory, and what was accomplished."""
    here = state.cells[state.worker[0], state.worker[1]]
    on_resource = (here >= Thing.IRON) & (here <= Thing.WOOD)
    held = (jnp.arange(1, 4) == noun) & (state.inventory > 0)
    mined = (primitive == Primitive.MINE) & on_resource
    sold = (primitive == Primitive.SELL) & (here == Thing.MERCHANT) & held.any()
    inspected = (primitive == Primitive.INSPECT) & on_resource

    worker, bridged = move(state, primitive)
    # A primitive empties at most one cell, and the worker then stands on it.
    rows, columns = jnp.indices(state.cells.shape)
    emptied = (mined | bridged) & (rows == worker[0]) & (columns == worker[1])
    cells = jnp.where(emptied, Thing.NOTHING, state.cells).astype(jnp.int8)

    resource = jnp.arange(1, 4)
    gained = mined & (resource == here)
    lost = sold & (resource == noun) | bridged & (resource == Thing.WOOD)
    inventory = state.inventory + gained - lost
    verb = mined * Verb.MINE + sold * Verb.SELL + inspected * Verb.INSPECT
    event = Event(verb.astype(jnp.int8), jnp.where(sold, noun, here))
    return cells, worker, inventory.astype(jnp.int8), event


def move(state: State, primitive: Int[Array, ""]) -> tuple[Int8[Array, "2"], Bool[Array, ""]]:
    """Where the worker stands after the primitive, and whether it bridged water to get there."""
    is_move = (primitive >= 0) & (primitive < len(MOVES))
    change = jnp.array(MOVES, jnp.int8)[jnp.clip(primitive, 0, len(MOVES) - 1)]
    target = state.worker + change
    shape = jnp.array(state.cells.shape, jnp.int8)
    inside = ((target >= 0) & (target < shape)).all()
    row, column = jnp.clip(target, 0, shape - 1)
    there = state.cells[row, column]
    wet = there == Thing.WATER
    has_wood = state.inventory[Thing.WOOD - 1] > 0
    moves = is_move & inside & (there != Thing.WALL) & (~wet | has_wood)
    return jnp.where(moves, target, state.worker), moves & wet


def _status(done: Bool[Array, ""], failed: Bool[Array, ""], late: Bool[Array, ""]) -> Int8[Array, ""]:
    late_status = jnp.where(late, Status.OUT_OF_TIME, Status.RUNNING)
    return jnp.where(done, Status.SUCCEEDED, jnp.where(failed, Status.FAILED, late_status)).astype(jnp.int8)
