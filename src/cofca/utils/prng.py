"""Random numbers in the form that levels and worlds draw them."""

import zlib

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, Int32, Key


def draw_uniform(key: Key[Array, ""], number: int) -> Float[Array, " number"]:
    """Uniform reals in one flat draw, which compiles much faster than one of several dimensions.

    The barrier keeps them from being computed again in every place that uses some of them.
    """
    return jax.lax.optimization_barrier(jax.random.uniform(key, (number,)))


def below(uniform: Float[Array, "*shape"], number: int | Int[Array, ""]) -> Int32[Array, "*shape"]:
    """Uniform integers from 0 up to a number, from uniform reals."""
    return jnp.minimum((uniform * number).astype(jnp.int32), number - 1)


def pick(uniform: Float[Array, ""], allowed: Bool[Array, " items"]) -> Int32[Array, ""]:
    """One of the allowed items, each equally likely; the first item where none is allowed."""
    ranks = jnp.cumsum(allowed)
    chosen = below(uniform, ranks[-1])
    return jnp.argmax(allowed & (ranks == chosen + 1)).astype(jnp.int32)


def by_name(key: Key[Array, ""], name: str) -> Key[Array, ""]:
    """The key of a part, by what it is called: a part that is added or leaves changes nobody else's."""
    return jax.random.fold_in(key, zlib.crc32(name.encode()))
