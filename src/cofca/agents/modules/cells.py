"""Actions that are cells of the grid: chosen by what is there and around it, wherever it is."""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray

from cofca.agents.modules.layers import Linear
from cofca.agents.modules.torso import Sight
from cofca.envs.spec import Spec

CHOOSING = 20
"""Which of an agent's keys makes `Choosing`. It came last: the others are what they were."""


class Finding(eqx.Module):
    """A line asks every cell the same question, as in *is this what I name?*"""

    question: Linear

    def __init__(self, key: PRNGKeyArray, embedding: int, spec: Spec) -> None:
        self.question = Linear(key, embedding, spec.planes)

    def __call__(self, sight: Sight, line: Float[Array, " embedding"]) -> Float[Array, " cells"]:
        """What each answers."""
        return (sight.grid @ self.question(line)).reshape(-1)


class Choosing(eqx.Module):
    """z asks every cell the same question, and what it answers is added to the logit of choosing it."""

    question: Linear
    first: int = eqx.field(static=True)
    """The first of the actions that are cells."""

    def __init__(self, key: PRNGKeyArray, hidden: int, spec: Spec, found: int) -> None:
        """`found` is how many lines have asked before."""
        if spec.first_cell is None:
            raise ValueError("places need actions that are cells of the grid, which this domain does not have")
        self.first = spec.first_cell
        self.question = Linear(key, hidden, 2 * spec.planes + found, 0.01)

    def __call__(
        self, logits: Float[Array, " actions"], here: Float[Array, " hidden"], cells: Float[Array, "cells features"]
    ) -> Float[Array, " actions"]:
        """The logits with the answers."""
        return logits.at[self.first : self.first + len(cells)].add(cells @ self.question(here))


def cells_of(
    choose: Choosing | None, sight: Sight, found: list[Float[Array, " cells"]]
) -> Float[Array, "cells features"]:
    """What is to be known of each cell; nothing where nobody chooses by that."""
    return jnp.zeros((0, 0)) if choose is None else described(sight, found)


def described(sight: Sight, found: list[Float[Array, " cells"]]) -> Float[Array, "cells features"]:
    """What is in each cell, what is in the square of nine cells around it, and what it answered to lines."""
    height, width, _ = sight.grid.shape
    padded = jnp.pad(sight.grid, ((1, 1), (1, 1), (0, 0)))
    rows = padded[:height] + padded[1:-1] + padded[2:]
    around = rows[:, :width] + rows[:, 1:-1] + rows[:, 2:]
    told = jnp.concatenate([sight.grid, around], axis=-1).reshape(height * width, -1)
    return jnp.concatenate([told, *(each[:, None] for each in found)], axis=1)
