"""How an episode is to start."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import PRNGKeyArray


class Start(NamedTuple):
    """With a new level, the one of a stored key, or one's own."""

    level_key: np.ndarray | None = None
    instruction: str | None = None
    map: str | None = None

    @classmethod
    def of(cls, level_key: Any = None, instruction: Any = None, map: Any = None, **unknown: Any) -> "Start":
        """Check reset options."""
        if unknown:
            raise ValueError(f"unknown reset option {min(unknown)!r}; expected level_key, instruction or map")
        for name, text in (("instruction", instruction), ("map", map)):
            if not (text is None or isinstance(text, str)):
                raise ValueError(f"the reset option {name} must be text, not {type(text).__name__}")
        if map is not None and instruction is None:
            raise ValueError("the reset option map needs an instruction to go with it")
        if level_key is not None and instruction is not None:
            raise ValueError("give either level_key or instruction, not both")
        return cls(None if level_key is None else _key_data(level_key), instruction, map)


def _key_data(level_key: Any) -> np.ndarray:
    try:
        numbers = np.asarray(level_key)
    except ValueError:
        numbers = np.empty(0)
    whole = numbers.shape == (2,) and np.issubdtype(numbers.dtype, np.integer)
    if not whole or (numbers < 0).any() or (numbers >= 2**32).any():
        raise ValueError("level_key must be the two whole numbers of an earlier episode's info")
    return numbers.astype(np.uint32)


def draw_key(rng: np.random.Generator) -> PRNGKeyArray:
    """A key for JAX, drawn by Gymnasium's generator."""
    return jax.random.wrap_key_data(jnp.asarray(rng.integers(2**32, size=2, dtype=np.uint32)))
