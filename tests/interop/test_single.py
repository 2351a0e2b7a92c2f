"""One environment, on levels of one's own only, which saves compiling the generator."""

import gymnasium
import numpy as np
import pytest

from cofca.envs.minecraft import parse
from cofca.envs.minecraft.language.text import pad
from cofca.interop.gymnasium import CofcaEnv
from interop.samples import ID, IRON_THEN_GOLD, MAP, MINE_GOLD, MINE_IRON, WAIT, same


def test_nothing_can_be_done_after_the_end_of_an_episode(env: gymnasium.Env) -> None:
    env.reset(options={"instruction": "mine iron", "map": MAP})
    env.step(MINE_IRON)
    obs, reward, terminated, _, _ = env.step(MINE_IRON)
    assert (reward, terminated) == (1, True)
    for _ in range(2):
        with pytest.raises(gymnasium.error.ResetNeeded, match=r"^the episode is over: this needs a reset first$"):
            env.step(MINE_GOLD)
    again, _ = env.reset(options={"instruction": "mine iron", "map": MAP})
    assert not same(again, obs)
    assert env.step(MINE_IRON)[2] is False


def test_out_of_order_ends_an_episode_without_reward(waiting: gymnasium.Env) -> None:
    waiting.reset(options=IRON_THEN_GOLD)
    assert waiting.step(MINE_GOLD)[1:4] == (0, False, False)
    assert waiting.step(MINE_GOLD)[1:4] == (0, True, False)


def test_it_is_truncated_after_30_steps_a_line(waiting: gymnasium.Env) -> None:
    obs, _ = waiting.reset(options=IRON_THEN_GOLD)
    steps = [waiting.step(WAIT) for _ in range(60)]
    assert [truncated for *_, truncated, _ in steps] == 59 * [False] + [True]
    assert not any(reward or terminated for _, reward, terminated, _, _ in steps)
    assert same(steps[-1][0], obs)


def test_own_instruction_and_map_are_what_is_observed(waiting: gymnasium.Env) -> None:
    obs, _ = waiting.reset(options=IRON_THEN_GOLD)
    grid = np.zeros((6, 6, 7), int)
    for row, column, channel in ((0, 0, 6), (0, 1, 0), (1, 0, 1), (1, 1, 5)):  # worker, iron, gold, wall
        grid[row, column, channel] = 1
    assert np.array_equal(obs["grid"], grid)
    assert np.array_equal(obs["lines"].reshape(2, 3), pad(parse(IRON_THEN_GOLD["instruction"]), 2))
    assert obs["mask"].tolist() == [1, 1]
    assert obs["inventory"].tolist() == [0, 0, 0]


def test_own_instruction_without_map_finds_a_world(env: gymnasium.Env) -> None:
    obs, _ = env.reset(seed=1, options={"instruction": "sell iron"})
    iron, merchant = 0, 3
    assert np.array_equal(obs["lines"].reshape(10, 3), pad(parse("sell iron"), 10))
    assert obs["grid"][..., [iron, merchant]].any(axis=(0, 1)).all()


def test_it_renders_pictures(env: gymnasium.Env) -> None:
    env.reset(options={"instruction": "mine iron", "map": MAP})
    before = env.render()
    env.step(MINE_IRON)
    after = env.render()
    assert before.dtype == np.uint8
    assert before.ndim == 3
    assert before.shape[2] == 3
    assert not np.array_equal(before, after)


def test_it_renders_text(waiting: gymnasium.Env) -> None:
    waiting.reset(options=IRON_THEN_GOLD)
    waiting.step(MINE_IRON)
    text = waiting.render()
    assert isinstance(text, str)
    for shown in ("59 of 60", "moves east"):
        assert shown in text


def test_waiting_is_one_action_more(env: gymnasium.Env, waiting: gymnasium.Env) -> None:
    assert env.action_space == gymnasium.spaces.Discrete(9)
    assert waiting.action_space == gymnasium.spaces.Discrete(10)


def test_gymnasium_can_put_single_environments_side_by_side() -> None:
    both = gymnasium.make_vec(ID, num_envs=2, vectorization_mode="sync", length=(1, 2))
    obs, _ = both.reset(seed=1, options={"instruction": "mine iron", "map": MAP})
    assert both.observation_space.contains(obs)
    both.step(np.array([MINE_IRON, MINE_GOLD]))
    obs, rewards, terminated, truncated, _ = both.step(np.array([MINE_IRON, MINE_GOLD]))
    assert both.observation_space.contains(obs)
    assert obs["inventory"].tolist() == [[1, 0, 0], [0, 1, 0]]
    assert rewards.tolist() == [1, 0]
    assert terminated.tolist() == [True, True]
    assert not truncated.any()


@pytest.mark.usefixtures("unchecked")
def test_environments_with_the_same_parameters_share_what_is_compiled() -> None:
    one, other = CofcaEnv("minecraft", length=[1, 5]), CofcaEnv("minecraft", length=(1, 5))
    assert one._compiled is other._compiled
    assert CofcaEnv("minecraft", length=(1, 6))._compiled is not one._compiled


def test_observations_may_be_written_on(waiting: gymnasium.Env) -> None:
    obs, _ = waiting.reset(options=IRON_THEN_GOLD)
    obs["grid"][:] = 0
    assert waiting.step(WAIT)[0]["grid"].any()


def test_a_plain_integer_is_an_action(waiting: gymnasium.Env) -> None:
    waiting.reset(options=IRON_THEN_GOLD)
    assert waiting.unwrapped.step(0)[4]["primitive"] == 2


def test_a_level_of_ones_own_has_no_key(waiting: gymnasium.Env) -> None:
    _, info = waiting.reset(options=IRON_THEN_GOLD)
    assert "level_key" not in info
    assert "level_key" not in waiting.step(WAIT)[4]


def test_the_learned_worker_carries_out_commands_and_may_take_its_time() -> None:
    learned = gymnasium.make(ID, worker="learned")
    learned.reset(seed=0, options={"instruction": "mine iron", "map": MAP})
    for _ in range(30):
        *_, reward, terminated, truncated, info = learned.step(MINE_IRON)
        if terminated or truncated:
            break
    assert (reward, terminated, bool(info["success"])) == (1.0, True, True)


def test_an_unknown_worker_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown worker 'human'; expected planner, learned or a folder"):
        gymnasium.make(ID, worker="human")
