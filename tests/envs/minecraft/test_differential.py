"""The compiled world against the independent plain-Python simulator in `tests/envs/reference/minecraft`."""

import jax
import pytest

from cofca.envs.minecraft import MinecraftParams
from envs.differential import Size, assert_agreement, soak
from envs.minecraft.differential import DOMAIN, LEVELS, generated
from envs.reference.minecraft.validity import problems

SIZE = Size(episodes=500, steps=200)
"""So few levels at once are compiled in half the time."""


def test_a_hundred_thousand_steps_do_not_diverge() -> None:
    assert_agreement(DOMAIN, LEVELS, SIZE, total=100_000)


@pytest.mark.soak
def test_ten_million_steps_do_not_diverge(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        soak(DOMAIN, LEVELS, SIZE)


@pytest.mark.parametrize(
    "params",
    [
        MinecraftParams(length=(1, 10)),
        MinecraftParams(length=(11, 50)),
        MinecraftParams(length=(8, 20), max_depth=3),
    ],
    ids=["short", "long", "nested"],
)
def test_generated_levels_are_valid_by_the_reference(params: MinecraftParams) -> None:
    levels = jax.jit(generated, static_argnums=(1, 2))(jax.random.key(5), 300, params)
    levels = jax.device_get(levels._replace(key=levels.worker))
    low, high = params.length
    for number in range(300):
        length = int(levels.program.length[number])
        lines = [tuple(line) for line in levels.program.lines[number, :length].tolist()]
        cells, worker = levels.cells[number].tolist(), tuple(levels.worker[number].tolist())
        limits = {"max_depth": params.max_depth, "min_length": low, "max_length": high}
        assert problems(lines, cells, worker, **limits) == []
        assert not levels.program.lines[number, length:].any()
