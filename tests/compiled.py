"""Functions of the tests that are compiled as a whole: each operation of its own would be a program of its own."""

import gc
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from cofca.rl import compile as program

fast = partial(jax.jit, compiler_options={"xla_backend_optimization_level": 1})
"""Somewhat optimised, where nearly everything else is not at all: for what computes longer than it takes to compile."""


@jax.jit
def at(tree: Any, place: Any) -> Any:
    """All leaves at a place, or at several."""
    return jax.tree.map(lambda leaf: leaf[place], tree)


@partial(jax.jit, static_argnames=("start", "stop", "step"))
def part(tree: Any, start: int | None, stop: int | None, step: int | None = None) -> Any:
    """All leaves from one place to another."""
    return jax.tree.map(lambda leaf: leaf[start:stop:step], tree)


def plain(leaf: Any) -> np.ndarray:
    """Random keys, too, as an array of NumPy."""
    is_key = jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)
    return np.asarray(jax.random.key_data(leaf) if is_key else leaf)


def same(one: Any, other: Any) -> bool:
    """Whether all leaves are equal."""
    pairs = zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True)
    return all(np.array_equal(plain(a), plain(b)) for a, b in pairs)


def forget_if_many() -> None:
    """As between the jobs of a grid; what is frozen, too."""
    gc.unfreeze()
    program.forget_if_many()
    gc.freeze()
