"""Other ways to compute the same, timed against the one in use: one line of JSON a variant.

    python benchmarks/variants.py starcraft "" plain "one_by_one concurrent" >> benchmarks/data/variants.jsonl

Each argument is a variant: names of changes with spaces between them, or "" for the program in use. Every variant is a
process of its own. They compile side by side and are timed one after the other. `norm` is the norm of all parameters at
the end: equal where kernels only run in another order, close where the kernels themselves differ.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

from helpers.turns import Process, Turn, is_one_of_many, start_all

ROUNDS = 5
"""Timed rounds of one pool of levels each; the median counts."""


def swap(module: Any, name: str, value: Any) -> None:
    """Put another value in the place of one that is there. A name that has gone is an error, not a new name."""
    getattr(module, name)
    setattr(module, name, value)


def plain() -> None:
    """The agent as it is written, without `fuse`."""
    from cofca.rl import ppo

    swap(ppo, "fuse", lambda agent: agent)


def plain_encoder() -> None:
    """The same for the StarCraft encoder alone."""
    from cofca.agents import fused
    from cofca.agents.encoders.starcraft import StarCraftEncoder

    del fused.FUSED[StarCraftEncoder]


def plain_lines() -> None:
    """The same for the GRUs over lines and the coins."""
    from cofca.agents import fused
    from cofca.agents.modules.line_gru import Coins, LineBiGRU

    del fused.FUSED[LineBiGRU], fused.FUSED[Coins]


def two_grus() -> None:
    """Forward and backward GRU over lines as two products, not as one of twice the size, half of it zeros."""
    from cofca.agents.fused import line_gru

    swap(line_gru, "on_cpu", lambda: True)


def by_line() -> None:
    """The gradient of the GRUs' recurrent weights found line by line, and added up."""
    from cofca.agents.fused import line_gru, recurrence

    swap(line_gru, "over_lines", recurrence.by_line)


def in_one_product() -> None:
    """That gradient as one product over all lines."""
    from cofca.agents.fused import line_gru, recurrence

    swap(line_gru, "over_lines", recurrence.in_one_product)


def one_by_one() -> None:
    """The lines of each environment read by themselves, not as one batch of all time steps and environments."""
    import jax

    from cofca.rl import ppo

    swap(ppo, "read_all_lines", lambda agent, features: jax.vmap(jax.vmap(agent.read_lines))(features))


def full_worker() -> None:
    """The learned worker in full precision (with --worker learned)."""
    from cofca.experiments import workers

    swap(workers, "on_cpu", lambda: True)


FLAGS = {
    "no_triton": "--xla_gpu_enable_triton_gemm=false",
    "no_graphs": "--xla_gpu_enable_command_buffer=",
    "loop_graphs": "--xla_gpu_enable_command_buffer=+WHILE,+CONDITIONAL",
    "concurrent": "--xla_gpu_command_buffer_scheduling_mode=CONCURRENT",
    "double_buffer": "--xla_gpu_enable_while_loop_unrolling=WHILE_LOOP_UNROLLING_DOUBLE_BUFFER",
}
"""Options of the compiler, for GPUs."""
PATCHES = (plain, plain_encoder, plain_lines, two_grus, by_line, in_one_product, one_by_one, full_worker)
ASKED = ("agent", "seeds", "envs", "worker", "updates")
"""Options that are part of a line."""
CHANGES: dict[str, Callable[[], None]] = {change.__name__: change for change in PATCHES}


def measure(given: argparse.Namespace, changes: list[str]) -> None:
    """Time one variant."""
    for change in changes:
        if change in CHANGES:
            CHANGES[change]()
    import jax
    import jax.numpy as jnp
    from helpers.programs import training_program

    from cofca.rl.compile import compile_program
    from cofca.rl.ppo import begin
    from cofca.utils.compilation import cache_compilation

    turn = Turn()
    with turn.together():
        cache_compilation()
        keys, agents, setup = training_program(
            given.domain, given.agent, given.seeds, given.envs, worker=given.worker, updates_per_pool=given.updates
        )
        started = time.perf_counter()
        program = compile_program(keys, agents, setup)
        learners = program.refresh(begin(keys, agents, setup))
        compiling = time.perf_counter() - started
    with turn.alone(given.patience):
        seconds = []
        for _ in range(ROUNDS + 1):
            started = time.perf_counter()
            learners, _ = jax.block_until_ready(program.train(program.refresh(learners)))
            seconds.append(time.perf_counter() - started)
    steps = given.seeds * setup.config.batch * setup.config.updates_per_pool
    norm = float(jnp.sqrt(sum((leaf**2).sum() for leaf in jax.tree.leaves(learners.agent))))
    asked: dict[str, Any] = {name: getattr(given, name) for name in ("domain", *ASKED)}
    facts = {"device": jax.devices()[0].device_kind, "compile_seconds": round(compiling, 1), "norm": norm}
    speed = {"variant": " ".join(changes), "steps_per_second": round(steps / sorted(seconds[1:])[ROUNDS // 2])}
    print(json.dumps({**asked, **facts, **speed}), flush=True)


def process_of(variant: str, given: argparse.Namespace) -> Process:
    """The process that times a variant."""
    options = {name: getattr(given, name) for name in (*ASKED, "patience")}
    same = [f"--{name}={value}" for name, value in options.items() if value is not None]
    flags = [os.environ.get("XLA_FLAGS", ""), *(FLAGS[name] for name in variant.split() if name in FLAGS)]
    return Process([sys.executable, __file__, given.domain, variant, *same], {"XLA_FLAGS": " ".join(flags)})


def main() -> None:
    """Start a process for each variant, or be one of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domain", choices=("minecraft", "starcraft"))
    parser.add_argument("variants", nargs="+", metavar="VARIANT", help=f'"" or some of {", ".join([*CHANGES, *FLAGS])}')
    parser.add_argument("--agent", default="cofca-s")
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--envs", type=int, default=150)
    parser.add_argument("--worker", default="planner")
    parser.add_argument("--updates", type=int, help="between two pools of levels; by default as in training")
    parser.add_argument("--patience", type=int, default=60, help="seconds after which the timing of a variant is ended")
    given = parser.parse_args()
    unknown = {change for variant in given.variants for change in variant.split()} - {*CHANGES, *FLAGS}
    if unknown:
        parser.error(f"unknown change {min(unknown)}; expected {', '.join([*CHANGES, *FLAGS])}")
    if is_one_of_many():
        return measure(given, given.variants[0].split())
    start_all([process_of(variant, given) for variant in given.variants])


if __name__ == "__main__":
    main()
