"""GRUs over the lines of an instruction, away from the pointer in both directions."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.layers import GRU, Embedding, gated_step, rows_present, stack


class Reader(eqx.Module):
    """What `LinesBothWays` computes with, worked out from its parameters: many time steps can share it.

    The two GRUs are one of twice the size whose halves do not see each other: one product where there would be two.
    """

    symbols: Float[Array, "rows gates"]
    """What each symbol adds to the inputs of the forward GRU, and then to those of the backward GRU."""
    code: Float[Array, "code gates"]
    bias: Float[Array, " gates"]
    recurrent: Float[Array, "hidden gates"]
    starts: tuple[int, ...] = eqx.field(static=True)

    def __call__(
        self, symbols: Int[Array, "lines symbols"], pointer: Int[Array, ""], code: Float[Array, " code"]
    ) -> Float[Array, "lines hidden"]:
        """The outputs at p, p + 1, ... and, beside them, at p - 1, p - 2, ...

        Beyond the padded instruction they mean nothing.
        """
        number = symbols.shape[0]
        steps = jnp.arange(number)
        places = jnp.stack([pointer + steps, pointer - 1 - steps], axis=1)
        rows = self.symbols.shape[0] // 2
        reached = rows_present(symbols[jnp.clip(places, 0, number - 1)], self.starts, rows, self.symbols.dtype)
        # The observation is the same for every line: it is projected once.
        projected = reached.reshape(number, -1) @ self.symbols + (code @ self.code + self.bias)

        def step(hidden: Array, projected: Array) -> tuple[Array, Array]:
            hidden = gated_step(self.recurrent, hidden, projected)
            return hidden, hidden

        nothing = jnp.zeros(self.recurrent.shape[0], projected.dtype)
        return jax.lax.scan(step, nothing, projected, unroll=True)[1]


class LinesBothWays(eqx.Module):
    """One GRU forward from the pointed line, one backward from the line before it.

    Starting at the pointer makes what is learned about a chunk of lines hold wherever it stands in the instruction.
    """

    grus: GRU
    """The two, stacked: forward and backward."""

    def __init__(self, key: PRNGKeyArray, embedding: int, code: int, size: int) -> None:
        """`code` is the length of the observation's code, which is concatenated to every line."""
        self.grus = stack([GRU(one, embedding + code, size) for one in jax.random.split(key)])

    def reader(self, line: Embedding) -> Reader:
        """What reads lines of such symbols."""
        embedding = line.table.shape[1]
        weight, bias = self.grus.inputs.weight, self.grus.inputs.bias
        # What a symbol adds is projected once for the whole vocabulary.
        vocabulary = jnp.einsum("ve,deo->dvo", line.table, weight[:, :embedding])
        code = _by_gate(weight[:, embedding:].swapaxes(0, 1))
        return Reader(_apart(vocabulary), code, _by_gate(bias), _apart(self.grus.recurrent), line.starts)


def _by_gate(pair: Float[Array, "*batch 2 gates"]) -> Float[Array, "*batch 2*gates"]:
    """From each GRU's three gates to each gate's two GRUs."""
    *batch, _, outputs = pair.shape
    return pair.reshape(*batch, 2, 3, outputs // 3).swapaxes(-3, -2).reshape(*batch, 2 * outputs)


def _apart(pair: Float[Array, "2 inputs gates"]) -> Float[Array, "2*inputs 2*gates"]:
    """Two maps as one on both inputs that keeps them apart."""
    _, inputs, outputs = pair.shape
    alone = pair[:, :, None] * jnp.eye(2, dtype=pair.dtype)[:, None, :, None]
    return _by_gate(alone.reshape(2 * inputs, 2, outputs))
