"""Observations as Gymnasium and Stable-Baselines3 take them: a dictionary of flags and of rows of symbols.

Flags keep their shape, so that a grid stays a grid, and are a `MultiBinary`. All other numbers, symbols and counts, are
written in one row, a `MultiDiscrete`: the only space of whole numbers that Stable-Baselines3 encodes as one-hots and
checks without a warning. A single number becomes a row of one.
"""

from typing import Any

import jax.numpy as jnp
import numpy as np
from gymnasium import spaces
from jaxtyping import Array, Integer

Spaces = dict[str, spaces.Space[Any]]
"""By name, in the order of the environment."""


def spaces_of(limits: Any) -> Spaces:
    """The spaces of an environment's observations, by the largest value of every number."""
    return {name: _space(np.asarray(limit)) for name, limit in limits._asdict().items()}


def dictionary(obs: Any, given: Spaces) -> dict[str, Array]:
    """One observation of the environment in the form of these spaces."""

    def formed(name: str, numbers: Integer[Array, "..."]) -> Integer[Array, "..."]:
        return jnp.reshape(numbers, given[name].shape).astype(given[name].dtype)

    return {name: formed(name, numbers) for name, numbers in obs._asdict().items()}


def _space(limit: Integer[np.ndarray, "..."]) -> spaces.Space[Any]:
    if limit.ndim and (limit == 1).all():
        return spaces.MultiBinary(limit.shape)
    return spaces.MultiDiscrete(limit.ravel().astype(np.int32) + 1, dtype=np.int32)
