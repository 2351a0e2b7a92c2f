"""The agent that reads the hidden program counter: the ceiling of what any agent can do."""

import jax.numpy as jnp
from jaxtyping import Array, Int

from cofca.minecraft.symbols import RESOURCES, WAIT
from cofca.minecraft.world import State


def oracle(state: State) -> Int[Array, ""]:
    """Command the current subtask; wait when there is none left."""
    _, verb, noun = state.level.program.lines[state.line]
    command = (verb.astype(jnp.int32) - 1) * len(RESOURCES) + noun - 1
    return jnp.where(state.line < state.level.program.length, command, WAIT)
