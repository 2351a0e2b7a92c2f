"""A GRU over lines, both ways, as one kernel forwards and one backwards. An experiment: see `variants.py`.

Compiled from plain JAX every line is two kernels forwards and some six backwards, and what one hands to the next goes
through memory. Here a program has a few rows (environments) of one way: it keeps their hidden states to itself from the
first line to the last. Backwards it works the gates out again instead of having kept them.
"""

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax.custom_batching import custom_vmap
from jax.experimental import pallas as pl
from jax.experimental.pallas import triton
from jaxtyping import Array, Float

from cofca.loops import on_cpu

Inputs = Float[Array, "rows lines 3*ways*size"]
"""By gate (reset, update, new), and in each by way."""
Weights = Float[Array, "ways size 3*size"]
Hidden = Float[Array, "rows lines ways*size"]
ROWS = 16
"""Of a program: the fewest a matrix unit takes."""


def gru(inputs: Float[Array, "lines 3*ways*size"], weights: Weights) -> Float[Array, "lines ways*size"]:
    """The hidden state at every line. To be learned through it must be inside a `jax.vmap`."""
    return _spread(inputs[None], weights)[0]


@custom_vmap
def _spread(inputs: Inputs, weights: Weights) -> Hidden:
    return _gru(inputs, weights)


@_spread.def_vmap
def _batched(size: int, batched: list[bool], inputs: Any, weights: Any) -> tuple[Array, bool]:
    """What `jax.vmap` adds are more rows, unless weights differ, too."""
    if not batched[0]:
        inputs = jnp.broadcast_to(inputs, (size, *inputs.shape))
    if batched[1]:
        return jax.vmap(_gru)(inputs, weights), True
    out = _gru(inputs.reshape(-1, *inputs.shape[2:]), weights)
    return out.reshape(size, -1, *out.shape[1:]), True


@jax.custom_vjp
def _gru(inputs: Inputs, weights: Weights) -> Hidden:
    rows, lines, _ = inputs.shape
    ways, size, _ = weights.shape
    out = jax.ShapeDtypeStruct((rows, lines, ways * size), inputs.dtype)
    return _call(_forwards, weights, out, inputs)


def _keep(inputs: Inputs, weights: Weights) -> tuple[Hidden, tuple[Inputs, Weights, Hidden]]:
    hidden = _gru(inputs, weights)
    return hidden, (inputs, weights, hidden)


def _back(kept: tuple[Inputs, Weights, Hidden], gradient: Hidden) -> tuple[Inputs, Weights]:
    inputs, weights, hidden = kept
    ways, size, _ = weights.shape
    out = jax.ShapeDtypeStruct(inputs.shape, inputs.dtype)
    of_inputs, of_products = _call(_backwards, weights, [out, out], inputs, hidden, gradient)
    before = jnp.pad(hidden[:, :-1], ((0, 0), (1, 0), (0, 0))).reshape(*hidden.shape[:2], ways, size)
    by_gate = of_products.reshape(*hidden.shape[:2], 3, ways, size)
    return of_inputs, jnp.einsum("rlwi,rlgwo->wigo", before, by_gate).reshape(weights.shape)


_gru.defvjp(_keep, _back)


def _call(kernel: Any, weights: Weights, out: Any, *arrays: Array) -> Any:
    rows = arrays[0].shape[0]
    ways, size, _ = weights.shape
    return pl.pallas_call(
        partial(kernel, rows, size),
        out_shape=out,
        grid=(pl.cdiv(rows, ROWS), ways),
        interpret=on_cpu(),
        compiler_params=None if on_cpu() else triton.CompilerParams(num_warps=4, num_stages=1),
    )(weights, *arrays)


class Block:
    """The rows and the way of one program, in arrays by row, line and column."""

    def __init__(self, rows: int, size: int) -> None:
        self.rows = pl.program_id(0) * ROWS + jnp.arange(ROWS)
        self.there = (self.rows < rows)[:, None]
        self.way, self.size = pl.program_id(1), size
        self.ways = pl.num_programs(1)

    def weights(self, ref: Any) -> list[Array]:
        """Of each gate."""
        return [ref[self.way, :, gate * self.size : (gate + 1) * self.size] for gate in range(3)]

    def load(self, ref: Any, line: Any, gate: int = 0, mask: Any = True) -> Array:
        """Of a line, in full precision."""
        found = triton.load(ref.at[self._at(line, gate)], mask=self.there & mask, other=0)
        return found.astype(jnp.float32)

    def store(self, ref: Any, line: Any, value: Array, gate: int = 0) -> None:
        """Of a line."""
        triton.store(ref.at[self._at(line, gate)], value.astype(ref.dtype), mask=self.there)

    def _at(self, line: Any, gate: int) -> tuple[Any, ...]:
        columns = (gate * self.ways + self.way) * self.size + jnp.arange(self.size)
        return self.rows[:, None], line, columns[None, :]


def _product(x: Array, weight: Array, across: bool = False) -> Array:
    exact = jax.lax.Precision.HIGHEST if weight.dtype == jnp.float32 else None
    return triton.dot(x.astype(weight.dtype), weight, trans_b=across, precision=exact)


def _forwards(rows: int, size: int, weights: Any, inputs: Any, out: Any) -> None:
    block = Block(rows, size)
    gates = block.weights(weights)

    def step(line: Any, hidden: Array) -> Array:
        reset, update, new = (block.load(inputs, line, gate) for gate in range(3))
        of_reset, of_update, of_new = (_product(hidden, gate) for gate in gates)
        share = jax.nn.sigmoid(update + of_update)
        candidate = jnp.tanh(new + jax.nn.sigmoid(reset + of_reset) * of_new)
        hidden = share * hidden + (1 - share) * candidate
        block.store(out, line, hidden)
        return hidden

    jax.lax.fori_loop(0, inputs.shape[1], step, jnp.zeros((ROWS, size), jnp.float32))


def _backwards(
    rows: int, size: int, weights: Any, inputs: Any, hidden: Any, gradient: Any, of_inputs: Any, of_products: Any
) -> None:
    block = Block(rows, size)
    gates, lines = block.weights(weights), inputs.shape[1]

    def step(done: Any, later: Array) -> Array:
        line = lines - 1 - done
        before = block.load(hidden, jnp.maximum(line - 1, 0), mask=line > 0)
        reset, update, new = (block.load(inputs, line, gate) for gate in range(3))
        of_reset, of_update, of_new = (_product(before, gate) for gate in gates)
        reset, update = jax.nn.sigmoid(reset + of_reset), jax.nn.sigmoid(update + of_update)
        candidate = jnp.tanh(new + reset * of_new)

        here = block.load(gradient, line) + later
        d_new = here * (1 - update) * (1 - candidate**2)
        d_update = here * (before - candidate) * update * (1 - update)
        d_reset = d_new * of_new * reset * (1 - reset)
        products = (d_reset, d_update, d_new * reset)
        for gate, (one, other) in enumerate(zip((d_reset, d_update, d_new), products, strict=True)):
            block.store(of_inputs, line, one, gate)
            block.store(of_products, line, other, gate)
        back = (_product(d, gate, across=True) for d, gate in zip(products, gates, strict=True))
        return sum(back, here * update)

    jax.lax.fori_loop(0, lines, step, jnp.zeros((ROWS, size), jnp.float32))
