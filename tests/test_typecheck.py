"""While tests run, signatures of the package are checked: wrong types and shapes are refused."""

import jax
import jax.numpy as jnp
import pytest
from beartype.roar import BeartypeCallHintParamViolation
from jaxtyping import TypeCheckError

from cofca.agents.modules.layers import Linear, orthogonal
from cofca.rl.config import PPOConfig
from cofca.runs.lock import FolderLock
from cofca.utils.settings import changed


def test_a_wrong_type_is_refused_of_functions_methods_and_fields():
    with pytest.raises(TypeCheckError):
        orthogonal(jax.random.key(0), "two", 3, 1.0)
    with pytest.raises(TypeCheckError):
        Linear(jax.random.key(0), 2, 3)(jnp.zeros(2, jnp.int32))
    with pytest.raises(TypeCheckError):
        PPOConfig(envs="many")


def test_a_wrong_type_is_refused_in_modules_without_shapes():
    with pytest.raises(BeartypeCallHintParamViolation):
        changed(PPOConfig(), 7)
    with pytest.raises(BeartypeCallHintParamViolation):
        FolderLock("run")


def test_a_wrong_shape_is_refused():
    with pytest.raises(TypeCheckError):
        orthogonal(jax.random.split(jax.random.key(0)), 2, 3, 1.0)
