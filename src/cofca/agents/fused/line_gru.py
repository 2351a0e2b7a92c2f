"""The GRUs over lines with all worked out beforehand that depends on parameters only."""

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from cofca.agents.fused.by_need import read_by_need
from cofca.agents.fused.layers import times
from cofca.agents.fused.recurrence import gated_step, over_lines
from cofca.agents.modules.layers import Embedding, Linear
from cofca.agents.modules.line_gru import LineBiGRU, Outputs
from cofca.utils.loops import on_cpu

FORWARD, BACKWARD = 0, 1
Head = Callable[[Array], Array]


class Strand(eqx.Module):
    """One GRU, or both as one of twice the size whose halves do not see each other."""

    symbols: Float[Array, "rows gates"]
    """What each symbol adds to the inputs; the rows of the first way, then those of the second."""
    code: Float[Array, "code gates"]
    answers: Float[Array, "answers gates"]
    bias: Float[Array, " gates"]
    recurrent: Float[Array, "hidden gates"]
    near_sighted: bool = eqx.field(static=True)

    def __init__(self, plain: LineBiGRU, way: list[int]) -> None:
        table = plain.embed.table
        rows, embedding = table.shape
        answers = 0 if plain.ask is None else plain.ask.bias.size // rows
        # A slice: gradients of what is taken by a list of numbers have to be scattered, which is slow.
        grus = jax.tree.map(lambda leaf: leaf[way[0] : way[-1] + 1], plain.grus)
        weight = grus.inputs.weight
        last = weight.shape[1] - answers
        # What a symbol adds is projected once for the whole vocabulary.
        self.symbols = _apart(jnp.einsum("ve,deo->dvo", table, weight[:, :embedding]))
        self.code = _by_gate(weight[:, embedding:last].swapaxes(0, 1))
        self.answers = _apart(weight[:, last:])
        self.bias, self.recurrent = _by_gate(grus.inputs.bias), _apart(grus.recurrent)
        self.near_sighted = plain.near_sighted

    def __call__(
        self,
        reached: Float[Array, "lines *batch rows"],
        x: Float[Array, "*batch x"],
        answers: Float[Array, "lines *batch answers"],
    ) -> Float[Array, "lines *batch hidden"]:
        """The output at every line."""
        # x is the same for every line: it is projected once.
        seen = x @ self.code + times(answers, self.answers)
        projected = times(reached, self.symbols) + self.bias
        projected = projected.at[0].add(seen[0]) if self.near_sighted else projected + seen
        return over_lines(self.recurrent, projected)


class FusedLineBiGRU(eqx.Module):
    """Lines come first, whatever batch there is: GRUs go from line to line, and what they leave lies together."""

    embed: Embedding
    strands: tuple[Strand, ...]
    ask: Linear | None
    near_sighted: bool = eqx.field(static=True)

    def __init__(self, plain: LineBiGRU) -> None:
        # An accelerator is faster with one product of twice the size, half of it zeros; a CPU with two products.
        ways = [[FORWARD], [BACKWARD]] if on_cpu() else [[FORWARD, BACKWARD]]
        self.strands = tuple(Strand(plain, way) for way in ways)
        self.embed, self.ask, self.near_sighted = plain.embed, plain.ask, plain.near_sighted

    def __call__(
        self, lines: Int[Array, "*batch lines symbols"], p: Int[Array, "*batch"], x: Float[Array, "*batch x"],
        length: Int[Array, "*batch"],
    ) -> Outputs:  # fmt: skip
        """The same for any batch."""
        if p.ndim and on_cpu():
            as_they_are = eqx.nn.Identity(), eqx.nn.Identity()
            return jnp.concatenate(self.read_by_need(as_they_are, lines, p, x, length), axis=-1)
        reached = self.embed.rows(_both_ways(lines, p)).astype(x.dtype)
        inputs, answers = self._by_strand(reached), self._by_strand(self._answers(reached, x))
        outputs = [strand(lines, x, told) for strand, lines, told in zip(self.strands, inputs, answers, strict=True)]
        return jnp.concatenate(outputs, axis=-1)

    def read_by_need(
        self, heads: tuple[Head, Head], lines: Int[Array, "*batch lines symbols"], p: Int[Array, "*batch"],
        x: Float[Array, "*batch x"], length: Int[Array, "*batch"],
    ) -> list[Float[Array, "lines *batch outputs"]]:  # fmt: skip
        """What the heads make of the outputs ahead and behind, on a CPU."""
        batch = p.shape
        lines, p, x, length = (leaf.reshape(-1, *leaf.shape[len(batch) :]) for leaf in (lines, p, x, length))
        about = () if self.ask is None else self.ask(x).reshape(*x.shape[:-1], self.embed.table.shape[0], -1)
        ways, needs = jnp.unstack(_both_ways(lines, p), axis=-2), (length - p, p)
        outputs = []
        for strand, way, need, head in zip(self.strands, ways, needs, heads, strict=True):
            known = x @ strand.code, about
            read = read_by_need(_line, len(strand.recurrent), (strand, self.embed, head), known, way, need)
            outputs.append(read.reshape(-1, *batch, read.shape[-1]))
        return outputs

    def _by_strand(self, ways: Float[Array, "lines *batch ways size"]) -> list[Array]:
        *rest, several, size = ways.shape
        return jnp.split(ways.reshape(*rest, several * size), len(self.strands), axis=-1)

    def _answers(
        self, reached: Float[Array, "lines *batch ways rows"], x: Float[Array, "*batch x"]
    ) -> Float[Array, "lines *batch ways answers"]:
        """Of all that x tells about symbols, what is about the symbols of each line."""
        if self.ask is None:
            return jnp.zeros((*reached.shape[:-1], 0), x.dtype)
        # A product, not a sum of products: of that, XLA 0.10 makes code that crashes on some CPUs.
        return reached @ self.ask(x).reshape(*x.shape[:-1], reached.shape[-1], -1)


def _both_ways(
    lines: Int[Array, "*batch lines symbols"], p: Int[Array, "*batch"]
) -> Int[Array, "lines *batch ways symbols"]:
    """The lines at p, p + 1, ... and at p - 1, p - 2, ..."""
    number = lines.shape[-2]
    steps = jnp.arange(number)
    places = jnp.concatenate([p[..., None] + steps, p[..., None] - 1 - steps], axis=-1)
    found = jnp.take_along_axis(lines, jnp.clip(places, 0, number - 1)[..., None], axis=-2)
    return jnp.moveaxis(found.reshape(*p.shape, 2, number, -1), -2, 0)


def _line(
    weights: tuple[Strand, Embedding, Head], hidden: Float[Array, "each size"], known: tuple[Array, Any],
    symbols: Int[Array, "each symbols"], first: Bool[Array, ""],
) -> tuple[Float[Array, "each size"], Float[Array, "each outputs"]]:  # fmt: skip
    """One line of each instruction."""
    (strand, embed, head), (seen, about) = weights, known
    rows = embed.rows(symbols).astype(seen.dtype)
    if not isinstance(about, tuple):
        seen = seen + (rows[:, None] @ about)[:, 0] @ strand.answers
    if strand.near_sighted:
        seen = jnp.where(first, seen, 0)
    hidden = gated_step(strand.recurrent, hidden, rows @ strand.symbols + strand.bias + seen, jnp.zeros((), seen.dtype))
    return hidden, head(hidden)


def _by_gate(several: Float[Array, "*batch ways gates"]) -> Float[Array, "*batch ways*gates"]:
    """From each GRU's three gates to each gate's GRUs."""
    *batch, ways, gates = several.shape
    return several.reshape(*batch, ways, 3, gates // 3).swapaxes(-3, -2).reshape(*batch, ways * gates)


def _apart(several: Float[Array, "ways inputs gates"]) -> Float[Array, "ways*inputs ways*gates"]:
    """Several maps as one on all their inputs that keeps them apart."""
    ways, inputs, gates = several.shape
    alone = several[:, :, None] * jnp.eye(ways, dtype=several.dtype)[:, None, :, None]
    return _by_gate(alone.reshape(ways * inputs, ways, gates))
