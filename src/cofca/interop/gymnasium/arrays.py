"""Arrays as the user of a vector environment wants them: NumPy's, or PyTorch's where JAX keeps them."""

from abc import ABC, abstractmethod
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool


class Arrays(ABC):
    """One library's arrays."""

    @abstractmethod
    def out(self, tree: Any) -> Any:
        """From a tree of JAX's."""

    @abstractmethod
    def actions(self, given: Any, num: int, last: int) -> Array | np.ndarray | None:
        """So many actions up to the last one, for JAX; None if they are anything else."""

    @abstractmethod
    def flags(self, flags: Bool[np.ndarray, " envs"]) -> Any:
        """For which environments something holds."""

    @abstractmethod
    def rewards(self, rewards: Array) -> Any:
        """As trainers expect them."""

    @abstractmethod
    def final(self, obs: dict[str, Any], done: Bool[np.ndarray, " envs"]) -> Any:
        """Of what was last seen by all, what was seen at the ends of episodes."""


class NumPyArrays(Arrays):
    """As Gymnasium has them: copied, so that they are the user's own to write on."""

    def out(self, tree: Any) -> Any:
        """Arrays on the host."""
        return jax.tree.map(np.array, tree)

    def actions(self, given: Any, num: int, last: int) -> Array | np.ndarray | None:
        """Of anything that NumPy takes."""
        try:
            array = np.asarray(given)
        except ValueError:
            return None
        whole = np.issubdtype(array.dtype, np.integer) and array.shape == (num,)
        return array.astype(np.int32) if whole and array.min() >= 0 and array.max() <= last else None

    def flags(self, flags: Bool[np.ndarray, " envs"]) -> Any:
        """The same."""
        return flags

    def rewards(self, rewards: Array) -> Any:
        """In double precision."""
        return np.asarray(rewards, np.float64)

    def final(self, obs: dict[str, Any], done: Bool[np.ndarray, " envs"]) -> Any:
        """A dictionary for each that ended, and None for the others."""
        ends = np.full(done.size, None, dtype=object)
        for number in np.flatnonzero(done):
            ends[number] = {name: np.asarray(value[number]) for name, value in obs.items()}
        return ends


class TorchArrays(Arrays):
    """Tensors over the memory of JAX's arrays, by DLPack: nothing is copied, and nothing leaves the device."""

    def out(self, tree: Any) -> Any:
        """Tensors where JAX computes."""
        import torch

        return jax.tree.map(torch.from_dlpack, tree)

    def actions(self, given: Any, num: int, last: int) -> Array | np.ndarray | None:
        """Of tensors only."""
        import torch

        if not isinstance(given, torch.Tensor) or given.shape != (num,):
            return None
        whole = not (given.is_floating_point() or given.is_complex() or given.dtype == torch.bool)
        if not whole or int(given.min()) < 0 or int(given.max()) > last:
            return None
        return jnp.from_dlpack(given.detach().to(torch.int32).contiguous())

    def flags(self, flags: Bool[np.ndarray, " envs"]) -> Any:
        """On the device."""
        return self.out(jnp.asarray(flags))

    def rewards(self, rewards: Array) -> Any:
        """As they are."""
        return self.out(rewards)

    def final(self, obs: dict[str, Any], done: Bool[np.ndarray, " envs"]) -> Any:
        """The rows of all."""
        return obs


LIBRARIES: dict[str, Arrays] = {"numpy": NumPyArrays(), "torch": TorchArrays()}
