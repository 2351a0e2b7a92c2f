"""Chance: ambushes and attacks come as often, and take what they take, as the rules say."""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np

from cofca.envs.starcraft import Building, StarCraftParams
from cofca.envs.starcraft.symbols import NUM_UNITS
from cofca.envs.starcraft.world import enemy

PEACE = StarCraftParams(ambush_probability=0, attack_probability=0)
WAR = StarCraftParams(ambush_probability=1, attack_probability=1)
MANY = 20_000
UNITS = np.array([3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2], np.int16)
BUILDINGS = np.zeros((6, 6), np.int8)
BUILDINGS[[0, 0, 1, 2, 3, 5, 5], [0, 1, 3, 4, 2, 0, 5]] = [7, 9, 7, 1, 6, 9, 14]
"""Five that may be lost, and two Nexus."""


@cache
def raids(params: StarCraftParams) -> tuple[np.ndarray, np.ndarray]:
    """What many raids destroy: units, and cells [raids, 36]."""
    come = jax.jit(jax.vmap(lambda key: enemy(key, jnp.asarray(UNITS), jnp.asarray(BUILDINGS), params)))
    ambushed, destroyed = jax.device_get(come(jax.random.split(jax.random.key(0), MANY)))
    return ambushed, destroyed.reshape(MANY, -1)


def assert_share(happened: np.ndarray, expected: float) -> None:
    error = np.sqrt(expected * (1 - expected) / len(happened))
    assert abs(happened.mean() - expected) <= 4 * error


def test_ambush_and_attack_come_independently_with_their_probabilities() -> None:
    # An attack on five buildings destroys none of them once in six times.
    ambushed, destroyed = raids(StarCraftParams(ambush_probability=0.1, attack_probability=0.3))
    assert_share(ambushed > 0, 0.1)
    assert_share(destroyed.any(axis=1), 0.3 * 5 / 6)
    assert_share((ambushed > 0) & destroyed.any(axis=1), 0.1 * 0.3 * 5 / 6)


def test_every_unit_alive_is_ambushed_equally_often() -> None:
    ambushed, _ = raids(WAR)
    for unit, number in enumerate(UNITS, start=1):
        assert_share(ambushed == unit, number / UNITS.sum())


def test_the_number_of_buildings_lost_is_uniform_and_every_set_of_that_size_equally_likely() -> None:
    _, destroyed = raids(WAR)
    may_be_lost = np.flatnonzero((BUILDINGS > 0) & (BUILDINGS != Building.NEXUS))
    assert not np.delete(destroyed, may_be_lost, axis=1).any()
    sets = destroyed[:, may_be_lost] @ (1 << np.arange(5))
    for which in range(32):
        size = which.bit_count()
        assert_share(sets == which, 1 / 6 / (1, 5, 10, 10, 5, 1)[size])


def test_there_is_nothing_to_lose_in_peace_or_where_nothing_is() -> None:
    ambushed, destroyed = raids(PEACE)
    assert not ambushed.any()
    assert not destroyed.any()
    nothing = enemy(jax.random.key(0), jnp.zeros(NUM_UNITS, jnp.int16), jnp.full((6, 6), 7, jnp.int8), WAR)
    assert nothing.ambushed == 0
    assert not nothing.destroyed.any()
