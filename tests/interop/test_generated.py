"""Single and vector environments on generated levels keep Gymnasium's contract and agree with each other."""

from typing import Any, NamedTuple

import gymnasium
import jax
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, VectorEnv

from cofca.envs.minecraft import oracle
from cofca.interop.gymnasium import EPISODES_PER_POOL
from interop.samples import MINE_IRON, NUM_ENVS, pick, same


class Step(NamedTuple):
    actions: np.ndarray
    obs: dict[str, np.ndarray]
    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    infos: dict[str, Any]

    @property
    def done(self) -> np.ndarray:
        return self.terminated | self.truncated


class Play(NamedTuple):
    """A reset of the vector environment and random steps after it."""

    obs: dict[str, np.ndarray]
    infos: dict[str, Any]
    steps: list[Step]

    def level_keys(self) -> np.ndarray:
        """The key of the level that every environment is in, at the start and after each step."""
        return np.array([self.infos["level_key"], *(step.infos["level_key"] for step in self.steps)])


@pytest.fixture(scope="module")
def play(vector: VectorEnv) -> Play:
    obs, infos = vector.reset(seed=4)
    actions = np.random.default_rng(4).integers(0, vector.single_action_space.n, (300, NUM_ENVS))
    return Play(obs, infos, [Step(given, *vector.step(given)) for given in actions])


def test_it_passes_the_checker_of_gymnasium(env: gymnasium.Env) -> None:
    check_env(env.unwrapped, skip_render_check=True)  # that check would compile two more environments


def test_a_seed_fixes_the_episode(env: gymnasium.Env) -> None:
    def episode() -> list[Any]:
        obs, info = env.reset(seed=11)
        steps = [env.step(action) for action in np.array([0, 4, 8, 2, 6])]
        return [(obs, info), *steps]

    assert repr(episode()) == repr(episode())


def test_other_seeds_and_later_episodes_are_other_levels(env: gymnasium.Env) -> None:
    keys = [env.reset(seed=seed)[1]["level_key"] for seed in (1, 2, None, None)]
    assert len(np.unique(keys, axis=0)) == 4


def test_a_stored_key_brings_its_level_back(env: gymnasium.Env) -> None:
    obs, info = env.reset(seed=5)
    stored = info["level_key"].tolist()
    assert not same(env.reset()[0], obs)
    again, again_info = env.reset(options={"level_key": stored})
    assert same(again, obs)
    assert again_info["level_key"].tolist() == stored


def test_the_oracle_ends_an_episode_with_reward_1(env: gymnasium.Env) -> None:
    env.reset(seed=8)
    command = jax.jit(oracle)
    rewards, terminated, truncated, info = [], False, False, {}
    while not (terminated or truncated):
        _, reward, terminated, truncated, info = env.step(np.int64(command(env.unwrapped._state)))
        rewards.append(reward)
    assert (sum(rewards), rewards[-1]) == (1, 1)
    assert (terminated, truncated) == (True, False)
    assert info["success"]


def test_the_vector_environment_declares_its_spaces_and_when_it_resets(vector: VectorEnv, env: gymnasium.Env) -> None:
    assert vector.num_envs == NUM_ENVS
    assert vector.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert vector.single_observation_space == env.observation_space
    assert vector.single_action_space == env.action_space
    assert vector.action_space.sample().shape == (NUM_ENVS,)
    for name, space in env.observation_space.items():
        assert vector.observation_space[name].shape == (NUM_ENVS, *space.shape)
        assert vector.observation_space[name].dtype == space.dtype


def test_what_the_vector_environment_gives_lies_in_its_spaces(vector: VectorEnv, play: Play) -> None:
    for obs in (play.obs, *(step.obs for step in play.steps)):
        assert vector.observation_space.contains(obs)
    for step in play.steps:
        assert (step.rewards.dtype, step.rewards.shape) == (np.float64, (NUM_ENVS,))
        assert {flags.dtype for flags in (step.terminated, step.truncated)} == {np.dtype(bool)}
        assert not (step.terminated & step.truncated).any()
        assert (step.rewards == step.infos["success"]).all()


def test_final_observations_come_exactly_with_the_end_of_an_episode(vector: VectorEnv, play: Play) -> None:
    assert any(step.done.any() for step in play.steps)
    assert not all(step.done.any() for step in play.steps)
    for step in play.steps:
        final = {"final_obs", "_final_obs", "final_info", "_final_info"}
        assert step.infos.keys() & final == (final if step.done.any() else set())
        if not step.done.any():
            continue
        assert np.array_equal(step.infos["_final_obs"], step.done)
        assert np.array_equal(step.infos["_final_info"], step.done)
        for number, last in enumerate(step.infos["final_obs"]):
            if step.done[number]:
                assert vector.single_observation_space.contains(last)
                assert not same(last, pick(step.obs, number))
            else:
                assert last is None


def test_the_level_changes_exactly_with_the_end_of_an_episode(play: Play) -> None:
    keys = play.level_keys()
    for before, after, step in zip(keys[:-1], keys[1:], play.steps, strict=True):
        assert np.array_equal((before != after).any(axis=1), step.done)
        if step.done.any():
            assert np.array_equal(step.infos["final_info"]["level_key"], before)


def test_new_levels_are_made_when_the_pool_is_used_up(play: Play) -> None:
    assert len(np.unique(play.level_keys().reshape(-1, 2), axis=0)) > NUM_ENVS * EPISODES_PER_POOL
    for keys in play.level_keys().swapaxes(0, 1):
        episodes = 1 + (keys[:-1] != keys[1:]).any(axis=1).sum()
        assert len(np.unique(keys, axis=0)) == episodes  # nobody meets a level twice


def test_single_and_vector_environments_agree(env: gymnasium.Env, play: Play) -> None:
    ends = 0
    for number in range(NUM_ENVS):
        obs, _ = env.reset(options={"level_key": play.infos["level_key"][number]})
        assert same(obs, pick(play.obs, number))
        for step in play.steps[:80]:
            done = step.done[number]
            obs, *outcome, info = env.step(step.actions[number])
            assert same(obs, step.infos["final_obs"][number] if done else pick(step.obs, number))
            assert outcome == [facts[number] for facts in (step.rewards, step.terminated, step.truncated)]
            facts = step.infos["final_info"] if done else step.infos
            assert same(info, pick({name: facts[name] for name in info}, number))
            if done:
                obs, _ = env.reset(options={"level_key": step.infos["level_key"][number]})
                assert same(obs, pick(step.obs, number))
                ends += 1
    assert ends > 0


def test_a_seed_fixes_the_levels_of_a_vector_environment(vector: VectorEnv, play: Play) -> None:
    obs, infos = vector.reset(seed=4)
    assert same(obs, play.obs)
    assert np.array_equal(infos["level_key"], play.infos["level_key"])
    assert len(np.unique(infos["level_key"], axis=0)) == NUM_ENVS
    later, _ = vector.reset()
    assert not same(later, obs)


def test_the_vector_environment_renders_its_first_environment(vector: VectorEnv, env: gymnasium.Env) -> None:
    _, infos = vector.reset(seed=6)
    env.reset(options={"level_key": infos["level_key"][0]})
    assert np.array_equal(vector.render(), env.render())
    vector.step(np.arange(NUM_ENVS))
    env.step(MINE_IRON)
    assert np.array_equal(vector.render(), env.render())


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize(
    "actions",
    [
        NUM_ENVS * [9],
        [0, 0, 0, 0, -1],
        (NUM_ENVS - 1) * [0],
        NUM_ENVS * [[0]],
        0,
        None,
        NUM_ENVS * [2**40],
        NUM_ENVS * [0.5],
        NUM_ENVS * ["1"],
        [[0], [1, 2]],
    ],
)
def test_impossible_actions_are_refused(vector: VectorEnv, actions: Any) -> None:
    vector.reset(seed=4)
    playing = vector.unwrapped._playing
    with pytest.raises(ValueError, match=r"^actions are out of range; expected 5 integers from 0 to 8$"):
        vector.step(actions)
    assert vector.unwrapped._playing is playing


def test_a_refused_reset_leaves_the_episode_as_it_was(env: gymnasium.Env) -> None:
    def steps(refused: bool) -> str:
        env.reset(seed=3)
        if refused:
            with pytest.raises(ValueError, match="unknown word"):
                env.reset(options={"instruction": "mine irn"})
        return repr([env.step(action) for action in (0, 4, 8)])

    assert steps(refused=True) == steps(refused=False)
