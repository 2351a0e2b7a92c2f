"""Gymnasium: single and vector environments keep its contract and agree with each other."""

import subprocess
import sys
from typing import Any, NamedTuple

import gymnasium
import jax
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, VectorEnv
from jaxtyping import config

from cofca.interop.gymnasium import EPISODES_PER_POOL, CofcaEnv, CofcaVectorEnv
from cofca.minecraft import oracle, parse
from cofca.minecraft.language.text import pad

ID = "cofca/Minecraft-v0"
MINE_IRON, MINE_GOLD, WAIT = map(np.int64, (0, 1, 9))
EMPTY_ROW = "......\n"
MAP = "@i....\ng#....\n" + 4 * EMPTY_ROW
IRON_THEN_GOLD = {"instruction": "mine iron\nmine gold", "map": MAP}
NUM_ENVS = 5


@pytest.fixture(scope="module")
def env() -> gymnasium.Env:
    return gymnasium.make(ID, render_mode="rgb_array")


@pytest.fixture(scope="module")
def waiting() -> gymnasium.Env:
    """It is only ever given levels of one's own, which saves compiling the generator again."""
    return gymnasium.make(ID, render_mode="ansi", length=(1, 2), wait=True)


@pytest.fixture(scope="module")
def vector() -> VectorEnv:
    mode = "vector_entry_point"
    return gymnasium.make_vec(ID, num_envs=NUM_ENVS, vectorization_mode=mode, render_mode="rgb_array")


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Users have no type checker that refuses their mistakes before the library does."""
    monkeypatch.setattr(config, "jaxtyping_disable", True)


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


def pick(obs: dict[str, np.ndarray], number: int) -> dict[str, np.ndarray]:
    return {name: value[number] for name, value in obs.items()}


def same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


def run_python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


# One environment


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


def test_a_finished_episode_stays_as_it_is(env: gymnasium.Env) -> None:
    obs, _ = env.reset(options={"instruction": "mine iron", "map": MAP})
    env.step(MINE_IRON)
    obs, reward, terminated, _, _ = env.step(MINE_IRON)
    assert (reward, terminated) == (1, True)
    later, reward, terminated, truncated, _ = env.step(MINE_GOLD)
    assert same(later, obs)
    assert (reward, terminated, truncated) == (0, True, False)


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
    assert np.array_equal(obs["lines"], pad(parse(IRON_THEN_GOLD["instruction"]), 2))
    assert obs["mask"].tolist() == [1, 1]
    assert obs["inventory"].tolist() == [0, 0, 0]


def test_own_instruction_without_map_finds_a_world(env: gymnasium.Env) -> None:
    obs, _ = env.reset(seed=1, options={"instruction": "sell iron"})
    iron, merchant = 0, 3
    assert np.array_equal(obs["lines"], pad(parse("sell iron"), 10))
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


# Mistakes: one line that says what is wrong, and nothing has changed


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("action", [-1, 9, 2**40, 1.0, np.array([1]), np.array([0, 1]), "1", None])
def test_an_impossible_action_is_refused(env: gymnasium.Env, action: Any) -> None:
    env.reset(options={"instruction": "mine iron", "map": MAP})
    state, picture = env.unwrapped._state, env.render()
    with pytest.raises(ValueError, match=r"^action .* is out of range; expected 0 to 8$"):
        env.unwrapped.step(action)
    assert env.unwrapped._state is state
    assert np.array_equal(env.render(), picture)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"levle": 3}, "unknown reset option 'levle'; expected level_key, instruction or map"),
        ({"map": MAP}, "the reset option map needs an instruction to go with it"),
        ({"level_key": [1, 2], "instruction": "mine iron"}, "give either level_key or instruction, not both"),
        ({"level_key": [1]}, "level_key must be the two whole numbers of an earlier episode's info"),
        ({"level_key": [1.5, 2]}, "level_key must be the two whole numbers"),
        ({"level_key": [-1, 2]}, "level_key must be the two whole numbers"),
        ({"level_key": [[1], [2, 3]]}, "level_key must be the two whole numbers"),
        ({"instruction": 3}, "the reset option instruction must be text, not int"),
        ({"instruction": "mine irn"}, "line 1, column 6: unknown word 'irn'"),
        ({"instruction": "mine iron", "map": "@i"}, "map: expected 6 rows of 6 cells, got rows of [2]"),
        ({"instruction": "mine wood", "map": MAP}, "line 1: mine wood needs wood on the map"),
        ({"instruction": "mine iron\n" * 11}, "line 11, column 1: one line too many; expected at most 10"),
    ],
)
def test_a_bad_reset_option_is_refused(env: gymnasium.Env, options: dict[str, Any], message: str) -> None:
    env.reset(options={"instruction": "mine iron", "map": MAP})
    env.step(MINE_IRON)
    state, picture = env.unwrapped._state, env.render()
    with pytest.raises(ValueError, match=r"\A[^\n]*\Z") as error:
        env.reset(options=options)
    assert message in str(error.value)
    assert env.unwrapped._state is state
    assert np.array_equal(env.render(), picture)


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("do", [lambda env: env.step(0), lambda env: env.render()], ids=["step", "render"])
@pytest.mark.parametrize("make", [CofcaEnv, lambda name: CofcaVectorEnv(1, name)], ids=["single", "vector"])
def test_nothing_works_before_reset(make: Any, do: Any) -> None:
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"^this needs a reset first$"):
        do(make("minecraft"))


def test_render_without_a_mode_is_refused() -> None:
    env = CofcaEnv("minecraft")
    env.reset(options={"instruction": "mine iron", "map": MAP})
    with pytest.raises(ValueError, match=r"^render needs a render_mode, .*: rgb_array or ansi$"):
        env.render()


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("make", [CofcaEnv, lambda *args, **more: CofcaVectorEnv(2, *args, **more)])
@pytest.mark.parametrize(
    ("kind", "arguments", "message"),
    [
        (ValueError, {"render_mode": "ascii"}, "unknown render_mode 'ascii'; expected rgb_array or ansi"),
        (ValueError, {"length": (0, 3)}, "length must be a range from 1 upwards, not 0-3"),
        (ValueError, {"length": 5}, "length must be two whole numbers such as (1, 10), not 5"),
        (ValueError, {"length": (1, 2.5)}, "length must be two whole numbers such as (1, 10), not (1, 2.5)"),
        (ValueError, {"size": "6"}, "size must be a whole number, not '6'"),
        (ValueError, {"size": 99}, "size must lie between 2 and"),
        (TypeError, {"sise": 6}, "unexpected keyword argument 'sise'"),
    ],
)
def test_a_bad_parameter_is_refused(make: Any, kind: type[Exception], arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(kind, match=r"\A[^\n]*\Z") as error:
        make("minecraft", **arguments)
    assert message in str(error.value)


# Many environments


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


def test_the_vector_environment_takes_no_reset_options(vector: VectorEnv) -> None:
    with pytest.raises(ValueError, match=r"^unknown reset option 'map'; a vector environment takes none$"):
        vector.reset(options={"map": MAP})


@pytest.mark.parametrize("num_envs", [0, -1])
def test_a_vector_environment_needs_environments(num_envs: int) -> None:
    with pytest.raises(ValueError, match=rf"^num_envs must be at least 1, not {num_envs}$"):
        gymnasium.make_vec(ID, num_envs=num_envs, vectorization_mode="vector_entry_point")


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


# A domain whose choices are masked

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


# Imports


def test_the_core_imports_nothing_heavy() -> None:
    heavy = "{'gymnasium', 'tyro', 'matplotlib', 'PIL'}"
    assert run_python(f"import sys, cofca; print({heavy} & set(sys.modules))") == "set()"
    imports = "import sys, cofca.minecraft.env, cofca.autoreset"
    assert run_python(f"{imports}; print({heavy} & set(sys.modules))") == "set()"


@pytest.mark.parametrize("imports", ["import gymnasium, cofca", "import cofca.interop.gymnasium, gymnasium"])
def test_importing_registers_the_ids(imports: str) -> None:
    assert run_python(f"{imports}; print({ID!r} in gymnasium.registry)") == "True"


def test_gymnasium_imports_the_module_named_before_an_id() -> None:
    assert run_python(f"import gymnasium; print(gymnasium.make('cofca:{ID}').spec.id)") == ID


# What is shared, and what is the user's own


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


def test_a_refused_reset_leaves_the_episode_as_it_was(env: gymnasium.Env) -> None:
    def steps(refused: bool) -> str:
        env.reset(seed=3)
        if refused:
            with pytest.raises(ValueError, match="unknown word"):
                env.reset(options={"instruction": "mine irn"})
        return repr([env.step(action) for action in (0, 4, 8)])

    assert steps(refused=True) == steps(refused=False)
