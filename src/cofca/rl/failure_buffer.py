"""The failure buffer: keys of failed episodes, which are tried again.

An entry is removed when it goes into a pool of levels. It comes back only if it is failed again, or if its turn never
came; and once, however often it was failed while the pool was played round and round.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, PRNGKeyArray, UInt32


class Failures(NamedTuple):
    """Keys in the order they came, with gaps where some were taken. When it is full the oldest go."""

    keys: UInt32[Array, "size words"]
    filled: Bool[Array, " size"]


def no_failures(size: int, words: int = 2) -> Failures:
    """An empty buffer."""
    return Failures(jnp.zeros((size, words), jnp.uint32), jnp.zeros(size, bool))


def put(failures: Failures, keys: UInt32[Array, "number words"], failed: Bool[Array, " number"]) -> Failures:
    """Add the keys of failed episodes; of more than fit, those that come last stay."""
    size = failures.filled.shape[0]
    there = jnp.concatenate([failures.filled, failed])
    # The last goes to the end, and everybody else before those who came later: so the gaps close.
    places = size - jnp.cumsum(there[::-1])[::-1]
    # Beyond the end is dropped.
    places = jnp.where(there & (places >= 0), places, size)
    empty = no_failures(size, keys.shape[1])
    return Failures(
        keys=empty.keys.at[places].set(jnp.concatenate([failures.keys, keys]), mode="drop"),
        filled=empty.filled.at[places].set(True, mode="drop"),
    )


def take(
    key: PRNGKeyArray, failures: Failures, fresh: UInt32[Array, "number words"], probability: Float[Array, ""]
) -> tuple[Failures, UInt32[Array, "number words"], Bool[Array, " number"]]:
    """Replace each fresh key, with this probability, by one of the buffer as long as there are any.

    Returns the buffer without them, the keys, and which of them are replayed.
    """
    size = failures.filled.shape[0]
    wish_key, order_key = jax.random.split(key)
    wish = jax.random.uniform(wish_key, fresh.shape[:1]) < probability
    # A random order of the entries, the empty places last.
    order = jnp.argsort(jnp.where(failures.filled, jax.random.uniform(order_key, (size,)), 2.0))
    turn = jnp.cumsum(wish) - 1
    replayed = wish & (turn < failures.filled.sum())
    source = order[jnp.minimum(turn, size - 1)]
    keys = jnp.where(replayed[:, None], failures.keys[source], fresh)
    filled = failures.filled.at[jnp.where(replayed, source, size)].set(False, mode="drop")
    return failures._replace(filled=filled), keys, replayed


def distinct(failures: Failures) -> Failures:
    """Each key once: a level that is failed again and again would soon fill the buffer, and then the pools."""
    order = jnp.lexsort((*failures.keys.T, ~failures.filled))
    keys = failures.keys[order]
    again = (keys[1:] == keys[:-1]).all(axis=-1) & failures.filled[order[:-1]]
    return failures._replace(filled=failures.filled.at[order[1:]].min(~again))
