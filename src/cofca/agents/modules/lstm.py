"""A long short-term memory (Hochreiter & Schmidhuber 1997): unlike a GRU's, its cells can count without bound."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from cofca.agents.modules.layers import Linear, orthogonal

State = tuple[Float[Array, "*batch size"], Float[Array, "*batch size"]]
"""What it puts out, and its cells."""


class LSTM(eqx.Module):
    """Its inputs are projected beforehand, all at once. Only the inputs have a bias."""

    inputs: Linear
    recurrent: Float[Array, "size 4*size"]

    def __init__(self, key: PRNGKeyArray, inputs: int, size: int) -> None:
        one, other = jax.random.split(key)
        made = Linear(one, inputs, 4 * size)
        # It starts out keeping what it has, as is usual.
        bias = made.bias.at[size : 2 * size].set(1.0)
        self.inputs = eqx.tree_at(lambda made: made.bias, made, bias)
        self.recurrent = orthogonal(other, size, 4 * size, 1.0)

    def start(self) -> State:
        """Before the first line."""
        nothing = jnp.zeros(self.recurrent.shape[0], self.recurrent.dtype)
        return nothing, nothing

    def step(self, state: State, projected: Float[Array, "*batch 4*size"]) -> tuple[State, Array]:
        """The next state and output, from inputs that `self.inputs` has projected: input, forget, cell, output."""
        hidden, cells = state
        write, keep, new, show = jnp.split(projected + hidden @ self.recurrent, 4, axis=-1)
        cells = jax.nn.sigmoid(keep) * cells + jax.nn.sigmoid(write) * jnp.tanh(new)
        hidden = jax.nn.sigmoid(show) * jnp.tanh(cells)
        return (hidden, cells), hidden
