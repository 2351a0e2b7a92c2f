"""Environments are copied, pickled and forgotten, and never forked."""

import copy
import gc
import pickle
import weakref
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

from cofca.interop.gymnasium import MOST_COMPILED, CofcaEnv, CofcaVectorEnv, compiled, forks
from interop.samples import ID, IRON_THEN_GOLD, MINE_IRON, same


def pickled(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


@pytest.mark.parametrize("copied", [copy.deepcopy, pickled])
def test_a_copy_goes_on_from_where_it_was_made(waiting: gymnasium.Env, copied: Callable[[Any], Any]) -> None:
    waiting.reset(seed=3, options=IRON_THEN_GOLD)
    waiting.step(MINE_IRON)
    other = copied(waiting)
    steps = [env.step(MINE_IRON) for env in (waiting, other)]
    assert same(steps[0][0], steps[1][0])
    assert steps[0][1:4] == steps[1][1:4]
    assert other.render() == waiting.render()
    assert other.unwrapped._compiled is waiting.unwrapped._compiled
    assert waiting.unwrapped.np_random.integers(1000) == other.unwrapped.np_random.integers(1000)


@pytest.mark.parametrize("copied", [copy.deepcopy, pickled])
def test_many_environments_are_copied_too(copied: Callable[[Any], Any]) -> None:
    env = CofcaVectorEnv(3, "starcraft", render_mode="ansi")
    other = copied(env)
    assert (other.num_envs, other.render_mode) == (3, "ansi")
    assert other.observation_space == env.observation_space
    assert other._compiled is env._compiled


def test_what_is_compiled_for_environments_that_are_gone_is_forgotten() -> None:
    first = CofcaEnv("minecraft", length=(1, 20))
    functions = weakref.ref(first._compiled.reset)
    others = [CofcaEnv("minecraft", length=(1, 21 + number)) for number in range(MOST_COMPILED)]
    gc.collect()
    assert functions() is not None
    del first
    gc.collect()
    assert functions() is None
    assert compiled.cache_info().currsize == len(others)


def test_processes_that_would_be_forked_are_refused_at_once() -> None:
    with pytest.raises(RuntimeError, match=r'^JAX does not work in forked .*"vector_entry_point".*"spawn"}$'):
        gymnasium.make_vec(ID, num_envs=2, vectorization_mode="async")


def test_in_a_forked_process_nothing_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forks, "PROCESS", 0)
    with pytest.raises(RuntimeError, match=r"^JAX does not work in forked processes"):
        CofcaEnv("minecraft")
    monkeypatch.undo()
    assert isinstance(CofcaEnv("minecraft").action_space.sample(), np.integer)
