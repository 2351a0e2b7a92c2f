"""Choices: how they narrow a command down, which complete one, and which are allowed."""

from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, Int8, Int32

from cofca.envs.starcraft.params import StarCraftParams
from cofca.envs.starcraft.symbols import FIRST_BUILDING, FIRST_CELL, FIRST_PROBE, NUM_BUILDINGS, NUM_PROBES, NUM_UNITS

StageArray = Int8[Array, "3"]
"""Probe, building and cell + 1 chosen so far, 0 where not: see `symbols.Stage`."""


class Choice(NamedTuple):
    """A choice taken apart; everything is 0 but what was chosen, and all is 0 for nothing and senseless integers."""

    probe: Int32[Array, ""]
    building: Int32[Array, ""]
    cell: Int32[Array, ""]
    """The cell's number plus one."""
    unit: Int32[Array, ""]


class Command(NamedTuple):
    """What a choice means at its stage. At most one of the flags is set; none: nothing is done."""

    narrows: Bool[Array, ""]
    goes: Bool[Array, ""]
    builds: Bool[Array, ""]
    trains: Bool[Array, ""]
    stage: StageArray
    """The stage after the choice."""
    probe: Int32[Array, ""]
    building: Int32[Array, ""]
    cell: Int32[Array, ""]
    """The number of the cell where to go, build or train."""
    unit: Int32[Array, ""]


def take_apart(choice: Int[Array, ""], params: StarCraftParams) -> Choice:
    """What was chosen."""

    def within(first: int, number: int) -> Int32[Array, ""]:
        inside = (choice >= first) & (choice < first + number)
        return jnp.where(inside, choice - first + 1, 0).astype(jnp.int32)

    return Choice(
        probe=within(FIRST_PROBE, NUM_PROBES),
        building=within(FIRST_BUILDING, NUM_BUILDINGS),
        cell=within(FIRST_CELL, params.cells),
        unit=within(params.first_unit_choice, NUM_UNITS),
    )


def interpret(
    choice: Int[Array, ""], stage: StageArray, buildings: Int8[Array, "height width"], params: StarCraftParams
) -> Command:
    """What a choice means at a stage."""
    chosen = take_apart(choice, params)
    probe, building, cell = stage.astype(jnp.int32)
    empty = (probe == 0) & (cell == 0)
    occupied = buildings.reshape(-1)[jnp.maximum(chosen.cell - 1, 0)] > 0
    picks_probe = empty & (chosen.probe > 0)
    picks_cell = empty & (chosen.cell > 0) & occupied
    picks_building = (probe > 0) & (building == 0) & (chosen.building > 0)
    narrows = picks_probe | picks_cell | picks_building
    after = jnp.stack([jnp.maximum(probe, chosen.probe), chosen.building, chosen.cell])
    at_cell = (probe > 0) & (chosen.cell > 0)
    trains = (cell > 0) & (chosen.unit > 0)
    return Command(
        narrows=narrows,
        goes=at_cell & (building == 0),
        builds=at_cell & (building > 0),
        trains=trains,
        stage=jnp.where(narrows, after, 0).astype(jnp.int8),
        probe=probe,
        building=building,
        cell=jnp.maximum(jnp.where(trains, cell, chosen.cell) - 1, 0),
        unit=chosen.unit,
    )


def allowed(
    stage: StageArray, buildings: Int8[Array, "height width"], params: StarCraftParams
) -> Bool[Array, " choices"]:
    """The choices that the stage allows; it tells nothing about prerequisites and trainers."""
    probe, building, cell = stage
    empty = (probe == 0) & (cell == 0)
    cells = jnp.where(empty, buildings.reshape(-1) > 0, probe > 0)
    return jnp.concatenate(
        [
            jnp.ones(1, bool),
            jnp.broadcast_to(empty, NUM_PROBES),
            jnp.broadcast_to((probe > 0) & (building == 0), NUM_BUILDINGS),
            jnp.broadcast_to(cells, params.cells),
            jnp.broadcast_to(cell > 0, NUM_UNITS),
        ]
    )
