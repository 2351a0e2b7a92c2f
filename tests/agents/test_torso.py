"""What agents make of an observation."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from cofca.agents.torso import EVEN, Torso

from .samples import moments, small_agent


@pytest.mark.parametrize("name", ["cofca-s", "unstructured"])
def test_channels_that_make_their_number_even_change_nothing(name: str) -> None:
    agent, found = small_agent(name, "starcraft"), moments(name, "starcraft", number=20)
    torso, wider = agent.torso, agent.prepared().torso
    assert torso.channels % EVEN != 0, "nothing would be added"
    assert wider.convolution.bias.size % EVEN == 0
    assert wider.flat.weight.shape == (49 * wider.convolution.bias.size, wider.flat.bias.size)
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


def test_a_prepared_torso_stays_as_it_is() -> None:
    prepared = small_agent("cofca-s", "starcraft").torso.prepared()
    assert prepared.prepared() is prepared


def test_an_even_number_of_channels_is_left_alone() -> None:
    torso = small_agent("cofca-s", "minecraft").torso
    assert torso.prepared() is torso
