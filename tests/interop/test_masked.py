"""A domain whose choices are masked."""

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import VectorEnv

from interop.samples import EMPTY_ROW, MAP, pick, same

STARCRAFT = "cofca/StarCraft-v0"


@pytest.fixture(scope="module")
def starcraft() -> gymnasium.Env:
    return gymnasium.make(STARCRAFT, render_mode="ansi", length=(2, 3), steps_per_line=4)


@pytest.fixture(scope="module")
def starcraft_vector() -> VectorEnv:
    """With the single environment's parameters; time runs out soon."""
    mode = "vector_entry_point"
    return gymnasium.make_vec(STARCRAFT, num_envs=3, vectorization_mode=mode, length=(2, 3), steps_per_line=4)


def test_starcraft_passes_the_checker_of_gymnasium(starcraft: gymnasium.Env) -> None:
    check_env(starcraft.unwrapped, skip_render_check=True)


def test_every_part_of_an_observation_has_a_shape(starcraft: gymnasium.Env) -> None:
    obs, _ = starcraft.reset(seed=1)
    assert {name: value.shape for name, value in obs.items()} == {
        "grid": (6, 6, 20),
        "ambushed": (1,),
        "stage": (3,),
        "action_mask": (70,),
        "lines": (3,),
        "mask": (3,),
    }
    for name, space in starcraft.observation_space.items():
        assert isinstance(space, spaces.MultiBinary | spaces.MultiDiscrete)
        assert (obs[name].shape, obs[name].dtype) == (space.shape, space.dtype)


def test_the_masks_of_sb3_contrib_are_those_of_the_observations(
    starcraft: gymnasium.Env, starcraft_vector: VectorEnv, env: gymnasium.Env
) -> None:
    obs, _ = starcraft.reset(seed=2)
    assert np.array_equal(starcraft.get_wrapper_attr("action_masks")(), obs["action_mask"] > 0)
    obs, *_ = starcraft.step(np.flatnonzero(obs["action_mask"])[1])
    masks = starcraft.unwrapped.action_masks()
    assert masks.dtype == bool
    assert np.array_equal(masks, obs["action_mask"] > 0)
    all_obs, _ = starcraft_vector.reset(seed=2)
    assert np.array_equal(starcraft_vector.unwrapped.action_masks(), all_obs["action_mask"] > 0)
    env.reset(options={"instruction": "mine iron", "map": MAP})
    assert env.unwrapped.action_masks().tolist() == 9 * [True]


def test_an_action_can_be_sampled_by_the_mask_in_info(starcraft: gymnasium.Env) -> None:
    starcraft.action_space.seed(3)
    _, info = starcraft.reset(seed=3)
    stages = set()
    for _ in range(60):
        action = starcraft.action_space.sample(info["action_mask"])
        assert info["action_mask"][action] == 1
        obs, _, terminated, truncated, info = starcraft.step(action)
        assert (obs["action_mask"] == info["action_mask"]).all()
        assert info["passed"] == (not obs["stage"].any())  # what narrows shows in the stage and takes no time
        stages.add(tuple((obs["stage"] > 0).tolist()))
        if terminated or truncated:
            _, info = starcraft.reset()
    assert stages == {(False, False, False), (True, False, False), (True, True, False), (False, False, True)}


def test_a_starcraft_level_of_ones_own_is_played_and_shown(starcraft: gymnasium.Env) -> None:
    base = "@g....\nm.....\n" + 4 * EMPTY_ROW
    obs, info = starcraft.reset(options={"instruction": "Build Nexus\nTrain Adept", "map": base})
    nexus, adept = 18, 18 + 36
    assert np.flatnonzero(info["action_mask"]).tolist() == [0, 1, 2, 3, nexus]
    obs, reward, terminated, _, info = starcraft.step(np.int64(nexus))
    assert (reward, terminated, obs["stage"].tolist()) == (0, False, [0, 0, 1])
    assert np.flatnonzero(info["action_mask"]).tolist() == [0, *range(adept, adept + 16)]
    assert "8 of 8" in starcraft.render()
    _, reward, terminated, _, info = starcraft.step(np.int64(adept))
    assert (reward, terminated, bool(info["success"])) == (1, True, True)


def test_the_starcraft_vector_environment_gives_masks_and_final_observations(starcraft_vector: VectorEnv) -> None:
    obs, infos = starcraft_vector.reset(seed=5)
    starcraft_vector.action_space.seed(5)
    ends = 0
    for _ in range(60):
        assert starcraft_vector.observation_space.contains(obs)
        assert (infos["action_mask"] == obs["action_mask"]).all()
        actions = starcraft_vector.action_space.sample(mask=tuple(infos["action_mask"]))
        obs, rewards, terminated, truncated, infos = starcraft_vector.step(actions)
        done = terminated | truncated
        assert (rewards == terminated).all()
        assert ("final_obs" in infos) == done.any()
        for number in np.flatnonzero(done):
            last = infos["final_obs"][number]
            assert starcraft_vector.single_observation_space.contains(last)
            assert (last["action_mask"] == infos["final_info"]["action_mask"][number]).all()
            assert not same(last, pick(obs, number))
            ends += 1
    assert ends > 3
