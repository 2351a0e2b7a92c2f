"""The Minecraft-inspired domain as an `Environment`."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, Int8, Int16, Key, PRNGKeyArray, UInt8

from cofca.envs.base import Environment, Outcome, Status, outcome_of
from cofca.envs.minecraft import world
from cofca.envs.minecraft.levels.generator import generate
from cofca.envs.minecraft.levels.level import Level
from cofca.envs.minecraft.params import MinecraftParams
from cofca.envs.minecraft.symbols import LINE_LIMITS, RESOURCES, Primitive, Thing
from cofca.envs.minecraft.worker import View, Worker, planner
from cofca.envs.minecraft.world import State

CHANNELS = (Thing.IRON, Thing.GOLD, Thing.WOOD, Thing.MERCHANT, Thing.WATER, Thing.WALL, "worker")
"""The channels of the observed grid, in order."""


class Observation(NamedTuple):
    """What the agent sees. Nothing in it tells how far it has got in the instruction."""

    grid: UInt8[Array, "height width 7"]
    """One channel of zeros and ones for each of `CHANNELS`."""
    inventory: Int8[Array, "3"]
    """Iron, gold and wood held."""
    lines: Int8[Array, "lines 3"]
    """The instruction, padded with zeros."""
    mask: UInt8[Array, " lines"]
    """1 for the lines that exist."""


class Info(NamedTuple):
    """What a step tells beyond the observation, for evaluation and people; an agent may use the primitive only."""

    primitive: Int8[Array, ""]
    success: Bool[Array, ""]
    length: Int16[Array, ""]
    transitions: Int16[Array, "9"]
    latest: Bool[Array, "9"]


def channels(cells: Int8[Array, "height width"], worker: Int8[Array, "2"]) -> UInt8[Array, "height width 7"]:
    """One channel of zeros and ones for each of `CHANNELS`."""
    rows, columns = jnp.indices(cells.shape)
    here = (rows == worker[0]) & (columns == worker[1])
    return jnp.stack([*(cells == thing for thing in CHANNELS[:-1]), here], axis=-1).astype(jnp.uint8)


class Minecraft(Environment[MinecraftParams, Level, State, Observation]):
    """Instructions with if, else and while in a gridworld, carried out by a worker."""

    worker: Worker = planner

    @property
    def default_params(self) -> MinecraftParams:
        """Instructions of 1 to 10 lines, as in the paper's training."""
        return MinecraftParams()

    def levels(self, keys: Key[Array, " levels"], params: MinecraftParams) -> Level:
        """One solvable level for each key."""
        return generate(keys, params)

    def start(self, level: Level, params: MinecraftParams) -> State:
        """The state at the start of a level."""
        del params
        return world.start(level)

    def observe(self, state: State, params: MinecraftParams) -> Observation:
        """Grid channels, inventory, instruction."""
        del params
        lines = state.level.program.lines
        return Observation(
            grid=channels(state.cells, state.worker),
            inventory=state.inventory,
            lines=lines,
            mask=(jnp.arange(lines.shape[0]) < state.level.program.length).astype(jnp.uint8),
        )

    def respond(
        self, key: PRNGKeyArray, state: State, action: Int[Array, ""], params: MinecraftParams
    ) -> Int8[Array, ""]:
        """The primitive with which the worker answers a command."""
        allowed = (action >= 0) & (action < params.num_commands)
        primitive = self.worker(key, View(state.cells, state.worker, state.inventory), action)
        return jnp.where(allowed, primitive, Primitive.STAY).astype(jnp.int8)

    def advance(
        self,
        key: PRNGKeyArray,
        state: State,
        action: Int[Array, ""],
        response: Int[Array, ""],
        params: MinecraftParams,
    ) -> tuple[State, Outcome]:
        """Carry out the worker's primitive."""
        del key
        before, state = state.status, world.advance(state, action, response, params)
        succeeded = state.status == Status.SUCCEEDED
        info = Info(response, succeeded, state.level.program.length, state.transitions, state.latest)
        return state, outcome_of(before, state.status, info)

    def level_of(self, state: State) -> Level:
        """The level a state belongs to."""
        return state.level

    def num_actions(self, params: MinecraftParams) -> int:
        """Nine commands, or ten with waiting."""
        return params.num_commands

    def num_responses(self, params: MinecraftParams) -> int:
        """The worker's primitives."""
        del params
        return len(Primitive)

    def concludes(self, response: Int[Array, ""]) -> Bool[Array, ""]:
        """Commands end with mining, selling or inspecting."""
        return response >= Primitive.MINE

    def observation_limits(self, params: MinecraftParams) -> Observation:
        """The largest values: one thing a cell, and no more held than there are cells for."""
        # Made by NumPy: nothing has to be compiled for it.
        return Observation(
            grid=jax.device_put(np.ones((params.size, params.size, len(CHANNELS)), np.uint8)),
            inventory=jax.device_put(np.full(len(RESOURCES), params.size**2 - 1, np.int8)),
            lines=jax.device_put(np.tile(np.array(LINE_LIMITS, np.int8), (params.lines, 1))),
            mask=jax.device_put(np.ones(params.lines, np.uint8)),
        )
