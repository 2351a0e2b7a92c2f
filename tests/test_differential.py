"""The compiled world against the independent plain-Python simulator in `tests/reference`."""

import jax
import pytest
from differential import PAPER, WIDE, compare, wild_levels
from reference.validity import problems

from cofca.minecraft import MinecraftParams, generate

EPISODES = 400


def make(kind: str, seed: int):
    key = jax.random.key(seed)
    params = WIDE if kind == "wild" else PAPER
    if kind == "wild":
        return wild_levels(key, EPISODES, params), params
    return jax.jit(generate, static_argnames="params")(jax.random.split(key, EPISODES), params=params), params


@pytest.mark.parametrize("kind", ["generated", "wild"])
def test_a_hundred_thousand_steps_do_not_diverge(kind):
    levels, params = make(kind, seed=1)
    found = compare(jax.random.key(2), levels, params, steps=140)
    assert not found, f"{len(found)} of {EPISODES} episodes diverge; first: {found[0]}"


@pytest.mark.soak
def test_ten_million_steps_do_not_diverge(capsys):
    steps, total, seed = 250, 0, 100
    while total < 10_000_000:
        levels, params = make("wild" if seed % 2 else "generated", seed)
        found = compare(jax.random.key(seed), levels, params, steps)
        assert not found, f"seed {seed}: {len(found)} of {EPISODES} episodes diverge; first: {found[0]}"
        total, seed = total + steps * EPISODES, seed + 1
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
