"""How many kernels an H200 launches in a time step and in a gradient step: one line of JSON.

    pip install 'jax[cuda12]'
    python benchmarks/kernels.py minecraft >> benchmarks/data/kernels.jsonl

The program is compiled for the card without the card. The compiler then can't time its kernels to choose among them,
so the number on the card differs a little.
"""

import argparse
import json
import os
from collections import Counter
from functools import partial
from typing import Any

from helpers.hlo import instructions

H200 = """
gpu_device_info {
  cuda_compute_capability { major: 9 }
  core_count: 132 fpus_per_core: 128 clock_rate_ghz: 1.98
  memory_bandwidth: 4800000000000 l2_cache_size: 52428800 device_memory_size: 151397597184
  threads_per_warp: 32 threads_per_block_limit: 1024 threads_per_core_limit: 2048
  shared_memory_per_block: 49152 shared_memory_per_block_optin: 232448 shared_memory_per_core: 233472
  registers_per_block_limit: 65536 registers_per_core_limit: 65536
  block_dim_limit_x: 2147483647 block_dim_limit_y: 65535 block_dim_limit_z: 65535
}
platform_name: "CUDA"
dnn_version_info { major: 9 minor: 10 }
runtime_version { major: 12 minor: 8 }
device_description_str: "NVIDIA H200"
"""


def compiled(domain: str, agent: str, seeds: int) -> tuple[Any, str]:
    """The setup, and the program that trains, compiled for the card."""
    import jax
    from helpers.programs import training_program
    from jax.experimental import topologies
    from jax.sharding import SingleDeviceSharding

    from cofca.rl.ppo import begin, train

    # Loops and fused functions are chosen for the default backend, which is to be the card.
    jax.default_backend = lambda: "gpu"
    card = topologies.get_topology_desc("h200", "cuda", target_config=H200, topology="1x1x1").devices[0]
    there = SingleDeviceSharding(card)
    keys, agents, setup = training_program(domain, agent, seeds, 150, bfloat16=True)
    learners = jax.eval_shape(partial(begin, setup=setup), keys, agents)
    whole: Any = train
    program = jax.jit(partial(whole.__wrapped__, setup=setup), in_shardings=there, out_shardings=there)
    return setup, program.lower(learners).compile().as_text()


def main() -> None:
    """Read what to compile, and print the line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domain", choices=("minecraft", "starcraft"))
    parser.add_argument("--agent", default="cofca-s")
    parser.add_argument("--seeds", type=int, default=4)
    given = parser.parse_args()
    os.environ["JAX_PLATFORMS"] = "cpu"
    setup, text = compiled(**vars(given))
    config, launched = setup.config, Counter[tuple[int, ...]]()
    for instruction in instructions(text):
        updates = config.updates_per_pool if instruction.loops else 1
        launched[instruction.loops[1:2]] += instruction.times // updates
    rounds = config.epochs * config.minibatches
    line = {"time_step": launched[config.steps,] / config.steps, "gradient_step": launched[rounds,] / rounds}
    print(json.dumps({**vars(given), "kernels": line, "kernels_per_update": sum(launched.values())}), flush=True)


if __name__ == "__main__":
    main()
