"""Stable-Baselines3 and sb3-contrib take the environments as they are. In tests every warning is an error."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

pytest.importorskip("stable_baselines3")
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import PPO
from stable_baselines3.common.env_checker import check_env as check_for_sb3

IDS = ["cofca/Minecraft-v0", "cofca/StarCraft-v0"]
SHORT = {"cofca/Minecraft-v0": {"length": (1, 1)}, "cofca/StarCraft-v0": {"length": (2, 3)}}


@pytest.fixture(scope="module", params=IDS)
def made(request: pytest.FixtureRequest) -> gymnasium.Env:
    return gymnasium.make(request.param, render_mode="rgb_array", **SHORT[request.param])


def test_both_checkers_have_nothing_to_say(made: gymnasium.Env) -> None:
    check_env(made.unwrapped, skip_render_check=True)
    check_for_sb3(made)
    check_for_sb3(made.unwrapped, skip_render_check=False)


@pytest.mark.soak
def test_gymnasium_checks_pictures_too(made: gymnasium.Env) -> None:
    check_env(made.unwrapped)


@pytest.mark.soak
@pytest.mark.parametrize(("trainer", "id_"), [(PPO, IDS[0]), (MaskablePPO, IDS[1])])
def test_it_trains_without_a_wrapper(trainer: Any, id_: str) -> None:
    model = trainer("MultiInputPolicy", id_, n_steps=64, batch_size=64, n_epochs=2, seed=0)
    before = [weights.detach().clone() for weights in model.policy.parameters()]
    model.learn(256)
    after = list(model.policy.parameters())
    assert any(not bool((old == new).all()) for old, new in zip(before, after, strict=True))
    env = model.get_env()
    assert is_masking_supported(env)
    obs = env.reset()
    masks = {"action_masks": get_action_masks(env)} if trainer is MaskablePPO else {}
    actions, _ = model.predict(obs, **masks)
    assert env.action_space.contains(np.int64(actions[0]))
    if masks:
        assert masks["action_masks"][0, actions[0]]
