"""The worker as an agent that learns: from one line, the grid and the inventory to a primitive."""

from typing import Any, ClassVar, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.base import Agent, Memory
from cofca.agents.distribution import Movement
from cofca.agents.modules.layers import RELU_GAIN, Linear
from cofca.agents.modules.no_pointer import no_movement
from cofca.envs.spec import Spec
from cofca.utils.prng import by_name

RESOURCES, VERBS = 3, 3
TERRAIN = slice(RESOURCES - 1, None)
"""The channels of wood, merchants, water, walls and the worker; before them those of iron and gold."""
FEATURES = 1 + 5 + VERBS + 2
"""Of a cell: what the line names, the terrain, the verb, whether what the line names and wood are in the inventory."""
NEARBY = (-1, 0, 1)

Cells = Float[Array, "height width channels"]


class WorkerFeatures(NamedTuple):
    """What the worker makes of what it sees."""

    z: Float[Array, " hidden"]
    lines: Int[Array, "lines symbols"]


class Spread(eqx.Module):
    """A convolution: from each cell's square of nine to the cell. Beyond the edges there are zeros."""

    linear: Linear

    def __init__(self, key: PRNGKeyArray, channels: int) -> None:
        self.linear = Linear(key, len(NEARBY) ** 2 * channels, channels)

    @property
    def bias(self) -> Float[Array, " channels"]:
        """Of each cell."""
        return self.linear.bias

    def __call__(self, state: Cells) -> Cells:
        """What comes from the squares, without the bias."""
        height, width, _ = state.shape
        padded = jnp.pad(state, ((1, 1), (1, 1), (0, 0)))
        shifts = [padded[1 + down :, 1 + right :][:height, :width] for down in NEARBY for right in NEARBY]
        return jnp.concatenate(shifts, axis=-1) @ self.linear.weight


class Worker(Agent):
    """A map of the grid on which each cell learns from its eight neighbours, round by round, what lies beyond them.

    One small layer does all rounds, as in value iteration: how far it is to the target, and whether there is a dry way.
    """

    enter: Linear
    spread: Spread
    think: Linear
    act: Linear
    critic: Linear
    rounds: int = eqx.field(static=True)
    hidden_size: int = eqx.field(static=True)
    has_pointer: ClassVar[bool] = False

    def __init__(self, key: PRNGKeyArray, spec: Spec, *, channels: int, hidden: int) -> None:
        self.hidden_size, self.rounds = 0, max(spec.limits.grid.shape[:2])
        self.enter = Linear(by_name(key, "enter"), FEATURES, channels, RELU_GAIN)
        self.spread = Spread(by_name(key, "spread"), channels)
        self.think = Linear(by_name(key, "think"), len(NEARBY) ** 2 * channels, hidden, RELU_GAIN)
        self.act = Linear(by_name(key, "act"), hidden, spec.actions, 0.01)
        self.critic = Linear(by_name(key, "critic"), hidden, 1)

    def encode(self, obs: Any, memory: Memory) -> WorkerFeatures:
        """All that matters to a command."""
        del memory
        _, verb, noun = obs.lines[0]
        return WorkerFeatures(self.ponder(obs.grid, obs.inventory, verb, noun), obs.lines)

    def ponder(self, grid: Array, inventory: Array, verb: Array, noun: Array) -> Float[Array, " hidden"]:
        """From the grid, the inventory and a command's two words, which count from 1."""
        dtype = self.enter.weight.dtype
        named = jax.nn.one_hot(noun - 1, RESOURCES, dtype=dtype)
        held = jnp.stack([inventory @ named, inventory[RESOURCES - 1].astype(dtype)]) > 0
        words = jnp.concatenate([jax.nn.one_hot(verb - 1, VERBS, dtype=dtype), held.astype(dtype)])
        everywhere = jnp.broadcast_to(words, (*grid.shape[:2], words.size))
        planes = [grid[..., :RESOURCES] @ named[:, None], grid[..., TERRAIN].astype(dtype), everywhere]
        entered = self.enter(jnp.concatenate(planes, axis=-1)) + self.spread.bias
        state = jax.nn.relu(entered)
        for _ in range(self.rounds):
            state = jax.nn.relu(entered + self.spread(state))
        return jax.nn.relu(self.think(around(state, grid[..., -1].astype(dtype))))

    def core(self, features: WorkerFeatures, hidden: Float[Array, "0"]) -> WorkerFeatures:
        """There is nothing to remember."""
        del hidden
        return features

    def read_lines(self, features: WorkerFeatures) -> WorkerFeatures:
        """There is one line, and it has been read."""
        return features

    def actor_critic(self, features: WorkerFeatures) -> tuple[Float[Array, " actions"], Float[Array, ""]]:
        """The logits of the primitives, and how soon the command will be carried out."""
        return self.act(features.z), self.critic(features.z)[0]

    def movement(self, features: WorkerFeatures, action: Int[Array, ""], response: Int[Array, ""]) -> Movement:
        """There is nothing to move."""
        del action, response
        return no_movement(features.lines.shape[0])

    def next_hidden(self, features: WorkerFeatures, action: Int[Array, ""], response: Int[Array, ""]) -> Array:
        """There is none."""
        del features, action, response
        return jnp.zeros(0)


def around(state: Cells, worker: Float[Array, "height width"]) -> Float[Array, " 9*channels"]:
    """The worker's square of nine; zeros beyond the edges."""
    height, width, _ = state.shape
    nearby = np.array(NEARBY)
    rows = jax.nn.one_hot(jnp.argmax(worker.sum(axis=1)) + nearby, height, dtype=state.dtype)
    columns = jax.nn.one_hot(jnp.argmax(worker.sum(axis=0)) + nearby, width, dtype=state.dtype)
    return jnp.einsum("ri,cj,ijk->rck", rows, columns, state).reshape(-1)
