"""Weights in half precision: half as many bytes on disk, and float32 again when they are read.

float16 rather than bfloat16, which is as large: it keeps three bits more of each weight, and no weight comes near its
largest number, 65,504.
"""

from functools import partial
from typing import Any

import jax
import numpy as np

from cofca.utils.parameters import require

FULL, HALF = "float32", "float16"


def halved(weights: Any) -> Any:
    """The same in half precision."""
    halves = _cast(weights, HALF)
    pairs = zip(*(jax.tree.leaves(jax.device_get(each)) for each in (weights, halves)), strict=True)
    require(not any(_overflows(*pair) for pair in pairs), "there are weights too large for half precision")
    return halves


def as_stored(like: Any, precision: Any) -> Any:
    """The shapes of weights in the precision they are stored in."""
    require(precision in (FULL, HALF), f"the precision is {str(precision)[:40]!r}, not {FULL} or {HALF}")
    return jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, precision), like)


def restored(weights: Any) -> Any:
    """The same in full precision."""
    # On the host: nothing has to be compiled for it.
    return jax.tree.map(lambda leaf: jax.device_put(np.asarray(leaf).astype(FULL)), weights)


@partial(jax.jit, static_argnames="precision")
def _cast(weights: Any, precision: str) -> Any:
    return jax.tree.map(lambda leaf: leaf.astype(precision), weights)


def _overflows(full: np.ndarray, half: np.ndarray) -> bool:
    return bool((np.isfinite(full) & ~np.isfinite(half)).any())
