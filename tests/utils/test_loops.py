"""Loops make as many rounds as they are told."""

import jax
import jax.numpy as jnp

from cofca.utils.loops import largest, repeat_up_to


def rounds(times: jax.Array) -> jax.Array:
    """Which rounds were made."""
    return repeat_up_to(5, largest(times), lambda number, seen: seen.at[number].add(1), jnp.zeros(5, int))


def test_some_of_the_rounds_are_made() -> None:
    compiled = jax.jit(rounds)
    assert [compiled(times).tolist() for times in range(6)] == [[1] * times + [0] * (5 - times) for times in range(6)]


def test_side_by_side_all_make_as_many_as_anyone_needs() -> None:
    assert jax.vmap(jax.vmap(rounds))(jnp.array([[0, 2], [3, 1]])).tolist() == [[[1, 1, 1, 0, 0]] * 2] * 2
