"""The layers that all agents are made of."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, PRNGKeyArray

RELU_GAIN = 2**0.5


def orthogonal(key: PRNGKeyArray, rows: int, columns: int, gain: float) -> Float[Array, "rows columns"]:
    """A random matrix with orthogonal columns or rows, whichever are fewer. Made on the host, for all devices alike."""

    def make(words: Any) -> np.ndarray:
        rng = np.random.default_rng(np.asarray(words))
        tall = rng.normal(size=(max(rows, columns), min(rows, columns)))
        basis, triangle = np.linalg.qr(tall)
        basis = basis * np.sign(np.diag(triangle))
        return (gain * (basis if rows >= columns else basis.T)).astype(np.float32)

    words = jax.random.key_data(key)
    if not isinstance(words, jax.core.Tracer):
        return jnp.asarray(make(words))
    # Whoever asks only for shapes has no key.
    return jax.pure_callback(make, jax.ShapeDtypeStruct((rows, columns), jnp.float32), words)


class Linear(eqx.Module):
    """An affine map with orthogonal weights, and at the start the same bias everywhere."""

    weight: Float[Array, "inputs outputs"]
    bias: Float[Array, " outputs"]

    def __init__(self, key: PRNGKeyArray, inputs: int, outputs: int, gain: float = 1.0, bias: float = 0.0) -> None:
        self.weight = orthogonal(key, inputs, outputs, gain)
        self.bias = jnp.full(outputs, bias)

    def __call__(self, x: Float[Array, "*batch inputs"]) -> Float[Array, "*batch outputs"]:
        """Map the last axis."""
        return x @ self.weight + self.bias


class Embedding(eqx.Module):
    """One table for several small integers: each has its own rows, and their embeddings are summed."""

    table: Float[Array, "rows size"]
    starts: tuple[int, ...] = eqx.field(static=True)

    def __init__(self, key: PRNGKeyArray, limits: tuple[int, ...], size: int) -> None:
        """`limits` are the largest values of the integers, in order."""
        self.starts = tuple(sum(limit + 1 for limit in limits[:place]) for place in range(len(limits)))
        self.table = jax.random.normal(key, (sum(limit + 1 for limit in limits), size))

    def __call__(self, symbols: Int[Array, "*batch symbols"]) -> Float[Array, "*batch size"]:
        """The sum of the embeddings along the last axis."""
        return self.rows(symbols) @ self.table

    def rows(self, symbols: Int[Array, "*batch symbols"]) -> Float[Array, "*batch rows"]:
        """Ones for the rows that are summed: accelerators are slow at scattering gradients into a table."""
        sizes = np.diff([*self.starts, self.table.shape[0]]).tolist()
        each = zip(jnp.unstack(symbols, axis=-1), sizes, strict=True)
        return jnp.concatenate([jax.nn.one_hot(one, size, dtype=self.table.dtype) for one, size in each], axis=-1)


class GRU(eqx.Module):
    """A gated recurrent unit whose inputs are projected beforehand, all at once. Only the inputs have a bias."""

    inputs: Linear
    recurrent: Float[Array, "size 3*size"]

    def __init__(self, key: PRNGKeyArray, inputs: int, size: int) -> None:
        one, other = jax.random.split(key)
        self.inputs = Linear(one, inputs, 3 * size)
        self.recurrent = orthogonal(other, size, 3 * size, 1.0)

    def step(self, hidden: Float[Array, "*batch size"], projected: Float[Array, "*batch 3*size"]) -> Array:
        """The next hidden state, from inputs that `self.inputs` has projected: reset, update and new in this order."""
        reset_in, update_in, new_in = jnp.split(projected, 3, axis=-1)
        reset_state, update_state, new_state = jnp.split(hidden @ self.recurrent, 3, axis=-1)
        update = jax.nn.sigmoid(update_in + update_state)
        candidate = jnp.tanh(new_in + jax.nn.sigmoid(reset_in + reset_state) * new_state)
        return update * hidden + (1 - update) * candidate
