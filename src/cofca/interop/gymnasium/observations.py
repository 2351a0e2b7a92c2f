"""The spaces of observations, such as Gymnasium and Stable-Baselines3 take them.

Flags keep their shape, so that a grid stays a grid, and are a `MultiBinary`. All other numbers, symbols and counts, are
in one row, a `MultiDiscrete`: the only space of whole numbers that Stable-Baselines3 encodes as one-hots and checks
without a warning. A single number is a row of one. `cofca.experiments.policies.named` gives observations this form.
"""

from typing import Any

import numpy as np
from gymnasium import spaces
from jaxtyping import Integer


def spaces_of(limits: Any) -> dict[str, spaces.Space[Any]]:
    """By name, from the largest value of every number."""
    return {name: _space(limit) for name, limit in limits._asdict().items()}


def _space(limit: Integer[np.ndarray, "..."]) -> spaces.Space[Any]:
    if limit.ndim and (limit == 1).all():
        return spaces.MultiBinary(limit.shape)
    return spaces.MultiDiscrete(limit.ravel().astype(np.int32) + 1, dtype=np.int32)
