"""The coins of all lines, as accelerators like them and as CPUs do."""

from collections.abc import Sequence
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from cofca.agents.fused.line_gru import FusedLineBiGRU
from cofca.agents.modules.layers import Linear
from cofca.agents.modules.line_gru import Coins, Outputs
from cofca.utils.loops import on_cpu


def fuse_coins(plain: Coins) -> "CoinsByNeed | FusedCoins":
    """As the machine at hand likes them."""
    return CoinsByNeed(plain) if on_cpu() else FusedCoins(plain)


class FusedCoins(eqx.Module):
    """Both directions in one product: to take the outputs of the GRUs apart would cost more."""

    weight: Float[Array, "outputs coins"]
    bias: Float[Array, " coins"]

    def __init__(self, plain: Coins) -> None:
        self.weight = jax.scipy.linalg.block_diag(plain.forward.weight, plain.backward.weight)
        self.bias = jnp.concatenate([plain.forward.bias, plain.backward.bias])

    def read(self, lines: Any, features: Any) -> Float[Array, "*batch lines coins"]:
        """The same for any batch."""
        return self(lines(*_given(features)))

    def __call__(self, outputs: Outputs) -> Float[Array, "*batch lines coins"]:
        """Those of the outputs."""
        return jnp.moveaxis(outputs @ self.weight + self.bias, 0, -2)


class CoinsByNeed(eqx.Module):
    """A CPU reads instructions in another order. Few coins are put back from it instead of many outputs."""

    heads: tuple[Linear, Linear]

    def __init__(self, plain: Coins) -> None:
        self.heads = plain.forward, plain.backward

    def read(self, lines: Any, features: Any) -> Float[Array, "*batch lines coins"]:
        """The same for any batch."""
        given = _given(features)
        if not isinstance(lines, FusedLineBiGRU):
            return self.alone(lines, *given)
        return self.together(lines, *given) if features.p.ndim else _read(self, lines, *given)

    def together(self, lines: FusedLineBiGRU, *given: Array) -> Float[Array, "*batch lines coins"]:
        """Those of a batch."""
        return _beside(lines.read_by_need(self.heads, *given))

    def alone(self, lines: Any, *given: Array) -> Float[Array, "lines coins"]:
        """Those of one instruction."""
        outputs = jnp.split(lines(*given), 2, axis=-1)
        return _beside([head(side) for head, side in zip(self.heads, outputs, strict=True)])


def _given(features: Any) -> tuple[Array, ...]:
    return features.lines, features.p, features.x, features.length


@jax.custom_batching.custom_vmap
def _read(coins: CoinsByNeed, lines: FusedLineBiGRU, *given: Array) -> Float[Array, "lines coins"]:
    """Those of one instruction; of many if that is one of many, as in a rollout."""
    return coins.alone(lines, *given)


@_read.def_vmap
def _read_all(
    size: int, batched: list, coins: CoinsByNeed, lines: FusedLineBiGRU, *given: Array
) -> tuple[Float[Array, "batch lines coins"], bool]:
    if any(jax.tree.leaves(batched[:2])):
        axes = jax.tree.map(lambda several: 0 if several else None, tuple(batched))
        return jax.vmap(CoinsByNeed.alone, axes)(coins, lines, *given), True
    several = zip(given, batched[2:], strict=True)
    each = [one if many else jnp.broadcast_to(one, (size, *one.shape)) for one, many in several]
    return coins.together(lines, *each), True


def _beside(sides: Sequence[Array]) -> Array:
    """From [lines, *batch, coins] of each to [*batch, lines, coins] of all."""
    return jnp.moveaxis(jnp.concatenate(sides, axis=-1), 0, -2)
