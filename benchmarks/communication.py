"""What the devices of one run send each other: the collectives of a compiled update, one line of JSON.

    python benchmarks/communication.py minecraft --devices 8 --seeds 1 >> benchmarks/communication.jsonl

The compiler decides what is sent, so its output is read: no such devices are needed, a CPU plays them.
"""

import argparse
import json
import os
from collections import Counter

from hlo import instructions

COLLECTIVES = ("all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-permute")


def measure(domain: str, agent: str, devices: int, seeds: int, envs: int) -> dict[str, object]:
    """Compile for so many devices and count."""
    import jax
    from programs import program_of

    from cofca.rl.compile import compile_program
    from cofca.rl.sharding import Devices

    keys, agents, setup = program_of(domain, agent, seeds, envs, bfloat16=False)
    program = compile_program(keys, agents, setup, Devices(devices, seeds, envs))
    number, size = Counter[str](), Counter[str]()
    for found in instructions(program.train.as_text() or ""):
        if found.kind in COLLECTIVES:
            number[found.kind] += found.times
            size[found.kind] += found.times * found.bytes
    updates = setup.config.updates_per_pool
    return {
        "domain": domain, "agent": agent, "devices": devices, "seeds": seeds, "envs": envs,
        "parameters": sum(leaf.size for leaf in jax.tree.leaves(agents)) // seeds,
        "gradient_steps": setup.config.epochs * setup.config.minibatches,
        "collectives_per_update": {kind: times / updates for kind, times in number.items()},
        "bytes_per_update": {kind: total / updates for kind, total in size.items()},
    }  # fmt: skip


def main() -> None:
    """Read what to compile, and print the line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domain", choices=("minecraft", "starcraft"))
    parser.add_argument("--agent", default="cofca-s")
    parser.add_argument("--devices", type=int, default=8)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--envs", type=int, default=160)
    given = parser.parse_args()
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={given.devices}"
    os.environ["JAX_PLATFORMS"] = "cpu"
    print(json.dumps(measure(**vars(given))), flush=True)


if __name__ == "__main__":
    main()
