r"""A GRU with a stack (after Joulin & Mikolov 2015): it pushes, pops or leaves it, each to a degree.

.. math:: s_i \leftarrow A_{push}\, s_{i-1} + A_{pop}\, s_{i+1} + A_{keep}\, s_i, \qquad s_{-1} = \sigma(D h)

where :math:`A = \operatorname{softmax}` of a linear function of the GRU's new state h. The GRU sees the top, s_0.
"""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from cofca.agents.modules.layers import GRU, Linear, orthogonal
from cofca.utils.prng import by_name

DEPTH, WIDTH = 8, 16
"""How many things the stack holds, and how many numbers each of them is."""
EMPTY = -1.0
"""What the stack holds where nothing was pushed; what is pushed lies between 0 and 1."""

State = tuple[Float[Array, " size"], Float[Array, "depth width"]]
"""The GRU's, and the stack, its top first."""


class StackGRU(eqx.Module):
    """Inputs are projected beforehand, all at once."""

    gru: GRU
    read: Float[Array, "width 3*size"]
    act: Linear
    push: Linear

    def __init__(self, key: PRNGKeyArray, inputs: int, size: int) -> None:
        self.gru = GRU(by_name(key, "gru"), inputs, size)
        self.read = orthogonal(by_name(key, "read"), WIDTH, 3 * size, 1.0)
        self.act = Linear(by_name(key, "act"), size, 3)
        self.push = Linear(by_name(key, "push"), size, WIDTH)

    @property
    def inputs(self) -> Linear:
        """The projection of the inputs."""
        return self.gru.inputs

    def start(self) -> State:
        """Before the first line."""
        dtype = self.read.dtype
        return jnp.zeros(self.gru.recurrent.shape[0], dtype), jnp.full((DEPTH, WIDTH), EMPTY, dtype)

    def step(self, state: State, projected: Float[Array, " 3*size"]) -> tuple[State, Array]:
        """The next state and output, from inputs that `self.inputs` has projected."""
        hidden, stack = state
        hidden = self.gru.step(hidden, projected + stack[0] @ self.read)
        push, pop, keep = jax.nn.softmax(self.act(hidden))
        below = jnp.full_like(stack[:1], EMPTY)
        pushed = jnp.concatenate([jax.nn.sigmoid(self.push(hidden))[None], stack[:-1]])
        popped = jnp.concatenate([stack[1:], below])
        return (hidden, push * pushed + pop * popped + keep * stack), hidden
