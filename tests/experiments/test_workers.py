"""Workers by name: the planner, the learned one, and one's own from a folder."""

from functools import cache
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from cofca.envs.minecraft import MinecraftParams, Primitive, View, planner
from cofca.envs.rollout import play
from cofca.experiments.build import find_domain, make_agents
from cofca.experiments.workers import LEARNED, find_worker
from cofca.runs.checkpoint import write_checkpoint
from cofca.runs.config import RunConfig
from cofca.runs.page import read_page
from experiments.small import small_agents

PARAMS = MinecraftParams(length=(1, 6))


@pytest.fixture(scope="module")
def untrained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The weights of a worker that has learned nothing."""
    config = RunConfig("worker", agent="worker", seeds=1)
    return written(tmp_path_factory.mktemp("worker") / "weights", make_agents(config), config)


def written(folder: Path, agents: Any, config: RunConfig) -> Path:
    agent = jax.tree.map(lambda leaf: leaf[0], agents)
    write_checkpoint(folder, agent, {"config": config.page(), "seed": 0, "update": 0})
    return folder


def test_the_planner_is_the_default() -> None:
    assert find_worker("planner") is planner
    assert find_domain("minecraft").environment() == find_domain("minecraft", "planner").environment()


def test_the_same_folder_is_the_same_worker(untrained: Path) -> None:
    assert (
        find_domain("minecraft", str(untrained)).environment() == find_domain("minecraft", str(untrained)).environment()
    )
    assert find_domain("minecraft", str(untrained)).environment() != find_domain("minecraft").environment()


def test_a_worker_answers_commands_with_primitives_and_waits_when_told_to(untrained: Path) -> None:
    worker = jax.jit(find_worker(str(untrained)))
    view = View(jnp.zeros((6, 6), jnp.int8), jnp.array([2, 3], jnp.int8), jnp.zeros(3, jnp.int8))
    keys = jax.random.split(jax.random.key(0), 60)
    answers = {int(worker(key, view, jnp.int32(4))) for key in keys}
    assert answers <= set(Primitive)
    assert len(answers) > 6
    assert all(worker(key, view, jnp.int32(command)) == Primitive.STAY for key in keys[:3] for command in (9, -1, 99))


def test_weights_of_another_agent_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_agents(monkeypatch)
    config = RunConfig("starcraft-length", seeds=1)
    folder = written(tmp_path / "weights", make_agents(config), config)
    with pytest.raises(ValueError, match="these are the weights of cofca-s, not of a worker"):
        find_worker(str(folder))


@cache
def errands_done(worker: str) -> float:
    chosen = find_domain("minecraft", worker)
    assert chosen.errands
    env, policy = chosen.errands
    keys = jax.random.split(jax.random.key(8), 400)
    levels = env.levels(keys, PARAMS)
    ends = jax.jit(lambda levels: play(keys, env, levels, policy, PARAMS))(levels)
    return float((np.asarray(ends.returns) > 0).mean())


def test_the_shipped_worker_carries_out_single_commands(untrained: Path) -> None:
    assert errands_done("learned") >= 0.99
    assert errands_done(str(untrained)) < 0.6


def test_the_shipped_worker_tells_how_it_was_trained() -> None:
    config = read_page(LEARNED)["config"]
    assert (config["experiment"], config["agent"]) == ("worker", "worker")
