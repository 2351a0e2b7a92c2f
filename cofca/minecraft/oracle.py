"""The agent that reads the hidden program counter: the ceiling of what any agent can do."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int

from cofca.minecraft.levels.level import Level
from cofca.minecraft.params import MinecraftParams
from cofca.minecraft.symbols import RESOURCES, WAIT
from cofca.minecraft.worker import View, planner
from cofca.minecraft.world import State, Status, advance, start


def oracle(state: State) -> Int[Array, ""]:
    """Command the current subtask; wait when there is none left."""
    _, verb, noun = state.level.program.lines[state.line]
    command = (verb.astype(jnp.int32) - 1) * len(RESOURCES) + noun - 1
    return jnp.where(state.line < state.level.program.length, command, WAIT)


def play(levels: Level, params: MinecraftParams) -> State:
    """How each of a batch of levels ends when the oracle commands the planner."""

    def step(state: State) -> State:
        command = oracle(state)
        view = View(state.cells, state.worker, state.inventory)
        return advance(state, command, planner(state.level.key, view, command), params)

    def running(states: State) -> Bool[Array, ""]:
        return (states.status == Status.RUNNING).any()

    return jax.lax.while_loop(running, jax.vmap(step), jax.vmap(start)(levels))
