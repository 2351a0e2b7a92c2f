"""The compiled world against the independent plain-Python simulator in `tests/reference/starcraft`."""

import jax
import pytest
from reference.starcraft.validity import problems

from cofca.starcraft import StarCraftParams

from .differential import HARSH, PAPER, compare, generated, wild_levels

EPISODES, STEPS = 600, 300


def compare_kind(kind: str, seed: int) -> int:
    """Compare a batch of episodes; the number of frames compared."""
    key = jax.random.key(seed)
    params, make = (HARSH, wild_levels) if kind == "wild" else (PAPER, generated)
    levels = jax.jit(make, static_argnums=(1, 2))(key, EPISODES, params)
    compared = compare(key, levels, params, STEPS)
    found = compared.divergences
    assert not found, f"seed {seed}: {len(found)} of {EPISODES} episodes diverge; first: {found[0]}"
    return compared.steps


def test_a_hundred_thousand_steps_do_not_diverge():
    total, seed = 0, 0
    while total < 100_000:
        total += compare_kind("generated", seed) + compare_kind("wild", seed)
        seed += 1


@pytest.mark.soak
def test_ten_million_steps_do_not_diverge(capsys):
    total, seed = 0, 1000
    while total < 10_000_000:
        total += compare_kind("generated", seed) + compare_kind("wild", seed)
        seed += 1
        with capsys.disabled():
            print(f"\r{total:,} steps without divergence", end="", flush=True)


@pytest.mark.parametrize(
    "params",
    [
        StarCraftParams(length=(1, 5)),
        StarCraftParams(length=(6, 25)),
        StarCraftParams(length=(2, 5), max_depth=3),
        StarCraftParams(length=(2, 5), max_depth=3, max_prerequisites=3),
    ],
    ids=["short", "long", "shallow", "hard"],
)
def test_generated_levels_are_valid_by_the_reference(params):
    levels = jax.jit(generated, static_argnums=(1, 2))(jax.random.key(5), 300, params)
    for number in range(300):
        level = jax.tree.map(lambda leaf, n=number: leaf[n].tolist(), levels._replace(key=levels.nexus))
        caps = {"max_depth": params.max_depth, "max_prerequisites": params.max_prerequisites}
        found = problems(
            level.program.lines,
            level.prerequisites,
            level.trainers,
            level.terrain,
            level.buildings,
            tuple(level.nexus),
            length=params.length,
            **caps,
        )
        assert found == []
