"""What the devices of one run send each other: the collectives of a compiled update, one line of JSON.

    python benchmarks/communication.py minecraft --devices 8 --seeds 1 >> benchmarks/data/communication.jsonl

The compiler decides what is sent, so the compiled program is read. A CPU stands in for the devices.
"""

import argparse
import json
import os
from collections import Counter

from helpers.hlo import instructions

COLLECTIVES = ("all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-permute")


def measure(domain: str, agent: str, devices: int, seeds: int, envs: int, updates: int | None) -> dict[str, object]:
    """Compile for this many devices and count."""
    import jax
    from helpers.programs import training_program

    from cofca.rl.compile import compile_program
    from cofca.rl.sharding import Devices

    keys, agents, setup = training_program(domain, agent, seeds, envs, bfloat16=False, updates_per_pool=updates)
    program = compile_program(keys, agents, setup, Devices(devices, seeds, envs))
    number, size = Counter[str](), Counter[str]()
    for instruction in instructions(program.train.as_text() or ""):
        if instruction.kind in COLLECTIVES:
            number[instruction.kind] += instruction.times
            size[instruction.kind] += instruction.times * instruction.bytes
    config = setup.config
    return {
        "domain": domain, "agent": agent, "devices": devices, "seeds": seeds, "envs": envs,
        "parameters": sum(leaf.size for leaf in jax.tree.leaves(agents)) // seeds,
        "gradient_steps": config.epochs * config.minibatches,
        "collectives_per_update": {kind: times / config.updates_per_pool for kind, times in number.items()},
        "bytes_per_update": {kind: total / config.updates_per_pool for kind, total in size.items()},
    }  # fmt: skip


def main() -> None:
    """Read what to compile, and print the line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domain", choices=("minecraft", "starcraft"))
    parser.add_argument("--agent", default="cofca-s")
    parser.add_argument("--devices", type=int, default=8)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--envs", type=int, default=160)
    parser.add_argument("--updates", type=int, help="between two pools of levels; by default as in training")
    given = parser.parse_args()
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={given.devices}"
    os.environ["JAX_PLATFORMS"] = "cpu"
    print(json.dumps(measure(**vars(given))), flush=True)


if __name__ == "__main__":
    main()
