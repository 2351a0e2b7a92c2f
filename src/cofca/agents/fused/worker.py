"""The worker's convolution as one product."""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from cofca.agents.worker import NEARBY, Cells, Spread, Worker


class Board(eqx.Module):
    """From all cells' channels to all cells': the grid is small, and a product is faster than a convolution."""

    matrix: Float[Array, "side side"]
    bias: Float[Array, " channels"]

    def __init__(self, plain: Spread, side: int) -> None:
        weight = plain.linear.weight.reshape(len(NEARBY) ** 2, -1, plain.linear.weight.shape[-1])
        lies = jnp.asarray(squares(side, side), weight.dtype)
        size = lies.shape[0] * weight.shape[-1]
        self.matrix = jnp.einsum("fts,scd->fctd", lies, weight).reshape(size, size)
        self.bias = plain.bias

    def __call__(self, state: Cells) -> Cells:
        """The same."""
        return (state.reshape(-1) @ self.matrix).reshape(state.shape)

    @staticmethod
    def put_into(worker: Worker) -> Worker:
        """A worker with a board. The grid is as wide as it is high, and so many rounds are made."""
        if isinstance(worker.spread, Board):
            return worker
        return eqx.tree_at(lambda worker: worker.spread, worker, Board(worker.spread, worker.rounds))


def squares(height: int, width: int) -> np.ndarray:
    """[from, to, place]: whether a cell lies at this place of another's square of nine."""
    cells = np.array(list(np.ndindex(height, width)))
    away = cells[:, None] - cells[None]
    places = np.array([(row, column) for row in NEARBY for column in NEARBY])
    return (away[:, :, None] == places).all(axis=-1)
