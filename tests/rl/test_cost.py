"""What functions cost on paper."""

from dataclasses import replace
from functools import partial

import jax
import jax.numpy as jnp
import pytest
from experiments.tiny import SEEDS, SETUP, agents_of

from cofca.rl.cost import Cost, cost_of
from cofca.rl.ppo import begin, update

A, B = jnp.zeros((3, 5)), jnp.zeros((5, 7), jnp.bfloat16)
PRODUCT = Cost(2 * 3 * 5 * 7, 4 * 3 * 5 + 2 * 5 * 7 + 4 * 3 * 7)


def product(left, right):
    return jnp.matmul(left, right, preferred_element_type=jnp.float32)


@pytest.mark.parametrize(
    ("function", "times"),
    [
        (product, 1),
        (jax.jit(product), 1),
        (lambda left, right: product(left, right) + product(left, right), 2),
        (lambda left, right: jax.lax.scan(lambda c, _: (c, product(left, right)), 0, None, length=11), 11),
        (lambda left, right: jax.lax.map(lambda _: jax.jit(product)(left, right), jnp.arange(4)), 4),
        (lambda left, right: jax.vmap(product, (None, 0))(left, jnp.stack([right] * 6)).sum(), None),
        (lambda left, right: left.sum() + right.sum(), 0),
    ],
)
def test_products_are_counted_as_often_as_they_are_computed(function, times):
    found = cost_of(function, A, B)
    if times is None:
        assert found.operations == 6 * PRODUCT.operations
    else:
        assert found == PRODUCT * times


def test_a_convolution_costs_as_much_as_its_matrix_product():
    image, kernel = jnp.zeros((1, 4, 8, 8)), jnp.zeros((16, 4, 2, 2))
    found = cost_of(lambda x, k: jax.lax.conv(x, k, (1, 1), "VALID"), image, kernel)
    assert found == Cost(2 * 49 * 16 * (4 * 2 * 2), 4 * (4 * 64 + 16 * 16 + 49 * 16))


def test_only_shapes_are_needed():
    assert cost_of(product, *(jax.ShapeDtypeStruct(part.shape, part.dtype) for part in (A, B))) == PRODUCT


def test_the_cost_of_a_step_grows_linearly_with_the_instruction():
    setup, agents = SETUP, agents_of("cofca-s")

    def operations(lines: int) -> int:
        longer = setup._replace(params=replace(setup.params, length=(1, lines)))
        learners = jax.eval_shape(partial(begin, setup=longer), jax.random.split(jax.random.key(0), SEEDS), agents)
        one = jax.eval_shape(lambda many: jax.tree.map(lambda leaf: leaf[0], many), learners)
        return cost_of(partial(update, setup=longer), one).operations

    few, more, most = (operations(lines) for lines in (2, 4, 8))
    assert 0 < most - more == 2 * (more - few)
