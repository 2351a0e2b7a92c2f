"""Trees of arrays side by side. `stack` and `pick` are one program each: leaf by leaf they would be dozens."""

from collections.abc import Sequence
from typing import TypeVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int

Tree = TypeVar("Tree")


def stack(trees: Sequence[Tree]) -> Tree:
    """Trees of the same shapes side by side, for `jax.vmap`."""
    return _stack(tuple(trees))


def pick(trees: Tree, index: int | Int[Array, "*places"]) -> Tree:
    """One of the trees that lie side by side, or several."""
    return _pick(trees, index)


def take(trees: Tree, places: Int[Array, " places"]) -> Tree:
    """Those at some places, as part of a program; the last one again beyond the end."""
    return jax.tree.map(lambda leaf: leaf.at[places].get(mode="clip"), trees)


def where(chosen: Bool[Array, " places"], one: Array, other: Array) -> Array:
    """At each place the leaf of one tree or of the other."""
    return jnp.where(chosen.reshape(-1, *(1,) * (one.ndim - 1)), one, other)


@jax.jit
def _stack(trees: tuple[Tree, ...]) -> Tree:
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *trees)


@jax.jit
def _pick(trees: Tree, index: Int[Array, "*places"]) -> Tree:
    return jax.tree.map(lambda leaf: leaf[index], trees)
