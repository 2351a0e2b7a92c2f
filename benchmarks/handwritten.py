"""Programs written by hand: how many of them trained agents carry out.

    python benchmarks/handwritten.py minecraft-length/cofca-s
    python benchmarks/handwritten.py runs/mine --worker planner

Each program is played once, sampled and once more greedily, by every seed of the weights. One line of JSON a seed says
how many were carried out and which were not. Without weights only the oracle plays.
"""

import argparse
import json
from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
from helpers.handwritten import PARAMS, Handwritten, level_of, read_programs

from cofca.envs.domain import PLANNER
from cofca.envs.minecraft import Level, oracle
from cofca.envs.rollout import NOBODY, memoryless
from cofca.experiments.build import find_domain
from cofca.experiments.eval_set import play_agents, play_policy
from cofca.experiments.zoo import load_trained
from cofca.utils.compilation import cache_compilation
from cofca.utils.trees import stack


def main() -> None:
    """Read the words of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", nargs="*", metavar="WEIGHTS", help="names of shipped weights, or folders")
    parser.add_argument("--worker", help="planner or learned; by default the one of the training")
    parser.add_argument("--seed", type=int, default=0, help="of all chances while playing")
    chosen = parser.parse_args()
    cache_compilation()
    programs = read_programs()
    levels = stack([level_of(program) for program in programs])
    keys = jax.random.split(jax.random.key(chosen.seed), len(programs))
    env = find_domain("minecraft", chosen.worker or PLANNER).environment()
    ends = play_policy(keys, levels, memoryless(oracle), env, PARAMS.playing, NOBODY)
    tell("oracle", 0, chosen.worker or PLANNER, "greedy", programs, ends.returns)
    for weights in chosen.weights:
        play_weights(weights, chosen.worker, keys, levels, programs)


def play_weights(
    weights: str, worker: str | None, keys: jax.Array, levels: Level, programs: Sequence[Handwritten]
) -> None:
    """All seeds of some weights play all programs."""
    agents, config = load_trained(weights)
    worker = worker or config.worker
    env = find_domain("minecraft", worker).environment()
    for manner in ("sampled", "greedy"):
        greedy = jnp.bool_(manner == "greedy")
        ends = play_agents(keys, agents, levels, greedy, env, PARAMS.playing, config.ppo)
        for seed, returns in enumerate(np.asarray(ends.returns)):
            tell(weights, seed, worker, manner, programs, returns)


def tell(
    player: str, seed: int, worker: str, manner: str, programs: Sequence[Handwritten], returns: Sequence[float]
) -> None:
    """One line of JSON."""
    failed = [program.title for program, value in zip(programs, returns, strict=True) if not value > 0]
    facts = {"player": player, "seed": seed, "worker": worker, "manner": manner, "programs": len(programs)}
    print(json.dumps({**facts, "carried_out": len(programs) - len(failed), "failed": failed}), flush=True)


if __name__ == "__main__":
    main()
