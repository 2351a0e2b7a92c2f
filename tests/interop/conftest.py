"""The environments that several tests play in."""

import gymnasium
import pytest
from gymnasium.vector import VectorEnv
from jaxtyping import config

import cofca.interop.gymnasium  # noqa: F401 - registers the ids
from interop.samples import ID, NUM_ENVS


@pytest.fixture(scope="module")
def env() -> gymnasium.Env:
    return gymnasium.make(ID, render_mode="rgb_array")


@pytest.fixture(scope="module")
def waiting() -> gymnasium.Env:
    """It is only ever given levels of one's own, which saves compiling the generator again."""
    return gymnasium.make(ID, render_mode="ansi", length=(1, 2), wait=True)


@pytest.fixture(scope="module")
def vector() -> VectorEnv:
    mode = "vector_entry_point"
    return gymnasium.make_vec(ID, num_envs=NUM_ENVS, vectorization_mode=mode, render_mode="rgb_array")


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Users have no type checker that refuses their mistakes before the library does."""
    monkeypatch.setattr(config, "jaxtyping_disable", True)
