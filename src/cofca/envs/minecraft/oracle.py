"""The agent that reads the hidden program counter: the ceiling of what any agent can do."""

from functools import partial

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int

from cofca.envs.base import Status
from cofca.envs.minecraft.levels.level import Level
from cofca.envs.minecraft.params import MinecraftParams
from cofca.envs.minecraft.symbols import RESOURCES, WAIT
from cofca.envs.minecraft.worker import View, planner
from cofca.envs.minecraft.world import State, advance, start
from cofca.utils.loops import on_cpu

LEVELS_PER_LANE = 8
"""On a CPU. An accelerator has lanes to spare: there each level gets its own."""


def oracle(state: State) -> Int[Array, ""]:
    """Command the current subtask; wait when there is none left."""
    _, verb, noun = state.level.program.lines[state.line]
    command = (verb.astype(jnp.int32) - 1) * len(RESOURCES) + noun - 1
    return jnp.where(state.line < state.level.program.length, command, WAIT)


@partial(jax.jit, static_argnames="params")
def step(state: State, params: MinecraftParams) -> State:
    """One time step in which the oracle commands the planner."""
    command = oracle(state)
    view = View(state.cells, state.worker, state.inventory)
    return advance(state, command, planner(state.level.key, view, command), params)


def play(level: Level, params: MinecraftParams) -> State:
    """How a level ends when the oracle commands the planner."""
    return jax.lax.while_loop(
        lambda state: state.status == Status.RUNNING, lambda state: step(state, params), start(level)
    )


def solves(levels: Level, params: MinecraftParams) -> Bool[Array, " levels"]:
    """Which of a batch of levels the oracle solves.

    Most episodes are short and a few are long. So each lane plays several levels one after another, rather than
    all lanes waiting for the longest episode.
    """
    number = levels.worker.shape[0]
    lanes = -(-number // LEVELS_PER_LANE) if on_cpu() else number
    begin = jax.vmap(start)(levels)

    def one_step(carry: tuple) -> tuple:
        states, slots, solved = carry
        states = jax.vmap(partial(step, params=params))(states)
        ended = (states.status != Status.RUNNING) & (slots < number)
        # The last place takes what those write who have nothing to say.
        solved = solved.at[jnp.where(ended, slots, number)].set(states.status == Status.SUCCEEDED)
        slots = jnp.where(ended, slots + lanes, slots)
        fresh = jax.tree.map(lambda leaf: leaf[jnp.minimum(slots, number - 1)], begin)
        states = jax.vmap(lambda new, a, b: jax.tree.map(partial(jnp.where, new), a, b))(ended, fresh, states)
        return states, slots, solved

    first = jax.tree.map(lambda leaf: leaf[:lanes], begin)
    nothing = first, jnp.arange(lanes), jnp.zeros(number + 1, bool)
    return jax.lax.while_loop(lambda carry: (carry[1] < number).any(), one_step, nothing)[2][:number]
