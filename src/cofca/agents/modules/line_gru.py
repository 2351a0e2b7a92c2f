"""GRUs over the lines of an instruction, away from the pointer in both directions."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.modules.layers import GRU, Embedding, Linear
from cofca.utils.prng import by_name
from cofca.utils.trees import stack

Scalar = Int[Array, ""]
Outputs = Float[Array, "lines *batch outputs"]
"""Of the GRU ahead at p, p + 1, ... and, beside them, of the GRU behind at p - 1, p - 2, ..."""


class LineBiGRU(eqx.Module):
    """One GRU forward from the pointed line, one backward from the line before it: what is learned about a chunk of
    lines holds wherever the chunk stands in the instruction."""

    embed: Embedding
    """M, of every line."""
    grus: GRU
    """The two, stacked: forward and backward."""
    ask: Linear | None
    """What x tells about every symbol, if anything. At each line GRUs see what is about its own: a product of both."""
    near_sighted: bool = eqx.field(static=True)
    """Whether only the first line that a GRU reads is read together with x."""

    def __init__(
        self, key: PRNGKeyArray, symbols: tuple[int, ...], embedding: int, x_size: int, size: int, answers: int = 0,
        near_sighted: bool = False,
    ) -> None:  # fmt: skip
        """`symbols` are the largest of each line; `answers` is how many numbers x tells about a symbol."""
        self.embed = Embedding(by_name(key, "embed"), symbols, embedding)
        inputs = embedding + x_size + answers
        self.grus = stack([GRU(by_name(key, way), inputs, size) for way in ("forward", "backward")])
        self.ask = Linear(by_name(key, "ask"), x_size, self.embed.table.shape[0] * answers) if answers else None
        self.near_sighted = near_sighted

    def __call__(self, lines: Int[Array, "lines symbols"], p: Scalar, x: Float[Array, " x"], length: Scalar) -> Outputs:
        """Read [M_k, x] at every line k. Beyond the instruction outputs mean nothing."""
        steps = jnp.arange(lines.shape[0])
        ways = lines[jnp.clip(jnp.stack([p + steps, p - 1 - steps]), 0, length - 1)]
        seen = jnp.broadcast_to(x, (*ways.shape[:2], x.size))
        if self.ask is not None:
            told = self.ask(x).reshape(self.embed.table.shape[0], -1)
            seen = jnp.concatenate([seen, self.embed.rows(ways) @ told], axis=-1)
        if self.near_sighted:
            seen = seen.at[:, 1:].set(0)
        inputs = jnp.concatenate([self.embed(ways), seen], axis=-1)
        return jnp.concatenate(jax.vmap(read)(self.grus, inputs), axis=-1)


def read(gru: GRU, inputs: Float[Array, "lines inputs"]) -> Float[Array, "lines size"]:
    """The state after each line."""

    def step(hidden: Array, line: Array) -> tuple[Array, Array]:
        hidden = gru.step(hidden, line)
        return hidden, hidden

    start = jnp.zeros(gru.recurrent.shape[0], inputs.dtype)
    return jax.lax.scan(step, start, gru.inputs(inputs))[1]


class Coins(eqx.Module):
    """B: the logits of a coin for every line are a linear function of the GRUs' outputs, ahead and behind its own."""

    forward: Linear
    backward: Linear

    def __init__(self, key: PRNGKeyArray, size: int, ahead: int, behind: int, bias: float = 0.0) -> None:
        """So many columns have coins ahead and behind. The higher the bias, the nearer the first moves."""
        self.forward = Linear(by_name(key, "forward"), size, ahead, bias=bias)
        self.backward = Linear(by_name(key, "backward"), size, behind, bias=bias)

    def read(self, lines: Any, features: Any) -> Float[Array, "*batch lines coins"]:
        """The coins of what `lines` make of an instruction from its pointer."""
        return self(lines(features.lines, features.p, features.x, features.length))

    def __call__(self, outputs: Outputs) -> Float[Array, "*batch lines coins"]:
        """The logits of the coins at p, p + 1, ... and, beside them, at p - 1, p - 2, ..."""
        ahead, behind = jnp.split(outputs, 2, axis=-1)
        return jnp.moveaxis(jnp.concatenate([self.forward(ahead), self.backward(behind)], axis=-1), 0, -2)
