"""Tensors of PyTorch over the memory of JAX: the same as NumPy's arrays."""

import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import VectorEnv

torch = pytest.importorskip("torch")

NUM, STEPS = 4, 40


@pytest.fixture(scope="module")
def both() -> tuple[VectorEnv, VectorEnv]:
    """Time runs out soon."""

    def made(arrays: str) -> VectorEnv:
        mode = "vector_entry_point"
        given = {"arrays": arrays, "length": (2, 3), "steps_per_line": 3}
        return gymnasium.make_vec("cofca/StarCraft-v0", num_envs=NUM, vectorization_mode=mode, **given)

    return made("numpy"), made("torch")


def plain(told: Any) -> Any:
    """Without PyTorch."""
    if isinstance(told, dict):
        return {name: plain(value) for name, value in told.items()}
    return told.numpy() if isinstance(told, torch.Tensor) else told


def test_they_are_the_same(both: tuple[VectorEnv, VectorEnv]) -> None:
    numpys, tensors = both
    (obs, infos), (seen, facts) = numpys.reset(seed=1), tensors.reset(seed=1)
    ends = 0
    for _ in range(STEPS):
        assert {type(value) for value in seen.values()} == {torch.Tensor}
        np.testing.assert_equal(plain(seen), obs)
        masks = tensors.unwrapped.action_masks()
        np.testing.assert_equal(masks.numpy(), numpys.unwrapped.action_masks())
        actions = torch.multinomial(masks.float(), 1)[:, 0]
        obs, *outcome, infos = numpys.step(actions.numpy())
        seen, *result, facts = tensors.step(actions)
        np.testing.assert_equal([part.numpy() for part in result], outcome)
        final, last = infos.pop("final_obs", None), facts.pop("final_obs", None)
        np.testing.assert_equal(plain(facts), infos)
        for number in np.flatnonzero(infos.get("_final_obs", [])):
            np.testing.assert_equal({name: value[number].numpy() for name, value in last.items()}, final[number])
            ends += 1
    assert ends > NUM


def test_nothing_is_copied(both: tuple[VectorEnv, VectorEnv]) -> None:
    tensors = both[1].unwrapped
    seen, _ = tensors.reset(seed=1)
    for name, value in seen.items():
        assert value.data_ptr() == tensors._now.obs[name].unsafe_buffer_pointer()


@pytest.mark.parametrize(
    "actions",
    [
        np.zeros(NUM, int),
        torch.zeros(NUM),
        torch.zeros(NUM, dtype=torch.bool),
        torch.zeros(NUM + 1, dtype=int),
        torch.full((NUM,), -1),
        torch.full((NUM,), 2**40),
    ],
)
def test_anything_but_actions_is_refused(both: tuple[VectorEnv, VectorEnv], actions: Any) -> None:
    both[1].reset(seed=1)
    with pytest.raises(ValueError, match=r"^actions are out of range; expected 4 integers from 0 to 69$"):
        both[1].step(actions)


def test_it_is_pickled(both: tuple[VectorEnv, VectorEnv]) -> None:
    tensors = both[1]
    tensors.reset(seed=3)
    other = pickle.loads(pickle.dumps(tensors))
    actions = torch.zeros(NUM, dtype=int)
    np.testing.assert_equal(plain(other.step(actions)[0]), plain(tensors.step(actions)[0]))
