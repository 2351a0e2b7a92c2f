"""The dynamics: commands, Probes, the enemy, and the hidden line to do."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, Int8, Int16, Int32, PRNGKeyArray

from cofca.envs.base import Status
from cofca.envs.starcraft.commands import Command, StageArray, interpret
from cofca.envs.starcraft.levels.level import Level
from cofca.envs.starcraft.params import StarCraftParams
from cofca.envs.starcraft.progress import Standing, Transition, Units, line_to_do, satisfied, standing, stands
from cofca.envs.starcraft.symbols import NUM_PROBES, NUM_UNITS, Building, Terrain
from cofca.utils.prng import below, draw_uniform

Grid = Int8[Array, "height width"]


class Probes(NamedTuple):
    """Where the Probes are and what they have been told. Without an order the goal is the own place."""

    places: Int8[Array, "3 2"]
    goals: Int8[Array, "3 2"]
    tasks: Int8[Array, "3"]
    """What each is to build at its goal; 0 for nothing."""


class State(NamedTuple):
    """Everything about an episode at one moment."""

    level: Level
    buildings: Grid
    probes: Probes
    units: Units
    """How many of each unit are alive. Agents do not see it."""
    stage: StageArray
    ambushed: Int8[Array, ""]
    """The unit lost in the last time step; 0 for none."""
    destroyed: Bool[Array, "height width"]
    """Where buildings were lost in the last time step."""
    line: Int16[Array, ""]
    """The hidden line to do, or the program's length when all units are covered."""
    time: Int16[Array, ""]
    status: Int8[Array, ""]
    transitions: Int16[Array, "5"]
    """How often each `Transition` happened in this episode."""
    latest: Bool[Array, "5"]
    """Which of them happened in the latest time step."""


class Losses(NamedTuple):
    """What the enemy destroys in a time step."""

    ambushed: Int8[Array, ""]
    destroyed: Bool[Array, "height width"]


def start(level: Level) -> State:
    """The state at the start of an episode."""
    places = jnp.tile(level.nexus, (NUM_PROBES, 1))
    units = jnp.zeros(NUM_UNITS, jnp.int16)
    done = satisfied(level.program, standing(level.buildings), units)
    return State(
        level=level,
        buildings=level.buildings,
        probes=Probes(places, places, jnp.zeros(NUM_PROBES, jnp.int8)),
        units=units,
        stage=jnp.zeros(3, jnp.int8),
        ambushed=jnp.int8(0),
        destroyed=jnp.zeros(level.buildings.shape, bool),
        line=line_to_do(level.program, done),
        time=jnp.int16(0),
        status=jnp.int8(Status.RUNNING),
        transitions=jnp.zeros(len(Transition), jnp.int16),
        latest=jnp.zeros(len(Transition), bool),
    )


def advance(
    key: PRNGKeyArray, state: State, choice: Int[Array, ""], params: StarCraftParams
) -> tuple[State, Bool[Array, ""]]:
    """The state one frame later, and whether a command was completed and valid. A finished episode stays as it is."""
    command = interpret(choice, state.stage, state.buildings, params)
    after, valid = time_step(key, state, command, params)
    narrowed = state._replace(stage=command.stage)
    running = state.status == Status.RUNNING

    def select(*leaves: Array) -> Array:
        old, narrowed, after = leaves
        return jnp.where(running, jnp.where(command.narrows, narrowed, after), old)

    # All but the level, which is the same in all three.
    chosen = (jax.tree.map(select, *parts) for parts in zip(state[1:], narrowed[1:], after[1:], strict=True))
    return State(state.level, *chosen), valid & running & ~command.narrows


def passes(state: State, choice: Int[Array, ""], params: StarCraftParams) -> Bool[Array, ""]:
    """Whether time passes with a choice."""
    narrows = interpret(choice, state.stage, state.buildings, params).narrows
    return (state.status == Status.RUNNING) & ~narrows


def time_step(
    key: PRNGKeyArray, state: State, command: Command, params: StarCraftParams
) -> tuple[State, Bool[Array, ""]]:
    """Carry out a command, let the Probes walk and build, let the enemy come."""
    level, program = state.level, state.level.program
    kinds = standing(state.buildings)
    probes, units, valid = obey(state, kinds, command)
    probes, buildings = walk(probes, state.buildings, kinds, level)
    succeeded = (units >= program.required).all()

    losses = enemy(key, units, buildings, params)
    ambushed = jnp.where(succeeded, 0, losses.ambushed).astype(jnp.int8)
    destroyed = losses.destroyed & ~succeeded
    units = units - (jnp.arange(1, NUM_UNITS + 1) == ambushed).astype(jnp.int16)
    buildings = jnp.where(destroyed, 0, buildings).astype(jnp.int8)

    line = line_to_do(program, satisfied(program, standing(buildings), units))
    change = line - state.line
    latest = jnp.stack([change == 1, change > 1, change < 0, ambushed > 0, destroyed.any()])
    time = state.time + jnp.int16(1)
    late = time >= params.steps_per_line * program.length
    status = jnp.where(succeeded, Status.SUCCEEDED, jnp.where(late, Status.OUT_OF_TIME, Status.RUNNING))
    after = State(
        level=level,
        buildings=buildings,
        probes=probes,
        units=units,
        stage=jnp.zeros_like(state.stage),
        ambushed=ambushed,
        destroyed=destroyed,
        line=line,
        time=time,
        status=status.astype(jnp.int8),
        transitions=state.transitions + latest,
        latest=latest,
    )
    return after, valid


def obey(state: State, kinds: Standing, command: Command) -> tuple[Probes, Units, Bool[Array, ""]]:
    """Give the Probe its order or train the unit, if the command is valid."""
    goal = jnp.stack(jnp.divmod(command.cell, state.buildings.shape[1])).astype(jnp.int8)
    building = command.building.astype(jnp.int8)
    builds = command.builds & can_build(building, goal, state.buildings, kinds, state.level)
    here = state.buildings.reshape(-1)[command.cell]
    trains = command.trains & (here == state.level.trainers[jnp.maximum(command.unit - 1, 0)])

    told = (jnp.arange(1, NUM_PROBES + 1) == command.probe) & (command.goes | builds)
    probes = Probes(
        places=state.probes.places,
        goals=jnp.where(told[:, None], goal, state.probes.goals),
        tasks=jnp.where(told, building, state.probes.tasks),
    )
    trained = (jnp.arange(1, NUM_UNITS + 1) == command.unit) & trains
    return probes, state.units + trained, command.goes | builds | trains


def can_build(
    building: Int8[Array, ""], place: Int8[Array, "2"], buildings: Grid, kinds: Standing, level: Level
) -> Bool[Array, ""]:
    """Whether the prerequisite stands, the cell is free and its ground takes the building."""
    row, column = place
    needs = level.prerequisites[jnp.maximum(building - 1, 0)]
    return stands(kinds, needs) & takes(level.terrain[row, column], building) & (buildings[row, column] == 0)


def takes(ground: Int8[Array, "*shape"], building: Int[Array, ""]) -> Bool[Array, "*shape"]:
    """Whether this ground can bear the building."""
    return (ground == Terrain.PLAIN) | (ground == Terrain.GAS) & (building == Building.ASSIMILATOR)


def walk(probes: Probes, buildings: Grid, kinds: Standing, level: Level) -> tuple[Probes, Grid]:
    """Every Probe makes a step towards its goal and, once there, builds what it was told to."""
    places = probes.places + jnp.sign(probes.goals - probes.places)
    arrived = (places == probes.goals).all(axis=1)
    rows, columns = jnp.indices(buildings.shape)
    # One after another: what an earlier Probe builds counts for a later one.
    for number in range(NUM_PROBES):
        task, (row, column) = probes.tasks[number], places[number]
        done = arrived[number] & (task > 0) & can_build(task, places[number], buildings, kinds, level)
        buildings = jnp.where(done & (rows == row) & (columns == column), task, buildings)
        kinds = jnp.where(done, kinds | (1 << task.astype(jnp.int32)), kinds)
    tasks = jnp.where(arrived, 0, probes.tasks).astype(jnp.int8)
    return Probes(places, probes.goals, tasks), buildings


def enemy(key: PRNGKeyArray, units: Units, buildings: Grid, params: StarCraftParams) -> Losses:
    """An ambush of one unit and an attack on buildings, each with its own probability."""
    uniform = draw_uniform(key, 4 + params.cells)
    ambush, attack = uniform[0] < params.ambush_probability, uniform[1] < params.attack_probability
    alive = jnp.cumsum(units.astype(jnp.int32))
    victim = below(uniform[2], alive[-1])
    unit = jnp.sum(alive <= victim) + 1
    ambushed = jnp.where(ambush & (alive[-1] > 0), unit, 0).astype(jnp.int8)
    # A share drawn uniformly, and each building lost with that probability: so every size of the set is
    # equally likely, and every set of that size.
    hit = uniform[4:].reshape(buildings.shape) < uniform[3]
    return Losses(ambushed, attack & hit & (buildings > 0) & (buildings != Building.NEXUS))


def distances(probes: Probes, size: int) -> Int32[Array, "3 height width"]:
    """How many steps each Probe is from each cell."""
    rows, columns = jnp.indices((size, size))
    down = abs(probes.places[:, 0, None, None] - rows)
    right = abs(probes.places[:, 1, None, None] - columns)
    return jnp.maximum(down, right)
