"""Trees of arrays side by side. Each function is one program: leaf by leaf they would be dozens."""

from collections.abc import Sequence
from typing import TypeVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, Int

Tree = TypeVar("Tree")


def stack(trees: Sequence[Tree]) -> Tree:
    """Trees of the same shapes side by side, for `jax.vmap`."""
    return _stack(tuple(trees))


def pick(trees: Tree, index: int | Int[Array, "*places"]) -> Tree:
    """One of the trees that lie side by side, or several."""
    return _pick(trees, index)


@jax.jit
def _stack(trees: tuple[Tree, ...]) -> Tree:
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *trees)


@jax.jit
def _pick(trees: Tree, index: Int[Array, "*places"]) -> Tree:
    return jax.tree.map(lambda leaf: leaf[index], trees)
