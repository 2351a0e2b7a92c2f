"""GRUs over the lines of an instruction, away from the pointer in both directions."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.layers import GRU, Embedding, Linear, gated_step, stack


class LinesBothWays(eqx.Module):
    """One GRU forward from the pointed line, one backward from the line before it, side by side.

    Starting at the pointer makes what is learned about a chunk of lines hold wherever it stands in the instruction.
    """

    grus: GRU
    """The two, stacked: forward and backward."""

    def __init__(self, key: PRNGKeyArray, embedding: int, code: int, size: int) -> None:
        """`code` is the length of the observation's code, which is concatenated to every line."""
        self.grus = stack([GRU(one, embedding + code, size) for one in jax.random.split(key)])

    def __call__(
        self,
        line: Embedding,
        symbols: Int[Array, "lines symbols"],
        pointer: Int[Array, ""],
        code: Float[Array, " code"],
    ) -> tuple[Float[Array, "lines size"], Float[Array, "lines size"]]:
        """The outputs at p, p + 1, ... and at p - 1, p - 2, ...; beyond the padded instruction they mean nothing."""
        number = symbols.shape[0]
        steps = jnp.arange(number)
        places = jnp.stack([pointer + steps, pointer - 1 - steps], axis=1)
        reached = line.present(symbols[jnp.clip(places, 0, number - 1)])
        weight, bias = self.grus.inputs.weight, self.grus.inputs.bias
        embedding = line.table.shape[1]
        # What a symbol adds is projected once for the whole vocabulary, and the observation once for all lines.
        vocabulary = jnp.einsum("ve,deo->dvo", line.table, weight[:, :embedding])
        seen = jnp.einsum("c,dco->do", code, weight[:, embedding:]) + bias
        read = jnp.stack([reached[:, way] @ vocabulary[way] for way in (0, 1)], axis=1) + seen
        both = side_by_side(self.grus.recurrent)

        def step(hidden: Array, projected: Array) -> tuple[Array, Array]:
            hidden = gated_step(both, hidden, projected)
            return hidden, hidden

        size = weight.shape[-1] // 3
        by_gate = read.reshape(number, 2, 3, size).swapaxes(1, 2).reshape(number, -1)
        _, outputs = jax.lax.scan(step, jnp.zeros(2 * size, by_gate.dtype), by_gate, unroll=True)
        return outputs[:, :size], outputs[:, size:]


def side_by_side(pair: Linear) -> Linear:
    """Two stacked recurrent maps as one on both hidden states: one product where there would be two."""
    _, size, outputs = pair.weight.shape
    gates = outputs // size
    apart = pair.weight.reshape(2, size, gates, 1, size) * jnp.eye(2, dtype=pair.weight.dtype).reshape(2, 1, 1, 2, 1)
    weight = apart.reshape(2 * size, -1)
    bias = pair.bias.reshape(2, gates, size).swapaxes(0, 1).reshape(-1)
    return eqx.tree_at(lambda linear: (linear.weight, linear.bias), pair, (weight, bias))
