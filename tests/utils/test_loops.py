"""Loops make as many rounds as they are told."""

import jax
import jax.numpy as jnp
import pytest

from cofca.utils import loops
from cofca.utils.loops import compute_where, largest, repeat_up_to


def rounds(times: jax.Array) -> jax.Array:
    """Which rounds were made."""
    return repeat_up_to(5, largest(times), lambda number, seen: seen.at[number].add(1), jnp.zeros(5, int))


def test_some_of_the_rounds_are_made() -> None:
    compiled = jax.jit(rounds)
    assert [compiled(times).tolist() for times in range(6)] == [[1] * times + [0] * (5 - times) for times in range(6)]


def test_side_by_side_all_make_as_many_as_anyone_needs() -> None:
    assert jax.vmap(jax.vmap(rounds))(jnp.array([[0, 2], [3, 1]])).tolist() == [[[1, 1, 1, 0, 0]] * 2] * 2


@pytest.mark.parametrize("needed", [0.0, 0.3, 1.0])
def test_what_is_needed_is_computed_and_the_rest_is_known(needed: float, monkeypatch: pytest.MonkeyPatch) -> None:
    shape = 7, 3
    needs = jax.random.uniform(jax.random.key(0), shape) < needed
    things = jnp.arange(21.0).reshape(shape), {"of": jnp.ones((*shape, 2))}

    def compute(number: jax.Array, other: dict[str, jax.Array]) -> jax.Array:
        return number * other["of"].sum()

    def both(needs: jax.Array) -> jax.Array:
        return compute_where(needs, compute, things, -jnp.ones(shape))

    expected = jnp.where(needs, 2 * things[0], -1)
    assert jnp.array_equal(jax.jit(both)(needs), expected)
    # As many seeds side by side, which need different ones.
    assert jnp.array_equal(jax.vmap(both)(jnp.stack([needs, ~needs]))[0], expected)
    monkeypatch.setattr(loops, "on_cpu", lambda: False)
    assert jnp.array_equal(both(needs), expected)
