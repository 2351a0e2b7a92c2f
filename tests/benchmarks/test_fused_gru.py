"""The GRU in a kernel of its own is the GRU that agents use, and so are its gradients (interpreted on a CPU)."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from cofca.agents.layers import gated_step
from cofca.agents.lines import _apart

PATH = Path(__file__).parents[2] / "benchmarks" / "fused_gru.py"
SEEDS, STEPS, ENVS, LINES, SIZE = 2, 3, 21, 4, 16


def fused() -> Callable[..., jax.Array]:
    spec = importlib.util.spec_from_file_location("fused_gru", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.gru


def plain(inputs: jax.Array, weights: jax.Array) -> jax.Array:
    recurrent = _apart(weights)

    def step(hidden: jax.Array, projected: jax.Array) -> tuple[jax.Array, jax.Array]:
        hidden = gated_step(recurrent, hidden, projected)
        return hidden, hidden

    return jax.lax.scan(step, jnp.zeros(len(recurrent)), inputs)[1]


def learned(gru: Any) -> Any:
    """Hidden states and gradients, batched as training batches them."""
    keys = jax.random.split(jax.random.key(0), 3)
    inputs = jax.random.normal(keys[0], (SEEDS, STEPS, ENVS, LINES, 6 * SIZE))
    weights = jax.random.normal(keys[1], (SEEDS, 2, SIZE, 3 * SIZE)) / 4
    wanted = jax.random.normal(keys[2], (SEEDS, STEPS, ENVS, LINES, 2 * SIZE))

    def loss(weights: jax.Array, inputs: jax.Array, wanted: jax.Array) -> tuple[jax.Array, jax.Array]:
        hidden = jax.vmap(jax.vmap(lambda one: gru(one, weights)))(inputs)
        return (hidden * wanted).sum(), hidden

    gradients = jax.vmap(jax.grad(loss, argnums=(0, 1), has_aux=True))
    return jax.jit(gradients)(weights, inputs, wanted)


def test_hidden_states_and_gradients_are_those_of_the_plain_gru() -> None:
    expected, got = learned(plain), learned(fused())
    for one, other in zip(jax.tree.leaves(expected), jax.tree.leaves(got), strict=True):
        assert np.allclose(one, other, atol=1e-5)
