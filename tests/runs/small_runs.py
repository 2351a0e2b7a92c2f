"""Small runs, and fixtures for whoever looks at what becomes of them: whole, left and copy are known to all tests."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from experiments.tiny import POOLS, SEEDS, SETUP, agents_of
from tiny_preset import TINY_PPO

from cofca.runs.config import RunConfig
from cofca.runs.loggers.base import Listener
from cofca.runs.run import Run

STEPS = POOLS * TINY_PPO.batch * TINY_PPO.updates_per_pool
CONFIG = RunConfig("starcraft-length", seeds=SEEDS, steps=STEPS, ppo=TINY_PPO, evaluate_every=0, checkpoint_minutes=0.0)


def new(folder: Path, resume: bool = False, config: RunConfig = CONFIG) -> Run:
    return Run(folder, config, SETUP, agents_of("cofca-s"), resume)


def after(pools: int) -> Listener:
    """Kill training after so many pools, before the last is saved."""

    def listen(name: str, line: dict[str, Any]) -> None:
        if line["update"] == pools * TINY_PPO.updates_per_pool:
            raise KeyboardInterrupt

    return listen


def metrics_of(folder: Path) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    return [{name: value for name, value in line.items() if name != "steps_per_second"} for line in lines]


def checkpoints(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "checkpoints").iterdir())


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run from its beginning to its end, to which nothing happened. Only to be looked at."""
    run = new(tmp_path_factory.mktemp("run") / "whole")
    run.train()
    return run


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that was killed after its third pool, with checkpoints of its start and the first two."""
    folder = tmp_path_factory.mktemp("run") / "left"
    with pytest.raises(KeyboardInterrupt):
        new(folder).train([after(3)])
    return folder


@pytest.fixture
def copy(left: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(left, tmp_path / "copy"))
