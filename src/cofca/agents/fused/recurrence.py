"""A GRU from the first line to the last, and how the gradient of its weights is found.

By itself JAX finds that gradient line by line, and adds these up: on an accelerator several short kernels a line. There
the way back through the lines leaves the weights alone, and one product over all lines comes after it. A CPU, whose
caches do not hold all lines, is faster line by line.
"""

from functools import partial

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from cofca.agents.fused.layers import times
from cofca.utils.loops import on_cpu

Weights = Float[Array, "size 3*size"]
Inputs = Float[Array, "lines *batch 3*size"]
"""What each line adds to the gates: reset, update and new."""
Rest = Float[Array, "rest *batch 3*size"]
Hidden = Float[Array, "lines *batch size"]


def over_lines(recurrent: Weights, projected: Inputs) -> Hidden:
    """The hidden state at every line; the one before the first is zero."""
    return by_line(recurrent, projected) if on_cpu() else in_one_product(recurrent, projected)


def by_line(recurrent: Weights, projected: Inputs) -> Hidden:
    """As JAX differentiates it."""
    return _run(recurrent, projected, jnp.zeros_like(projected[1:]))


in_one_product = jax.custom_jvp(by_line)


@in_one_product.defjvp
def _differential(primals: tuple[Weights, Inputs], tangents: tuple[Weights, Inputs]) -> tuple[Hidden, Hidden]:
    (recurrent, projected), (recurrent_change, projected_change) = primals, tangents
    hidden, change = jax.linearize(partial(_run, recurrent), projected, jnp.zeros_like(projected[1:]))
    return hidden, change(projected_change, times(hidden[:-1], recurrent_change))


def _run(recurrent: Weights, projected: Inputs, more: Rest) -> Hidden:
    """`more` is added to what the states give the gates: that way a change of the weights comes in."""

    def step(hidden: Array, line: tuple[Array, Array]) -> tuple[Array, Array]:
        hidden = gated_step(recurrent, hidden, *line)
        return hidden, hidden

    first = first_step(projected[0])
    return jnp.concatenate([first[None], jax.lax.scan(step, first, (projected[1:], more), unroll=True)[1]])


def gated_step(
    recurrent: Weights, hidden: Float[Array, "*batch size"], projected: Float[Array, "*batch 3*size"], more: Array
) -> Array:
    """One step of a gated recurrent unit, as in `modules.layers.GRU`; `more` is added to what the state gives."""
    reset_in, update_in, new_in = jnp.split(projected, 3, axis=-1)
    reset_state, update_state, new_state = jnp.split(hidden @ recurrent + more, 3, axis=-1)
    update = jax.nn.sigmoid(update_in + update_state)
    candidate = jnp.tanh(new_in + jax.nn.sigmoid(reset_in + reset_state) * new_state)
    return update * hidden + (1 - update) * candidate


def first_step(projected: Float[Array, "*batch gates"]) -> Array:
    """The same from a hidden state of zeros, whose products need not be computed."""
    _, update_in, new_in = jnp.split(projected, 3, axis=-1)
    return (1 - jax.nn.sigmoid(update_in)) * jnp.tanh(new_in)
