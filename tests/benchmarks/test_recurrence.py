"""The GRU with a gradient of its own is the GRU that agents use, and so is its gradient."""

import importlib.util
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from cofca.agents.layers import gated_step

PATH = Path(__file__).parents[2] / "benchmarks" / "recurrence.py"
SEEDS, STEPS, ENVS, LINES, SIZE = 2, 3, 7, 4, 5


def of_its_own() -> Any:
    spec = importlib.util.spec_from_file_location("recurrence", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.gru


def plain(inputs: jax.Array, weights: jax.Array) -> jax.Array:
    def step(hidden: jax.Array, added: jax.Array) -> tuple[jax.Array, jax.Array]:
        hidden = gated_step(weights, hidden, added)
        return hidden, hidden

    return jax.lax.scan(step, jnp.zeros(SIZE), inputs)[1]


def test_it_computes_the_same_forwards_and_backwards() -> None:
    """With weights for each seed, and rows of several time steps and environments, as in training."""
    of_inputs, of_weights, of_heads = jax.random.split(jax.random.key(0), 3)
    inputs = jax.random.normal(of_inputs, (SEEDS, STEPS, ENVS, LINES, 3 * SIZE))
    weights = jax.random.normal(of_weights, (SEEDS, SIZE, 3 * SIZE))
    heads = jax.random.normal(of_heads, (LINES, SIZE))

    def found(gru: Any) -> Any:
        def score(inputs: jax.Array, weights: jax.Array) -> Any:
            hidden = jax.vmap(jax.vmap(gru, (0, None)), (0, None))(inputs, weights)
            return (hidden * heads).sum(), hidden

        return jax.vmap(jax.value_and_grad(score, argnums=(0, 1), has_aux=True))(inputs, weights)

    jax.tree.map(
        lambda one, other: np.testing.assert_allclose(one, other, atol=1e-4), found(of_its_own()), found(plain)
    )
