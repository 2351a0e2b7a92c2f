"""Minecraft: an encoder that also counts."""

from typing import Any

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import PRNGKeyArray

from cofca.agents.encoders.minecraft import Encoding, MinecraftEncoder
from cofca.envs.spec import Spec


class CountingEncoder(eqx.Module):
    """x as of `MinecraftEncoder`, and how many cells have a one in each channel of the grid.

    A sum over ReLUs is no exact count. Conditions compare counts, and most mistakes are made where two are equal."""

    encoder: MinecraftEncoder
    size: int = eqx.field(static=True)

    def __init__(self, key: PRNGKeyArray, spec: Spec, channels: int) -> None:
        self.encoder = MinecraftEncoder(key, spec, channels)
        self.size = self.encoder.size + spec.planes

    def __call__(self, obs: Any) -> Encoding:
        """Encode an observation."""
        x = self.encoder(obs).x
        return Encoding(jnp.concatenate([x, obs.grid.sum(axis=(0, 1)).astype(x.dtype)]))
