"""The agent that reads the hidden state: the ceiling of what any agent can do."""

import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, Int32, Shaped

from cofca.envs.starcraft.progress import standing, stands
from cofca.envs.starcraft.symbols import (
    FIRST_BUILDING,
    FIRST_CELL,
    FIRST_PROBE,
    FIRST_UNIT,
    NOTHING,
)
from cofca.envs.starcraft.world import State, distances, takes

FAR = 1000


def oracle(state: State) -> Int32[Array, ""]:
    """The right choice: one towards the line to do."""
    return work_on(state, state.line, distances(state.probes, state.buildings.shape[0]))


def work_on(state: State, line: Int[Array, ""], costs: Shaped[Array, "3 height width"]) -> Int32[Array, ""]:
    """The next choice of a command that does a line; nothing if it can't be done now or is being done already.

    A building goes where it costs the least: `costs` of each Probe and cell.
    """
    program = state.level.program
    symbol = program.lines[jnp.minimum(line, program.lines.shape[0] - 1)].astype(jnp.int32)
    is_unit = symbol >= FIRST_UNIT
    choice = jnp.where(is_unit, _train(state, symbol), _build(state, symbol, costs))
    return jnp.where(line < program.length, choice, NOTHING)


def _train(state: State, symbol: Int32[Array, ""]) -> Int32[Array, ""]:
    """Choose a building that trains the unit, then the unit."""
    unit = symbol - FIRST_UNIT
    trains = (state.buildings == state.level.trainers[unit]).reshape(-1)
    first_unit = FIRST_CELL + trains.size
    choice = jnp.where(state.stage[2] > 0, first_unit + unit, FIRST_CELL + jnp.argmax(trains))
    return jnp.where(trains.any(), choice, NOTHING)


def _build(state: State, symbol: Int32[Array, ""], costs: Shaped[Array, "3 height width"]) -> Int32[Array, ""]:
    """Choose the Probe and cell that cost the least: first the Probe, then the building, then the cell."""
    costs = jnp.where(_free(state, symbol), costs, FAR).reshape(costs.shape[0], -1)
    probe, building, _ = state.stage
    ahead = jnp.where(
        building > 0,
        FIRST_CELL + jnp.argmin(costs[probe - 1]),
        jnp.where(probe > 0, FIRST_BUILDING + symbol - 1, FIRST_PROBE + jnp.argmin(costs.min(axis=1))),
    )
    needs = state.level.prerequisites[symbol - 1]
    possible = stands(standing(state.buildings), needs) & (costs.min() < FAR)
    return jnp.where(possible & ~under_way(state, symbol), ahead, NOTHING)


def under_way(state: State, symbol: Int[Array, ""]) -> Bool[Array, ""]:
    """Whether a Probe is about to build this."""
    return (state.probes.tasks == symbol).any()


def _free(state: State, symbol: Int32[Array, ""]) -> Bool[Array, "height width"]:
    """The cells where the building could stand and nobody is about to build."""
    ground = state.level.terrain
    rows, columns = jnp.indices(ground.shape)
    goals, busy = state.probes.goals, state.probes.tasks > 0
    meant = (rows == goals[:, 0, None, None]) & (columns == goals[:, 1, None, None]) & busy[:, None, None]
    return takes(ground, symbol) & (state.buildings == 0) & ~meant.any(axis=0)
