"""What agents make of an observation."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from cofca.agents.base import Agent
from cofca.agents.modules.layers import EVEN
from cofca.agents.modules.torso import Torso

from .samples import moments, small_agent


@pytest.mark.parametrize("name", ["cofca-s", "unstructured"])
def test_more_channels_and_a_bias_among_the_weights_change_nothing(name: str) -> None:
    agent, found = small_agent(name, "starcraft"), moments(name, "starcraft", number=20)
    torso, wider = agent.torso, agent.prepared().torso
    assert torso.channels % EVEN != 0, "nothing would be added"
    assert all(side % EVEN == 0 for side in wider.convolution.weight.shape)
    assert wider.flat.weight.shape == (49 * wider.convolution.weight.shape[1], wider.flat.bias.size)
    codes, same = (np.asarray(jax.vmap(each)(found.obs).code) for each in (torso, wider))
    assert codes.shape[1] == torso.size
    assert np.allclose(codes, same, atol=1e-5)


def test_what_is_learned_reaches_the_channels_that_were_there() -> None:
    torso, found = small_agent("cofca-s", "starcraft").torso, moments("cofca-s", "starcraft", number=20)

    def total(torso: Torso, prepare: bool) -> jax.Array:
        return jnp.square(jax.vmap(torso.prepared() if prepare else torso)(found.obs).code).sum()

    plain, through = (jax.grad(total)(torso, prepare) for prepare in (False, True))
    for one, other in zip(jax.tree.leaves(plain), jax.tree.leaves(through), strict=True):
        assert np.allclose(one, other, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", ["cofca-s", "unstructured"])
def test_perceiving_step_by_step_is_the_same_and_so_is_what_is_learned(name: str) -> None:
    agent, found = small_agent(name, "starcraft"), moments(name, "starcraft", number=20)
    obs, memory = jax.tree.map(lambda leaf: leaf.reshape(5, 4, *leaf.shape[1:]), (found.obs, found.memory))

    def total(agent: Any, by_step: bool) -> Any:
        prepared = agent.prepared()
        percepts = prepared.perceive_all(obs, memory) if by_step else Agent.perceive_all(prepared, obs, memory)
        return jnp.square(percepts.joined).sum(), percepts

    (plain, one), (through, other) = (
        jax.grad(total, has_aux=True, allow_int=True)(agent, by_step) for by_step in (False, True)
    )
    for expected, actual in zip(jax.tree.leaves((plain, one)), jax.tree.leaves((through, other)), strict=True):
        assert np.allclose(expected, actual, rtol=1e-4, atol=1e-4)
    assert np.any(np.asarray(through.torso.convolution.weight) != 0)


def test_a_prepared_torso_stays_as_it_is() -> None:
    prepared = small_agent("cofca-s", "starcraft").torso.prepared()
    assert prepared.prepared() is prepared


def test_an_even_number_of_channels_is_left_alone() -> None:
    torso = small_agent("cofca-s", "minecraft").torso
    assert torso.prepared() is torso
