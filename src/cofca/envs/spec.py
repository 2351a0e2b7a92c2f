"""What an agent must know of its domain to be made."""

from typing import Any, NamedTuple

import jax
import numpy as np

from cofca.envs.base import Environment


class Spec(NamedTuple):
    """Shapes and largest values, as plain NumPy arrays: they are never traced."""

    limits: Any
    """An observation of the largest values."""
    actions: int
    responses: int
    conclusive: tuple[bool, ...]
    """Which responses say that a command has been carried out."""
    first_cell: int | None
    """The first of the actions that are cells of the grid, where there are such."""
    named: tuple[int, ...] | None
    """By symbol the action of the same name, or -1, where lines are single symbols."""

    @property
    def symbols(self) -> tuple[int, ...]:
        """The largest values of the symbols of a line."""
        return tuple(self.limits.lines[0].tolist())

    @property
    def planes(self) -> int:
        """The channels of the grid."""
        return self.limits.grid.shape[-1]

    @property
    def cells(self) -> int:
        """How many the grid has."""
        height, width, _ = self.limits.grid.shape
        return height * width

    @property
    def lines(self) -> int:
        """The longest instruction in training."""
        return self.limits.mask.size


def spec_of(env: Environment, params: Any) -> Spec:
    """What an agent must know of an environment."""
    with jax.ensure_compile_time_eval():
        limits = jax.tree.map(np.asarray, env.observation_limits(params))
        responses = env.num_responses(params)
        conclusive = tuple(bool(env.concludes(jax.device_put(np.int32(response)))) for response in range(responses))
    return Spec(limits, env.num_actions(params), responses, conclusive, env.first_cell(params), env.named(params))
