"""Observations for PyTorch by DLPack (`arrays="torch"`) against copies through NumPy, one line of JSON a domain.

    python benchmarks/tensors.py --envs 1024

Either way random actions are drawn in PyTorch, and observations and rewards end as tensors on JAX's device. Levels are
made before, and repeat: making them takes as long for both.
"""

import argparse
import json
import time
from statistics import median
from typing import Any

import gymnasium
import jax
import torch

from cofca.interop.ids import IDS, register
from cofca.utils.compilation import cache_compilation

ROUNDS = 5


def main() -> None:
    """Measure both domains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--envs", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=100, help="time steps in a round")
    options = parser.parse_args()
    cache_compilation()
    register()
    device = jax.devices()[0].platform
    for id_, name in IDS.items():
        envs = {arrays: made(id_, options.envs, arrays) for arrays in ("numpy", "torch")}
        rounds: dict[str, list[float]] = {arrays: [] for arrays in envs}
        # In turn, so that whatever else the machine does meets both.
        for _ in range(1 + ROUNDS):
            for arrays, env in envs.items():
                rounds[arrays].append(options.envs * options.steps / seconds(env, options.steps, device))
        speeds = {f"{arrays}_steps_per_second": median(values[1:]) for arrays, values in rounds.items()}
        spread = {f"{arrays}_rounds": values[1:] for arrays, values in rounds.items()}
        print(json.dumps({"domain": name, "device": device, "envs": options.envs, **speeds, **spread}), flush=True)


def made(id_: str, num: int, arrays: str) -> gymnasium.vector.VectorEnv:
    """Environments that have started."""
    env = gymnasium.make_vec(id_, num_envs=num, vectorization_mode="vector_entry_point", arrays=arrays)
    env.reset(seed=0)
    env.unwrapped._refresh = lambda: None  # type: ignore[attr-defined]
    return env


def seconds(env: Any, steps: int, device: str) -> float:
    """The time that so many steps of all environments take."""
    is_torch, place = env.unwrapped.arrays == "torch", "cuda" if device == "gpu" else "cpu"
    actions = torch.randint(int(env.single_action_space.n), (steps, env.num_envs), dtype=torch.int32, device=place)
    start = time.perf_counter()
    for chosen in actions:
        obs, rewards, *_ = env.step(chosen if is_torch else chosen.cpu().numpy())
        if not is_torch:
            obs = {name: torch.from_numpy(values).to(place) for name, values in obs.items()}
            rewards = torch.from_numpy(rewards).to(place)
    # The last of them are there.
    sum(values.sum().item() for values in (*obs.values(), rewards))
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
