"""The worker as an agent that learns: from one line, the grid and the inventory to a primitive."""

from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.agent import CLOSED, Agent, Memory, Movement
from cofca.agents.layers import RELU_GAIN, Linear
from cofca.agents.sizes import Sizes
from cofca.agents.spec import Spec

RESOURCES, VERBS = 3, 3
TERRAIN = slice(RESOURCES - 1, -1)
"""The channels of wood, merchants, water and walls; before them those of iron and gold, after them the worker's."""
OTHERS = 4


class View(NamedTuple):
    """What the worker makes of what it sees."""

    thought: Float[Array, " hidden"]
    lines: int


class Worker(Agent):
    """Two layers on the grid as seen from the worker: what the line names, wood, merchants, water, walls."""

    see: Linear
    think: Linear
    act: Linear
    critic: Linear
    hidden_size: int = eqx.field(static=True)

    def __init__(self, key: PRNGKeyArray, spec: Spec, sizes: Sizes) -> None:
        keys = jax.random.split(key, 4)
        height, width, _ = spec.limits.grid.shape
        inputs = (2 * height - 1) * (2 * width - 1) * (OTHERS + 2) + VERBS + 2
        self.hidden_size = 0
        self.see = Linear(keys[0], inputs, sizes.hidden, RELU_GAIN)
        self.think = Linear(keys[1], sizes.hidden, sizes.hidden, RELU_GAIN)
        self.act = Linear(keys[2], sizes.hidden, spec.actions, 0.01)
        self.critic = Linear(keys[3], sizes.hidden, 1)

    def look(self, obs: Any, memory: Memory) -> View:
        """Two layers on all that matters to a command."""
        del memory
        _, verb, noun = obs.lines[0]
        return View(self.ponder(obs.grid, obs.inventory, verb, noun), obs.lines.shape[0])

    def ponder(self, grid: Array, inventory: Array, verb: Array, noun: Array) -> Float[Array, " hidden"]:
        """From the grid, the inventory and a command's two words, which count from 1."""
        dtype = self.see.weight.dtype
        named = jax.nn.one_hot(noun - 1, RESOURCES, dtype=dtype)
        planes = jnp.concatenate([grid[..., :RESOURCES] @ named[:, None], grid[..., TERRAIN]], axis=-1)
        held = jnp.stack([inventory @ named, inventory[RESOURCES - 1].astype(dtype)]) > 0
        words = [jax.nn.one_hot(verb - 1, VERBS, dtype=dtype), held.astype(dtype)]
        seen = around_worker(planes.astype(dtype), grid[..., -1].astype(dtype))
        hidden = jax.nn.relu(self.see(jnp.concatenate([seen.reshape(-1), *words])))
        return jax.nn.relu(self.think(hidden))

    def policy(self, view: View) -> Float[Array, " actions"]:
        """The logits of the primitives."""
        return self.act(view.thought)

    def value(self, view: View) -> Float[Array, ""]:
        """How soon the command will be carried out."""
        return self.critic(view.thought)[0]

    def movement(self, view: View, action: Int[Array, ""], response: Int[Array, ""]) -> Movement:
        """There is nothing to move."""
        del action, response
        return Movement(jnp.float32(CLOSED), jnp.zeros(view.lines))


def around_worker(
    planes: Float[Array, "height width planes"], worker: Float[Array, "height width"]
) -> Float[Array, "2*height-1 2*width-1 planes+1"]:
    """The grid shifted so that the worker is in the middle, with a plane that is 1 inside the grid."""
    height, width, _ = planes.shape
    whole = jnp.concatenate([planes, jnp.ones((height, width, 1), planes.dtype)], axis=-1)
    rows, columns = _shift(worker.sum(axis=1)), _shift(worker.sum(axis=0))
    return jnp.einsum("ri,cj,ijp->rcp", rows, columns, whole)


def _shift(at: Float[Array, " size"]) -> Float[Array, "2*size-1 size"]:
    """The matrix that moves the place that `at` marks to the middle of nearly twice as many."""
    size = at.shape[0]
    place = jnp.argmax(at)
    return jax.nn.one_hot(jnp.arange(size) - place + size - 1, 2 * size - 1, dtype=at.dtype).T
