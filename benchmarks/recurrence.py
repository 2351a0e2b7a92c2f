"""A GRU over lines, with a gradient of its own: an experiment, see `variants.py`.

By itself JAX finds the gradient of the recurrent weights line by line, several kernels each, and adds them up. Here the
way back goes through the lines once, and then one product over all of them is the weights' gradient.
"""

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap
from jaxtyping import Array, Float

Inputs = Float[Array, "rows lines 3*size"]
"""What is added to the gates, reset, update and new, at each line."""
Weights = Float[Array, "size 3*size"]
Hidden = Float[Array, "rows lines size"]
Gates = Float[Array, "rows lines 4*size"]
"""Reset, update, candidate, and what the candidate has of the state before."""


def gru(inputs: Float[Array, "lines 3*size"], weights: Weights) -> Float[Array, "lines size"]:
    """The hidden state at every line, of which the one before the first is zero."""
    return _one_of_many(inputs[None], weights)[0]


@custom_vmap
def _one_of_many(inputs: Inputs, weights: Weights) -> Hidden:
    return _gru(inputs, weights)


@_one_of_many.def_vmap
def _together(size: int, batched: list[bool], inputs: Any, weights: Any) -> tuple[Array, bool]:
    """What `jax.vmap` adds are more rows, unless weights differ, too."""
    if not batched[0]:
        inputs = jnp.broadcast_to(inputs, (size, *inputs.shape))
    if batched[1]:
        return jax.vmap(_gru)(inputs, weights), True
    out = _gru(inputs.reshape(-1, *inputs.shape[2:]), weights)
    return out.reshape(size, -1, *out.shape[1:]), True


@jax.custom_vjp
def _gru(inputs: Inputs, weights: Weights) -> Hidden:
    return _forwards(inputs, weights)[0]


def _forwards(inputs: Inputs, weights: Weights) -> tuple[Hidden, tuple[Weights, Hidden, Gates]]:
    def step(hidden: Array, added: Array) -> tuple[Array, tuple[Array, Array]]:
        reset_in, update_in, new_in = jnp.split(added, 3, axis=-1)
        reset_state, update_state, new_state = jnp.split(hidden @ weights, 3, axis=-1)
        reset, update = jax.nn.sigmoid(reset_in + reset_state), jax.nn.sigmoid(update_in + update_state)
        candidate = jnp.tanh(new_in + reset * new_state)
        hidden = update * hidden + (1 - update) * candidate
        return hidden, (hidden, jnp.concatenate([reset, update, candidate, new_state], axis=-1))

    nothing = jnp.zeros((inputs.shape[0], weights.shape[0]), inputs.dtype)
    _, (hidden, gates) = _over_lines(step, nothing, inputs)
    return hidden, (weights, hidden, gates)


def _backwards(kept: tuple[Weights, Hidden, Gates], gradient: Hidden) -> tuple[Inputs, Weights]:
    weights, hidden, gates = kept
    before = jnp.pad(hidden[:, :-1], ((0, 0), (1, 0), (0, 0)))

    def step(later: Array, here: tuple[Array, Array, Array]) -> tuple[Array, tuple[Array, Array]]:
        of_hidden, gate, before = here
        reset, update, candidate, new_state = jnp.split(gate, 4, axis=-1)
        of_hidden = of_hidden + later
        of_new = of_hidden * (1 - update) * (1 - candidate**2)
        of_update = of_hidden * (before - candidate) * update * (1 - update)
        of_reset = of_new * new_state * reset * (1 - reset)
        of_states = jnp.concatenate([of_reset, of_update, of_new * reset], axis=-1)
        of_inputs = jnp.concatenate([of_reset, of_update, of_new], axis=-1)
        return of_hidden * update + of_states @ weights.T, (of_inputs, of_states)

    _, (of_inputs, of_states) = _over_lines(step, jnp.zeros_like(hidden[:, 0]), (gradient, gates, before), reverse=True)
    return of_inputs, jnp.einsum("rli,rlo->io", before, of_states)


_gru.defvjp(_forwards, _backwards)


def _over_lines(step: Any, start: Array, rows: Any, reverse: bool = False) -> Any:
    """A scan over the second axis."""
    by_line = jax.tree.map(partial(jnp.swapaxes, axis1=0, axis2=1), rows)
    end, out = jax.lax.scan(step, start, by_line, reverse=reverse, unroll=True)
    return end, jax.tree.map(partial(jnp.swapaxes, axis1=0, axis2=1), out)
