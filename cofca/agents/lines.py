"""GRUs over the lines of an instruction, away from the pointer in both directions."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.layers import GRU, stack


class LinesBothWays(eqx.Module):
    """One GRU forward from the pointed line, one backward from the line before it, side by side.

    Starting at the pointer makes what is learned about a chunk of lines hold wherever it stands in the instruction.
    """

    grus: GRU
    """The two, stacked: forward and backward."""
    embedding: int = eqx.field(static=True)

    def __init__(self, key: PRNGKeyArray, embedding: int, code: int, size: int) -> None:
        """`code` is the length of the observation's code, which is concatenated to every line."""
        self.embedding = embedding
        self.grus = stack([GRU(one, embedding + code, size) for one in jax.random.split(key)])

    def __call__(
        self, lines: Float[Array, "lines embedding"], pointer: Int[Array, ""], code: Float[Array, " code"]
    ) -> tuple[Float[Array, "lines size"], Float[Array, "lines size"]]:
        """The outputs at p, p + 1, ... and at p - 1, p - 2, ...; beyond the padded instruction they mean nothing."""
        number = lines.shape[0]
        steps = jnp.arange(number)
        places = jnp.stack([pointer + steps, pointer - 1 - steps])
        reached = jax.nn.one_hot(places, number) @ lines
        weight = self.grus.inputs.weight
        # The observation is the same at every line, so it is projected once.
        seen = jnp.einsum("i,dio->do", code, weight[:, self.embedding :]) + self.grus.inputs.bias
        read = jnp.einsum("dli,dio->ldo", reached, weight[:, : self.embedding]) + seen

        def step(hidden: Array, projected: Array) -> tuple[Array, Array]:
            hidden = jax.vmap(GRU.step)(self.grus, hidden, projected)
            return hidden, hidden

        start = jnp.zeros((2, self.grus.recurrent.weight.shape[1]))
        _, outputs = jax.lax.scan(step, start, read, unroll=True)
        return outputs[:, 0], outputs[:, 1]
