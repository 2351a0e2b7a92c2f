"""The compiled world against the independent plain-Python simulator in `tests/reference`."""

import jax
import pytest
from reference.minecraft.validity import problems

from cofca.minecraft import MinecraftParams, generate

from .differential import PAPER, WIDE, compare, wild_levels

EPISODES, STEPS = 1000, 200


def compare_kind(kind: str, seed: int) -> int:
    """Compare a batch of episodes; the number of steps compared."""
    key = jax.random.key(seed)
    params = WIDE if kind == "wild" else PAPER
    make = wild_levels if kind == "wild" else generated
    compared = compare(key, make(key, EPISODES, params), params, STEPS)
    found = compared.divergences
    assert not found, f"seed {seed}: {len(found)} of {EPISODES} episodes diverge; first: {found[0]}"
    return compared.steps


def generated(key, number, params):
    return jax.jit(generate, static_argnames="params")(jax.random.split(key, number), params=params)


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
        MinecraftParams(length=(1, 10)),
        MinecraftParams(length=(11, 50)),
        MinecraftParams(length=(8, 20), max_depth=3),
    ],
    ids=["short", "long", "nested"],
)
def test_generated_levels_are_valid_by_the_reference(params):
    levels = jax.device_get(
        jax.jit(generate, static_argnames="params")(jax.random.split(jax.random.key(5), 300), params=params)._replace(
            key=jax.numpy.zeros(300)
        )
    )
    low, high = params.length
    for number in range(300):
        length = int(levels.program.length[number])
        lines = [tuple(line) for line in levels.program.lines[number, :length].tolist()]
        cells, worker = levels.cells[number].tolist(), tuple(levels.worker[number].tolist())
        limits = {"max_depth": params.max_depth, "min_length": low, "max_length": high}
        assert problems(lines, cells, worker, **limits) == []
        assert not levels.program.lines[number, length:].any()
