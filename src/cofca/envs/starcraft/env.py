"""The StarCraft-inspired domain as an `Environment`."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, Int8, Int16, Key, PRNGKeyArray, UInt8

from cofca.envs.base import Environment, Outcome, Status, outcome_of
from cofca.envs.starcraft import world
from cofca.envs.starcraft.commands import allowed
from cofca.envs.starcraft.levels.generator import generate
from cofca.envs.starcraft.levels.level import Level
from cofca.envs.starcraft.params import StarCraftParams
from cofca.envs.starcraft.symbols import (
    FIRST_BUILDING,
    FIRST_CELL,
    LAST_SYMBOL,
    NUM_BUILDINGS,
    NUM_PROBES,
    NUM_UNITS,
    Building,
    Terrain,
)
from cofca.envs.starcraft.world import State

CHANNELS = (*Building, Terrain.MINERALS, Terrain.GAS, "probe 1", "probe 2", "probe 3", "destroyed")
"""The channels of the observed grid, in order."""


class Observation(NamedTuple):
    """What the agent sees. Nothing in it tells which units are alive or how far it has got."""

    grid: UInt8[Array, "height width 20"]
    """One channel of zeros and ones for each of `CHANNELS`."""
    ambushed: Int8[Array, ""]
    """The unit lost in the last time step; 0 for none."""
    stage: Int8[Array, "3"]
    """Probe, building and cell + 1 chosen so far; 0 where not."""
    action_mask: UInt8[Array, " choices"]
    """1 for the choices that the stage allows."""
    lines: Int8[Array, "lines 1"]
    """The instruction, padded with zeros."""
    mask: UInt8[Array, " lines"]
    """1 for the lines that exist."""


class Info(NamedTuple):
    """What a frame tells beyond the observation, for evaluation and people; an agent may use `passed` only."""

    passed: Bool[Array, ""]
    """Whether time passed, or the choice only narrowed the command."""
    valid: Bool[Array, ""]
    """Whether a command was completed and carried out."""
    success: Bool[Array, ""]
    length: Int16[Array, ""]
    transitions: Int16[Array, "5"]
    latest: Bool[Array, "5"]


class StarCraft(Environment[StarCraftParams, Level, State, Observation]):
    """Orders for units, in a world where enemies undo what was done."""

    @property
    def default_params(self) -> StarCraftParams:
        """Instructions of up to 5 lines, as in the paper's training."""
        return StarCraftParams()

    def levels(self, keys: Key[Array, " levels"], params: StarCraftParams) -> Level:
        """One level for each key."""
        return generate(keys, params)

    def start(self, level: Level, params: StarCraftParams) -> State:
        """The state at the start of a level."""
        del params
        return world.start(level)

    def observe(self, state: State, params: StarCraftParams) -> Observation:
        """Grid channels, news, stage, mask, instruction."""
        rows, columns = jnp.indices(state.buildings.shape)
        terrain, program = state.level.terrain, state.level.program
        planes = [state.buildings == building for building in Building]
        planes += [terrain == Terrain.MINERALS, terrain == Terrain.GAS]
        planes += [(rows == row) & (columns == column) for row, column in state.probes.places]
        lines = program.lines
        return Observation(
            grid=jnp.stack([*planes, state.destroyed], axis=-1).astype(jnp.uint8),
            ambushed=state.ambushed,
            stage=state.stage,
            action_mask=self.allowed(state, params).astype(jnp.uint8),
            lines=lines[:, None],
            mask=(jnp.arange(lines.shape[0]) < program.length).astype(jnp.uint8),
        )

    def allowed(self, state: State, params: StarCraftParams) -> Bool[Array, " choices"]:
        """The choices that the stage allows."""
        return allowed(state.stage, state.buildings, params)

    def respond(
        self, key: PRNGKeyArray, state: State, action: Int[Array, ""], params: StarCraftParams
    ) -> Int8[Array, ""]:
        """1 if time passes with the choice, 0 if it only narrows the command."""
        del key
        return world.passes(state, action, params).astype(jnp.int8)

    def advance(
        self,
        key: PRNGKeyArray,
        state: State,
        action: Int[Array, ""],
        response: Int[Array, ""],
        params: StarCraftParams,
    ) -> tuple[State, Outcome]:
        """Carry out the choice."""
        before = state.status
        state, valid = world.advance(key, state, action, params)
        succeeded = state.status == Status.SUCCEEDED
        length = state.level.program.length
        info = Info(response > 0, valid, succeeded, length, state.transitions, state.latest)
        return state, outcome_of(before, state.status, info)

    def level_of(self, state: State) -> Level:
        """The level a state belongs to."""
        return state.level

    def num_actions(self, params: StarCraftParams) -> int:
        """Nothing, Probes, buildings, cells, units."""
        return params.num_choices

    def first_cell(self, params: StarCraftParams) -> int:
        """Cells come after nothing, Probes and buildings."""
        del params
        return FIRST_CELL

    def named(self, params: StarCraftParams) -> tuple[int, ...]:
        """Buildings and units; padding names nothing."""
        first_unit = FIRST_CELL + params.cells
        buildings, units = range(FIRST_BUILDING, FIRST_CELL), range(first_unit, first_unit + NUM_UNITS)
        return -1, *buildings, *units

    def num_responses(self, params: StarCraftParams) -> int:
        """Time passes or not."""
        del params
        return 2

    def concludes(self, response: Int[Array, ""]) -> Bool[Array, ""]:
        """A command is complete when time passes."""
        return response > 0

    def observation_limits(self, params: StarCraftParams) -> Observation:
        """The largest values."""
        # Made by NumPy: nothing has to be compiled for it.
        return Observation(
            grid=jax.device_put(np.ones((params.size, params.size, len(CHANNELS)), np.uint8)),
            ambushed=jax.device_put(np.int8(NUM_UNITS)),
            stage=jax.device_put(np.array([NUM_PROBES, NUM_BUILDINGS, params.cells], np.int8)),
            action_mask=jax.device_put(np.ones(params.num_choices, np.uint8)),
            lines=jax.device_put(np.full((params.lines, 1), LAST_SYMBOL, np.int8)),
            mask=jax.device_put(np.ones(params.lines, np.uint8)),
        )
