"""The worker as an agent that learns: from one line, the grid and the inventory to a primitive."""

from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.base import CLOSED, Agent, Memory, Movement
from cofca.agents.modules.layers import RELU_GAIN, Linear
from cofca.agents.sizes import Sizes
from cofca.envs.spec import Spec

RESOURCES, VERBS = 3, 3
TERRAIN = slice(RESOURCES - 1, None)
"""The channels of wood, merchants, water, walls and the worker; before them those of iron and gold."""
FEATURES = 1 + 5 + VERBS + 2
"""Of a cell: what the line names, the terrain, the verb, whether what the line names and wood are in the inventory."""
NEARBY = np.arange(-1, 2)


class View(NamedTuple):
    """What the worker makes of what it sees."""

    thought: Float[Array, " hidden"]
    symbols: Int[Array, "lines symbols"]


class Worker(Agent):
    """A map of the grid on which each cell learns from its eight neighbours, round by round, what lies beyond them.

    One small layer does all rounds, as in value iteration: how far it is to the target, and whether there is a dry way.
    """

    enter: Linear
    spread: Linear
    """From a cell's square of nine to the cell."""
    board: Float[Array, "side side"] | None
    """`spread` as one matrix from all cells' channels to all cells': the grid is small, and a product is faster than a
    convolution. None until the worker is prepared."""
    think: Linear
    act: Linear
    critic: Linear
    shape: tuple[int, int] = eqx.field(static=True)
    """Of the grid."""
    hidden_size: int = eqx.field(static=True)

    def __init__(self, key: PRNGKeyArray, spec: Spec, sizes: Sizes) -> None:
        keys = jax.random.split(key, 5)
        nearby = NEARBY.size**2 * sizes.convolution
        self.hidden_size = 0
        self.shape = spec.limits.grid.shape[:2]
        self.board = None
        self.enter = Linear(keys[0], FEATURES, sizes.convolution, RELU_GAIN)
        self.spread = Linear(keys[1], nearby, sizes.convolution)
        self.think = Linear(keys[2], nearby, sizes.hidden, RELU_GAIN)
        self.act = Linear(keys[3], sizes.hidden, spec.actions, 0.01)
        self.critic = Linear(keys[4], sizes.hidden, 1)

    def prepared(self) -> "Worker":
        """With its board made."""
        made = self.whole_board()
        return eqx.tree_at(lambda worker: worker.board, self, made, is_leaf=lambda leaf: leaf is None)

    def whole_board(self) -> Float[Array, "side side"]:
        """What every cell tells every other one: nothing beyond its neighbours."""
        weight = self.spread.weight.reshape(NEARBY.size**2, -1, self.spread.weight.shape[-1])
        lies = jnp.asarray(squares(*self.shape), weight.dtype)
        side = lies.shape[0] * weight.shape[-1]
        return jnp.einsum("fts,scd->fctd", lies, weight).reshape(side, side)

    def perceive(self, obs: Any, memory: Memory) -> View:
        """All that matters to a command."""
        del memory
        _, verb, noun = obs.lines[0]
        return View(self.ponder(obs.grid, obs.inventory, verb, noun), obs.lines)

    def recall(self, percept: View, hidden: Float[Array, " hidden"]) -> View:
        """There is nothing to remember."""
        del hidden
        return percept

    def ponder(self, grid: Array, inventory: Array, verb: Array, noun: Array) -> Float[Array, " hidden"]:
        """From the grid, the inventory and a command's two words, which count from 1."""
        dtype = self.enter.weight.dtype
        named = jax.nn.one_hot(noun - 1, RESOURCES, dtype=dtype)
        held = jnp.stack([inventory @ named, inventory[RESOURCES - 1].astype(dtype)]) > 0
        words = jnp.concatenate([jax.nn.one_hot(verb - 1, VERBS, dtype=dtype), held.astype(dtype)])
        everywhere = jnp.broadcast_to(words, (*grid.shape[:2], words.size))
        planes = [grid[..., :RESOURCES] @ named[:, None], grid[..., TERRAIN].astype(dtype), everywhere]
        entered = self.enter(jnp.concatenate(planes, axis=-1)) + self.spread.bias
        board = self.whole_board() if self.board is None else self.board
        state = jax.nn.relu(entered.reshape(-1))
        for _ in range(max(self.shape)):
            state = jax.nn.relu(entered.reshape(-1) + state @ board)
        return jax.nn.relu(self.think(around(state.reshape(entered.shape), grid[..., -1].astype(dtype))))

    def policy(self, view: View) -> Float[Array, " actions"]:
        """The logits of the primitives."""
        return self.act(view.thought)

    def value(self, view: View) -> Float[Array, ""]:
        """How soon the command will be carried out."""
        return self.critic(view.thought)[0]

    def movement(self, view: View, action: Int[Array, ""], response: Int[Array, ""]) -> Movement:
        """There is nothing to move."""
        del action, response
        return Movement(jnp.float32(CLOSED), jnp.zeros(view.symbols.shape[0]))


def squares(height: int, width: int) -> np.ndarray:
    """[from, to, place]: whether a cell lies at this place of another's square of nine."""
    cells = np.array(list(np.ndindex(height, width)))
    away = cells[:, None] - cells[None]
    places = np.array([(row, column) for row in NEARBY for column in NEARBY])
    return (away[:, :, None] == places).all(axis=-1)


def around(
    state: Float[Array, "height width channels"], worker: Float[Array, "height width"]
) -> Float[Array, " 9*channels"]:
    """The worker's square of nine; zeros beyond the edges."""
    height, width, _ = state.shape
    rows = jax.nn.one_hot(jnp.argmax(worker.sum(axis=1)) + NEARBY, height, dtype=state.dtype)
    columns = jax.nn.one_hot(jnp.argmax(worker.sum(axis=0)) + NEARBY, width, dtype=state.dtype)
    return jnp.einsum("ri,cj,ijk->rck", rows, columns, state).reshape(-1)
