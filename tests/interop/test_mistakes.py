"""A mistake brings one line that says what is wrong, and nothing has changed."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import VectorEnv

from cofca.envs.minecraft.symbols import read_conditions
from cofca.interop.gymnasium import CofcaEnv, CofcaVectorEnv
from interop.samples import ID, MAP, MINE_IRON


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


def test_unknown_arrays_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^unknown arrays 'jax'; expected numpy or torch$"):
        CofcaVectorEnv(1, "minecraft", arrays="jax")


def test_parameters_that_are_no_numbers_may_be_texts() -> None:
    assert CofcaEnv("minecraft", conditions="iron>gold").setting.params.conditions == read_conditions("iron>gold")


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


def test_the_vector_environment_takes_no_reset_options(vector: VectorEnv) -> None:
    with pytest.raises(ValueError, match=r"^unknown reset option 'map'; a vector environment takes none$"):
        vector.reset(options={"map": MAP})


@pytest.mark.parametrize("num_envs", [0, -1])
def test_a_vector_environment_needs_environments(num_envs: int) -> None:
    with pytest.raises(ValueError, match=rf"^num_envs must be at least 1, not {num_envs}$"):
        gymnasium.make_vec(ID, num_envs=num_envs, vectorization_mode="vector_entry_point")
