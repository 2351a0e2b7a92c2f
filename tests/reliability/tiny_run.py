"""A small training as a process of its own, to be killed or to be one of several: python -m reliability.tiny_run."""

import argparse
from pathlib import Path
from typing import Any

from experiments.tiny import SEEDS, SETUP, agents_of
from tiny_preset import TINY_PPO

from cofca.rl.sharding import Devices, join
from cofca.runs.config import RunConfig
from cofca.runs.layout import CONFIG
from cofca.runs.run import Run
from cofca.utils.compilation import cache_compilation


def tiny_run(folder: Path, pools: int, devices: int = 1, resume: bool = False) -> Run:
    """A new run, or one that goes on, where there is one or if told so. It is saved after every pool of levels."""
    steps = pools * TINY_PPO.batch * TINY_PPO.updates_per_pool
    setup = SETUP._replace(updates=pools * TINY_PPO.updates_per_pool)
    config = RunConfig(
        "starcraft-length", seeds=SEEDS, steps=steps, ppo=TINY_PPO, evaluate_every=0, checkpoint_minutes=0
    )
    begun = resume or (folder / CONFIG).exists()
    return Run(folder, config, setup, agents_of("cofca-s"), begun, Devices(devices, SEEDS, TINY_PPO.envs))


def say(name: str, line: dict[str, Any]) -> None:
    """How far it is."""
    print(line["update"], flush=True)


def main() -> None:
    """Train to the end."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("pools", type=int)
    parser.add_argument("--devices", type=int, default=1)
    parser.add_argument("--coordinator")
    parser.add_argument("--process", type=int)
    parser.add_argument("--resume", action="store_true")
    words = parser.parse_args()
    cache_compilation()
    if words.coordinator:
        join(words.coordinator, 2, words.process)
    tiny_run(words.folder, words.pools, words.devices, words.resume).train([say])


if __name__ == "__main__":
    main()
