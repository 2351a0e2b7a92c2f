"""The compiled world against the independent plain-Python simulator in `tests/envs/reference/starcraft`."""

import jax
import pytest

from cofca.envs.starcraft import StarCraftParams
from envs.differential import Size, assert_agreement, soak
from envs.reference.starcraft.validity import problems
from envs.starcraft.differential import DOMAIN, LEVELS, generated

SIZE = Size(episodes=600, steps=300)


def test_a_hundred_thousand_steps_do_not_diverge() -> None:
    assert_agreement(DOMAIN, LEVELS, SIZE, total=100_000)


@pytest.mark.soak
def test_ten_million_steps_do_not_diverge(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        soak(DOMAIN, LEVELS, SIZE)


@pytest.mark.parametrize(
    "params",
    [
        StarCraftParams(length=(1, 5)),
        StarCraftParams(length=(6, 25)),
        StarCraftParams(length=(2, 5), max_depth=3),
        StarCraftParams(length=(2, 5), max_depth=3, max_prerequisites=3),
        StarCraftParams(length=(1, 5), several_units=1.0),
    ],
    ids=["short", "long", "shallow", "hard", "several units"],
)
def test_generated_levels_are_valid_by_the_reference(params: StarCraftParams) -> None:
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
