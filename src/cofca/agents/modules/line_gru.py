"""GRUs over the lines of an instruction, away from the pointer in both directions."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.fused.recurrence import over_lines
from cofca.agents.modules.layers import GRU, Embedding, Linear, rows_present, stack, times
from cofca.agents.sizes import Sizes
from cofca.utils.loops import on_cpu

FORWARD, BACKWARD = 0, 1
ASKING = 2
"""Which of the keys makes the questions. It came last: the others are what they were."""


class Strand(eqx.Module):
    """One GRU, or both as one of twice the size whose halves do not see each other."""

    symbols: Float[Array, "rows gates"]
    """What each symbol adds to the inputs; the rows of the first way, then those of the second."""
    code: Float[Array, "code gates"]
    answers: Float[Array, "answers gates"]
    bias: Float[Array, " gates"]
    recurrent: Float[Array, "hidden gates"]
    near_sighted: bool = eqx.field(static=True)
    """Whether only the line it starts from is read together with the observation."""

    def __call__(
        self,
        reached: Float[Array, "lines *batch rows"],
        code: Float[Array, "*batch code"],
        answers: Float[Array, "lines *batch answers"],
    ) -> Float[Array, "lines *batch hidden"]:
        """The output at every line."""
        return over_lines(self.recurrent, self.projected(reached, code, answers))

    def projected(
        self,
        reached: Float[Array, "lines *batch rows"],
        code: Float[Array, "*batch code"],
        answers: Float[Array, "lines *batch answers"],
    ) -> Float[Array, "lines *batch gates"]:
        """What every line adds to the gates."""
        # The observation's code is the same for every line: it is projected once.
        seen = code @ self.code + times(answers, self.answers)
        projected = times(reached, self.symbols) + self.bias
        return projected.at[0].add(seen[0]) if self.near_sighted else projected + seen


class Reader(eqx.Module):
    """What `LinesBothWays` computes with, worked out from its parameters: many time steps can share it.

    Lines come first, whatever batch there is: GRUs go from line to line, and what they leave at each lies together.
    """

    strands: tuple[Strand, ...]
    ask: Linear | None
    starts: tuple[int, ...] = eqx.field(static=True)
    """Of the rows of each symbol."""
    rows: int = eqx.field(static=True)

    def __call__(
        self,
        symbols: Int[Array, "*batch lines symbols"],
        pointer: Int[Array, "*batch"],
        code: Float[Array, "*batch code"],
    ) -> Float[Array, "lines *batch hidden"]:
        """The outputs at p, p + 1, ... and, beside them, at p - 1, p - 2, ...

        Beyond the padded instruction they mean nothing.
        """
        number = symbols.shape[-2]
        steps = jnp.arange(number)
        places = jnp.concatenate([pointer[..., None] + steps, pointer[..., None] - 1 - steps], axis=-1)
        found = jnp.take_along_axis(symbols, jnp.clip(places, 0, number - 1)[..., None], axis=-2)
        ways = jnp.moveaxis(found.reshape(*pointer.shape, 2, number, -1), -2, 0)
        reached = rows_present(ways, self.starts, self.rows, code.dtype)
        inputs, answers = self._by_strand(reached), self._by_strand(self._answers(reached, code))
        outputs = [strand(lines, code, told) for strand, lines, told in zip(self.strands, inputs, answers, strict=True)]
        return jnp.concatenate(outputs, axis=-1)

    def _by_strand(self, ways: Float[Array, "lines *batch ways size"]) -> list[Array]:
        *rest, several, size = ways.shape
        return jnp.split(ways.reshape(*rest, several * size), len(self.strands), axis=-1)

    def _answers(
        self, reached: Float[Array, "lines *batch ways rows"], code: Float[Array, "*batch code"]
    ) -> Float[Array, "lines *batch ways answers"]:
        """Of all that the observation tells about symbols, what is about the symbols of each line."""
        if self.ask is None:
            return jnp.zeros((*reached.shape[:-1], 0), code.dtype)
        # A product, not a sum of products: of that, XLA 0.10 makes code that crashes on some CPUs.
        return reached @ self.ask(code).reshape(*code.shape[:-1], self.rows, -1)


class LinesBothWays(eqx.Module):
    """One GRU forward from the pointed line, one backward from the line before it.

    Starting at the pointer makes what is learned about a chunk of lines hold wherever it stands in the instruction.
    """

    grus: GRU
    """The two, stacked: forward and backward."""
    ask: Linear | None
    """What the observation tells about every symbol there is: the product of both, which GRUs are slow to learn."""
    near_sighted: bool = eqx.field(static=True)

    def __init__(self, key: PRNGKeyArray, line: Embedding, code: int, sizes: Sizes) -> None:
        """`code` is the length of the observation's code, which is concatenated to every line, or only to the first
        that a GRU reads."""
        self.near_sighted = sizes.near_sighted
        rows, embedding = line.table.shape
        inputs = embedding + code + sizes.answers
        self.grus = stack([GRU(one, inputs, sizes.recurrent) for one in jax.random.split(key)])
        asking = jax.random.fold_in(key, ASKING)
        self.ask = Linear(asking, code, rows * sizes.answers) if sizes.answers else None

    def reader(self, line: Embedding) -> Reader:
        """What reads lines of such symbols."""
        # An accelerator is faster with one product of twice the size, half of it zeros; a CPU with two products.
        ways = [[FORWARD], [BACKWARD]] if on_cpu() else [[FORWARD, BACKWARD]]
        strands = tuple(self._strand(line, way) for way in ways)
        return Reader(strands, self.ask, line.starts, line.table.shape[0])

    def _strand(self, line: Embedding, way: list[int]) -> Strand:
        rows, embedding = line.table.shape
        answers = 0 if self.ask is None else self.ask.bias.size // rows
        # A slice: gradients of what is taken by a list of numbers have to be scattered, which is slow.
        grus = jax.tree.map(lambda leaf: leaf[way[0] : way[-1] + 1], self.grus)
        weight, bias = grus.inputs.weight, grus.inputs.bias
        # What a symbol adds is projected once for the whole vocabulary.
        vocabulary = jnp.einsum("ve,deo->dvo", line.table, weight[:, :embedding])
        last = weight.shape[1] - answers
        code = _by_gate(weight[:, embedding:last].swapaxes(0, 1))
        told = _apart(weight[:, last:])
        return Strand(_apart(vocabulary), code, told, _by_gate(bias), _apart(grus.recurrent), self.near_sighted)


def _by_gate(several: Float[Array, "*batch ways gates"]) -> Float[Array, "*batch ways*gates"]:
    """From each GRU's three gates to each gate's GRUs."""
    *batch, ways, gates = several.shape
    return several.reshape(*batch, ways, 3, gates // 3).swapaxes(-3, -2).reshape(*batch, ways * gates)


def _apart(several: Float[Array, "ways inputs gates"]) -> Float[Array, "ways*inputs ways*gates"]:
    """Several maps as one on all their inputs that keeps them apart."""
    ways, inputs, gates = several.shape
    alone = several[:, :, None] * jnp.eye(ways, dtype=several.dtype)[:, None, :, None]
    return _by_gate(alone.reshape(ways * inputs, ways, gates))
