"""StarCraft: what agents see of an observation, and how they choose."""

from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, PRNGKeyArray

from cofca.agents.base import Features, Memory, join_hidden
from cofca.agents.modules.layers import RELU_GAIN, Embedding, Linear
from cofca.agents.modules.scan import IMPOSSIBLE
from cofca.envs.spec import Spec
from cofca.utils.prng import by_name

KERNEL = 2
ABOVE = 2
"""z sees two lines: the pointer's and the one above it, which for a unit is what trains it."""


class Choices(NamedTuple):
    """What is to be known of single choices."""

    cells: Float[Array, "cells features"]
    """What is in each cell, what is in the square of nine around it, and what it answered to lines."""
    mask: Int[Array, " actions"]
    """Which are possible."""


class Encoding(NamedTuple):
    """An encoded observation."""

    x: Float[Array, " x"]
    grid: Float[Array, "height width planes"]
    choices: Choices


class StarCraftEncoder(eqx.Module):
    """x: a layer on a convolution over the grid, the embedded small integers, and which planes have anything at all."""

    convolution: Linear
    flat: Linear
    integers: Embedding
    size: int = eqx.field(static=True)

    def __init__(self, key: PRNGKeyArray, spec: Spec, channels: int, integers: int) -> None:
        height, width, planes = spec.limits.grid.shape
        patches = (height + 1) * (width + 1)
        self.convolution = Linear(by_name(key, "convolution"), KERNEL**2 * planes, channels, RELU_GAIN)
        self.flat = Linear(by_name(key, "flat"), patches * channels, channels, RELU_GAIN)
        limits = int(spec.limits.ambushed), *spec.limits.stage.tolist()
        self.integers = Embedding(by_name(key, "integers"), limits, integers)
        self.size = channels + integers + planes

    def __call__(self, obs: Any) -> Encoding:
        """Encode an observation."""
        grid = obs.grid.astype(self.flat.weight.dtype)
        patches = jax.nn.relu(self.convolution(squares(grid)))
        seen = jax.nn.relu(self.flat(patches.reshape(-1)))
        x = jnp.concatenate([seen, self.integers(integers_of(obs)), grid.max(axis=(0, 1))])
        return Encoding(x, grid, Choices(surroundings(grid), obs.action_mask))


def integers_of(obs: Any) -> Int[Array, " integers"]:
    """The small integers of an observation: who was ambushed, and the stage of a choice."""
    return jnp.concatenate([obs.ambushed[None], obs.stage]).astype(jnp.int32)


def squares(grid: Float[Array, "height width planes"]) -> Float[Array, "patches inputs"]:
    """The squares that a convolution of stride 1 looks at; it looks over the edge, too."""
    height, width, planes = grid.shape
    padded = jnp.pad(grid, ((1, 1), (1, 1), (0, 0)))
    shifts = [padded[down : down + height + 1, right : right + width + 1] for down in (0, 1) for right in (0, 1)]
    return jnp.concatenate(shifts, axis=-1).reshape(-1, KERNEL**2 * planes)


def surroundings(grid: Float[Array, "height width planes"]) -> Float[Array, "cells 2*planes"]:
    """What is in each cell, and what is in the square of nine around it."""
    height, width, _ = grid.shape
    padded = jnp.pad(grid, ((1, 1), (1, 1), (0, 0)))
    rows = padded[:height] + padded[1:-1] + padded[2:]
    around = rows[:, :width] + rows[:, 1:-1] + rows[:, 2:]
    return jnp.concatenate([grid, around], axis=-1).reshape(height * width, -1)


class StarCraftPointerEncoder(eqx.Module):
    """x, and z made of x and of two lines, M_p and the one above it. Of each: x weighted by it, itself, and what every
    cell answers to it, as in *is this what I name?* The recurrent state, where there is one, is added in `core`."""

    encoder: StarCraftEncoder
    relate: Linear
    question: Linear
    join: Linear
    size: int = eqx.field(static=True)
    """Of x."""
    hidden_size: int = eqx.field(static=True)
    """Of the recurrent state that z sees."""

    def __init__(
        self, key: PRNGKeyArray, spec: Spec, hidden: int, embedding: int, hidden_size: int, channels: int, integers: int
    ) -> None:
        self.encoder = StarCraftEncoder(by_name(key, "encoder"), spec, channels, integers)
        self.size, self.hidden_size = self.encoder.size, hidden_size
        inputs = self.size + ABOVE * (self.size + embedding + spec.cells) + hidden_size
        self.relate = Linear(by_name(key, "relate"), embedding, self.size)
        self.question = Linear(by_name(key, "question"), embedding, spec.planes)
        self.join = Linear(by_name(key, "join"), inputs, hidden, RELU_GAIN)

    def __call__(self, obs: Any, embed: Embedding, memory: Memory) -> Features:
        """What does not depend on the recurrent state."""
        x, grid, choices = self.encoder(obs)
        p = memory.pointer
        # The first line has padding above it.
        M = embed(obs.lines[p]), embed(jnp.where(p > 0, obs.lines[p - 1], 0))
        related = [part for line in M for part in (x * self.relate(line), line)]
        found = [(grid @ self.question(line)).reshape(-1) for line in M]
        seen = jnp.concatenate([x, *related, *found])
        cells = jnp.concatenate([choices.cells, *(each[:, None] for each in found)], axis=1)
        z = seen @ self.join.weight[: seen.size] + self.join.bias
        return Features(obs.lines, obs.mask, p, x, z, choices._replace(cells=cells))

    def core(self, features: Features, hidden: Float[Array, " hidden"]) -> Features:
        """Let z see the recurrent state, where there is one."""
        return join_hidden(features, hidden, self.join.weight)


class CellHead(eqx.Module):
    """The policy: a linear layer on z, but cells are also chosen by what is there: z asks each the same question."""

    act: Linear
    question: Linear
    first: int = eqx.field(static=True)
    """The first of the choices that are cells."""

    def __init__(self, key: PRNGKeyArray, spec: Spec, hidden: int, asked: int = 0) -> None:
        """`asked` is how many lines have asked the cells before."""
        self.act = Linear(by_name(key, "act"), hidden, spec.actions, 0.01)
        self.question = Linear(by_name(key, "question"), hidden, 2 * spec.planes + asked, 0.01)
        assert spec.first_cell is not None
        self.first = spec.first_cell

    def __call__(
        self, z: Float[Array, " hidden"], choices: Choices, line: Int[Array, " symbols"]
    ) -> Float[Array, " actions"]:
        """The logits of the choices that are possible."""
        del line
        return masked(self.logits(z, choices), choices)

    def logits(self, z: Float[Array, " hidden"], choices: Choices) -> Float[Array, " actions"]:
        """Of all choices."""
        cells = slice(self.first, self.first + len(choices.cells))
        return self.act(z).at[cells].add(choices.cells @ self.question(z))


class NameHead(eqx.Module):
    """The same, and z says how much the choice counts that the line names: *train an Adept* is chosen where the line
    says *Adept*. So what is learned with one name holds for all."""

    cells: CellHead
    weight: Linear
    named: tuple[int, ...] = eqx.field(static=True)
    """By symbol the choice of the same name; -1 for none."""

    def __init__(self, key: PRNGKeyArray, spec: Spec, hidden: int) -> None:
        self.cells = CellHead(by_name(key, "cells"), spec, hidden, asked=ABOVE)
        self.weight = Linear(by_name(key, "weight"), hidden, 1, 0.01)
        assert spec.named is not None
        self.named = spec.named

    def __call__(
        self, z: Float[Array, " hidden"], choices: Choices, line: Int[Array, " symbols"]
    ) -> Float[Array, " actions"]:
        """The logits of the choices that are possible."""
        logits = self.cells.logits(z, choices)
        chosen = jnp.asarray(np.array(self.named))[line[0]]
        named = jax.nn.one_hot(chosen, logits.size, dtype=logits.dtype)
        return masked(logits + self.weight(z) * named, choices)


def masked(logits: Float[Array, " actions"], choices: Choices) -> Float[Array, " actions"]:
    """Only the possible ones."""
    return jnp.where(choices.mask > 0, logits, IMPOSSIBLE)
