"""How many kernels an H200 is given in a time step and in a gradient step: one line of JSON.

    pip install 'jax[cuda12]'
    python benchmarks/kernels.py minecraft >> benchmarks/kernels.jsonl

The compiler is told what it compiles for: no such card is needed. It then can't try which of its kernels are fastest,
so that the number on the card differs a little.
"""

import argparse
import json
import os
from collections import Counter
from functools import partial
from typing import Any

from hlo import instructions

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
    """What trains, as the compiler made it for the card."""
    import jax
    from jax.experimental import topologies
    from jax.sharding import SingleDeviceSharding
    from programs import program_of

    from cofca.rl.ppo import begin, train

    # Loops are written down as the machine at hand likes them, and that is to be the card.
    jax.default_backend = lambda: "gpu"
    card = topologies.get_topology_desc("h200", "cuda", target_config=H200, topology="1x1x1").devices[0]
    there = SingleDeviceSharding(card)
    keys, agents, setup = program_of(domain, agent, seeds, 150, bfloat16=True)
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
    for found in instructions(text):
        launched[found.loops[1:2]] += found.times // (config.updates_per_pool if found.loops else 1)
    rounds = config.epochs * config.minibatches
    line = {"time_step": launched[config.steps,] / config.steps, "gradient_step": launched[rounds,] / rounds}
    print(json.dumps({**vars(given), "kernels": line, "kernels_per_update": sum(launched.values())}), flush=True)


if __name__ == "__main__":
    main()
