"""What a training step costs on paper: operations and bytes of its matrix products, one line of JSON an agent.

    python benchmarks/cost.py minecraft cofca-s olsk >> benchmarks/data/cost.jsonl

Nothing is compiled and no GPU is needed: the update of one seed is traced as a GPU would be given it, in bfloat16.
"""

import argparse
import json
from functools import partial
from typing import Any

import jax
from helpers.programs import training_program

from cofca.experiments.presets import TUNED, preset
from cofca.rl.cost import cost_of
from cofca.rl.ppo import begin, collect_trajectories, update


def cost(domain: str, agent: str, envs: int) -> dict[str, Any]:
    """The cost of one step of one agent, learning included."""
    keys, agents, setup = training_program(domain, agent, 1, envs, bfloat16=True)
    learners = jax.eval_shape(partial(begin, setup=setup), keys, agents)
    learner = jax.eval_shape(lambda many: jax.tree.map(lambda leaf: leaf[0], many), learners)
    whole, playing = (cost_of(partial(part, setup=setup), learner) for part in (update, collect_trajectories))
    steps = setup.config.batch
    return {
        "domain": domain, "agent": agent, "envs": envs,
        "parameters": sum(leaf.size for leaf in jax.tree.leaves(agents)),
        "operations_per_step": whole.operations / steps,
        "operations_per_step_playing": playing.operations / steps,
        "bytes_per_step": whole.bytes / steps,
        "operations_per_byte": whole.operations / whole.bytes,
    }  # fmt: skip


def main() -> None:
    """Read what to count, and print the lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domain", choices=("minecraft", "starcraft"))
    parser.add_argument("agents", nargs="*", metavar="AGENT", help="by default all of them")
    parser.add_argument("--envs", type=int, default=150)
    given = parser.parse_args()
    # Loops and fused functions are chosen for the default backend, which is to be a GPU.
    jax.default_backend = lambda: "gpu"
    for agent in given.agents or preset(TUNED).agents[given.domain]:
        print(json.dumps(cost(given.domain, agent, given.envs)), flush=True)


if __name__ == "__main__":
    main()
