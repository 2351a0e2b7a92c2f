"""The GRU over lines is the one that takes a step at each line, and so is its gradient."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads

from cofca.agents.fused.recurrence import by_line, in_one_product
from cofca.agents.modules.layers import gated_step

SEEDS, STEPS, ENVS, SIZE = 2, 3, 7, 5
Gru = Callable[[jax.Array, jax.Array], jax.Array]


def plain(recurrent: jax.Array, projected: jax.Array) -> jax.Array:
    def step(hidden: jax.Array, line: jax.Array) -> tuple[jax.Array, jax.Array]:
        hidden = gated_step(recurrent, hidden, line)
        return hidden, hidden

    return jax.lax.scan(step, jnp.zeros(SIZE), projected)[1]


@pytest.mark.parametrize("lines", [1, 2, 6])
@pytest.mark.parametrize("gru", [by_line, in_one_product])
def test_it_computes_the_same_forwards_and_backwards(gru: Gru, lines: int) -> None:
    """With weights for each seed, and rows of several time steps and environments, as in training."""
    keys = jax.random.split(jax.random.key(0), 3)
    recurrent = jax.random.normal(keys[0], (SEEDS, SIZE, 3 * SIZE))
    projected = jax.random.normal(keys[1], (SEEDS, STEPS, ENVS, lines, 3 * SIZE))
    heads = jax.random.normal(keys[2], (lines, SIZE))

    def found(gru: Gru) -> list[jax.Array]:
        def score(recurrent: jax.Array, projected: jax.Array) -> tuple[jax.Array, jax.Array]:
            hidden = jax.vmap(jax.vmap(gru, (None, 0)), (None, 0))(recurrent, projected)
            return (hidden * heads).sum(), hidden

        return jax.tree.leaves(jax.vmap(jax.value_and_grad(score, argnums=(0, 1), has_aux=True))(recurrent, projected))

    for one, other in zip(found(gru), found(plain), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-4)


@pytest.mark.parametrize("gru", [by_line, in_one_product])
def test_its_gradient_is_that_of_small_changes(gru: Gru) -> None:
    keys = jax.random.split(jax.random.key(1))
    inputs = jax.random.normal(keys[0], (SIZE, 3 * SIZE)), jax.random.normal(keys[1], (4, 3 * SIZE))
    check_grads(lambda *given: gru(*map(jnp.asarray, given)), inputs, order=1, atol=1e-2, rtol=1e-2)
