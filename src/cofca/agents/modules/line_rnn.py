"""Other recurrent networks over the lines of an instruction, in the place of the GRUs: the baselines of CoFCA-D."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.modules.layers import Embedding
from cofca.agents.modules.line_gru import Outputs
from cofca.utils.prng import by_name
from cofca.utils.trees import stack

UNROLLED = 10
"""Lines that are compiled as one: as many as in training. More would take long to compile."""


class LineRNN(eqx.Module):
    """As `LineBiGRU`, with two cells of any kind: one forward from the pointed line, one backward from the one before.

    Only the first line that a cell reads is read together with x.
    """

    embed: Embedding
    """M, of every line."""
    cells: Any
    """The two, stacked: forward and backward."""
    near_sighted: bool = eqx.field(static=True)

    def __init__(
        self, key: PRNGKeyArray, symbols: tuple[int, ...], embedding: int, x_size: int, size: int, cell: type
    ) -> None:
        """`symbols` are the largest of each line."""
        self.embed = Embedding(by_name(key, "embed"), symbols, embedding)
        self.cells = stack([cell(by_name(key, way), embedding + x_size, size) for way in ("forward", "backward")])
        self.near_sighted = True

    def __call__(
        self, lines: Int[Array, "lines symbols"], p: Int[Array, ""], x: Float[Array, " x"], length: Int[Array, ""]
    ) -> Outputs:
        """Read [M_k, x] at the first line, [M_k, 0] at the others. Beyond the instruction outputs mean nothing."""
        del length
        steps = jnp.arange(lines.shape[0])
        ways = lines[jnp.clip(jnp.stack([p + steps, p - 1 - steps]), 0, lines.shape[0] - 1)]
        seen = jnp.zeros((*ways.shape[:2], x.size), x.dtype).at[:, 0].set(x)
        inputs = jnp.concatenate([self.embed(ways), seen], axis=-1)
        return jnp.concatenate(jax.vmap(read)(self.cells, inputs), axis=-1)


def read(cell: Any, inputs: Float[Array, "lines inputs"]) -> Float[Array, "lines size"]:
    """The output at each line."""

    def step(state: Any, line: Array) -> tuple[Any, Array]:
        return cell.step(state, line)

    return jax.lax.scan(step, cell.start(), cell.inputs(inputs), unroll=UNROLLED)[1]
