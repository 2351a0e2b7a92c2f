"""The compiled world against the independent plain-Python simulator in `tests/envs/reference/minecraft`."""

import pytest

from envs.differential import Size, assert_agreement, soak
from envs.minecraft.differential import DOMAIN, LEVELS

SIZE = Size(episodes=500, steps=200)


def test_a_hundred_thousand_steps_do_not_diverge() -> None:
    assert_agreement(DOMAIN, LEVELS, SIZE, total=100_000)


@pytest.mark.soak
def test_ten_million_steps_do_not_diverge(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        soak(DOMAIN, LEVELS, SIZE)
