"""A few levels at once. Compiling takes longer than making them: two programs are compiled side by side."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int32, Key

from cofca.envs.minecraft.levels.deep import Demands, demands_of
from cofca.envs.minecraft.levels.generator import level, search
from cofca.envs.minecraft.levels.level import Level
from cofca.envs.minecraft.oracle import solves
from cofca.envs.minecraft.params import MinecraftParams
from cofca.utils.compilation import MOST_PARAMS, compile_together


def few_levels(keys: Key[Array, " levels"], params: MinecraftParams) -> Level:
    """The levels that `generate` makes of these keys."""
    demands = demands_of(params)
    make, search_on = _programs(keys.shape[0], params.of_any_kind)
    tries = jax.device_put(np.zeros(keys.shape[0], np.int32))
    while True:
        tries = search_on(keys, tries, demands)
        levels, solved = make(keys, tries, demands)
        if np.asarray(solved).all():
            return levels
        # Of a key whose level is solved, the search finds the same try again.
        tries = jax.device_put(np.asarray(tries) + ~np.asarray(solved))


@lru_cache(maxsize=MOST_PARAMS)
def _programs(number: int, params: MinecraftParams) -> list[Callable[..., Any]]:
    def arguments() -> tuple:
        return jax.random.split(jax.random.key(0), number), jnp.zeros(number, jnp.int32), demands_of(params)

    # The one that takes longer begins.
    return compile_together([partial(_make, params=params), partial(search, params=params)], jax.eval_shape(arguments))


def _make(
    keys: Key[Array, " levels"], tries: Int32[Array, " levels"], demands: Demands, params: MinecraftParams
) -> tuple[Level, Bool[Array, " levels"]]:
    """The levels of these tries, and which of them the oracle solves."""
    levels = jax.vmap(partial(level, demands=demands, params=params))(keys, tries)
    return levels, solves(levels, params)
