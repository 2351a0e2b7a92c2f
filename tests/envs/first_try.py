"""Minecraft without the search for levels that can be solved, which is most of what there is to compile."""

from typing import Any

import jax
import jax.numpy as jnp

from cofca.envs.minecraft import Level, Minecraft, MinecraftParams
from cofca.envs.minecraft.levels.deep import demands_of
from cofca.envs.minecraft.levels.generator import level


class FirstTry(Minecraft):
    """Takes each key's first try at a level, solvable or not."""

    def levels(self, keys: Any, params: MinecraftParams) -> Level:
        return jax.vmap(lambda key: level(key, jnp.int32(0), demands_of(params), params))(keys)
