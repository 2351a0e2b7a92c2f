"""Other ways to compute the same, timed against the one in use: a line of JSON each.

    python benchmarks/variants.py starcraft "" uneven ways together >> benchmarks/variants.jsonl

Each argument is a variant: changes with spaces between them, or "" for what is in use. Every variant is a
process of its own: they compile side by side, and are timed one after the other when all are compiled. "norm" is that
of all parameters in the end: equal where kernels only ran in another order, close where they are other ones.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

from turns import Process, Turn, is_one_of_many, start_all

ROUNDS = 5
"""Of a pool of levels each; the median counts."""


def uneven() -> None:
    """The torso with as many channels as it has, however odd their number is to an accelerator, and with its bias."""
    from cofca.agents.modules.torso import Torso

    Torso.prepared = lambda self: self


def ways() -> None:
    """Both GRUs over lines side by side as a batch, instead of as one of twice the size, half of it zeros."""
    import jax
    import jax.numpy as jnp

    from cofca.agents.modules import line_gru as lines
    from cofca.agents.modules.layers import rows_present

    class Batched(lines.Reader):
        def __call__(self, symbols: Any, pointer: Any, code: Any) -> Any:
            number = symbols.shape[0]
            steps = jnp.arange(number)
            places = jnp.stack([pointer + steps, pointer - 1 - steps])
            nothing = jnp.zeros((number, 0), code.dtype)
            reached = rows_present(symbols[jnp.clip(places, 0, number - 1)], self.starts, self.rows, code.dtype)
            ahead, behind = jax.vmap(lambda strand, lines: strand(lines, code, nothing))(self.strands, reached)
            return jnp.concatenate([ahead, behind], axis=1)

    def reader(self: lines.LinesBothWays, line: Any) -> Any:
        strands = [self._strand(line, [way]) for way in (lines.FORWARD, lines.BACKWARD)]
        both: Any = jax.tree.map(lambda *leaves: jnp.stack(leaves), *strands)
        return Batched(both, None, line.starts, line.table.shape[0])

    lines.LinesBothWays.reader = reader


def together() -> None:
    """The convolution's gradient as a single product over all time steps."""
    from cofca.agents.base import Agent
    from cofca.agents.pointer import PointerAgent
    from cofca.agents.unstructured import Unstructured

    for kind in (PointerAgent, Unstructured):
        kind.perceive_all = Agent.perceive_all


def by_line() -> None:
    """The gradient of the GRUs' recurrent weights found line by line, and added up."""
    from cofca.agents.fused import recurrence
    from cofca.agents.modules import line_gru as lines

    lines.over_lines = recurrence.by_line


def in_one_product() -> None:
    """That gradient as one product over all lines."""
    from cofca.agents.fused import recurrence
    from cofca.agents.modules import line_gru as lines

    lines.over_lines = recurrence.in_one_product


def at_once() -> None:
    """The lines of all time steps and environments read as one batch: in memory, lines come first."""
    from cofca.agents.columns import ColumnsAgent

    ColumnsAgent.survey_all = ColumnsAgent.survey


def one_by_one() -> None:
    """The lines of each environment read by themselves."""
    from cofca.agents.base import Agent
    from cofca.agents.columns import ColumnsAgent

    ColumnsAgent.survey_all = Agent.survey_all


def full_worker() -> None:
    """The learned worker in full precision."""
    from cofca.experiments import workers

    workers.on_cpu = lambda: True


FLAGS = {
    "no_triton": "--xla_gpu_enable_triton_gemm=false",
    "no_graphs": "--xla_gpu_enable_command_buffer=",
    "loop_graphs": "--xla_gpu_enable_command_buffer=+WHILE,+CONDITIONAL",
    "concurrent": "--xla_gpu_command_buffer_scheduling_mode=CONCURRENT",
    "double_buffer": "--xla_gpu_enable_while_loop_unrolling=WHILE_LOOP_UNROLLING_DOUBLE_BUFFER",
}
"""Of the compiler."""
OTHER_WAYS = (uneven, ways, together, by_line, in_one_product, at_once, one_by_one, full_worker)
CHANGES: dict[str, Callable[[], None]] = {change.__name__: change for change in OTHER_WAYS}


def measure(given: argparse.Namespace, changes: list[str]) -> None:
    """Time one variant."""
    for change in changes:
        CHANGES.get(change, lambda: None)()
    import jax
    import jax.numpy as jnp
    from programs import program_of

    from cofca.rl.compile import compile_program
    from cofca.rl.ppo import begin
    from cofca.utils.compilation import cache_compilation

    turn = Turn()
    with turn.together():
        cache_compilation()
        keys, agents, setup = program_of(
            given.domain, given.agent, given.seeds, given.envs, worker=given.worker, updates=given.updates
        )
        started = time.perf_counter()
        program = compile_program(keys, agents, setup)
        learners = program.refresh(begin(keys, agents, setup))
        compiling = time.perf_counter() - started
    with turn.alone(60):
        seconds = []
        for _ in range(ROUNDS + 1):
            started = time.perf_counter()
            learners, _ = jax.block_until_ready(program.train(program.refresh(learners)))
            seconds.append(time.perf_counter() - started)
    steps = given.seeds * setup.config.batch * setup.config.updates_per_pool
    norm = float(jnp.sqrt(sum((leaf**2).sum() for leaf in jax.tree.leaves(learners.agent))))
    facts = {"device": jax.devices()[0].device_kind, "compile_seconds": round(compiling, 1), "norm": norm}
    speed = {"variant": " ".join(changes), "steps_per_second": round(steps / sorted(seconds[1:])[ROUNDS // 2])}
    asked = {name: value for name, value in vars(given).items() if name != "variants"}
    print(json.dumps({**asked, **facts, **speed}), flush=True)


def process_of(variant: str, given: argparse.Namespace) -> Process:
    """What times a variant."""
    same = [f"--{name}={value}" for name, value in vars(given).items() if name not in ("domain", "variants") and value]
    flags = [os.environ.get("XLA_FLAGS", ""), *(FLAGS[name] for name in variant.split() if name in FLAGS)]
    return Process([sys.executable, __file__, given.domain, variant, *same], {"XLA_FLAGS": " ".join(flags)})


def main() -> None:
    """Start a process for each variant, or be one of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domain", choices=("minecraft", "starcraft"))
    parser.add_argument("variants", nargs="+")
    parser.add_argument("--agent", default="cofca-s")
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--envs", type=int, default=150)
    parser.add_argument("--worker", default="planner")
    parser.add_argument("--updates", type=int, help="between two pools of levels; by default as in training")
    given = parser.parse_args()
    unknown = {change for variant in given.variants for change in variant.split()} - {*CHANGES, *FLAGS}
    if unknown:
        parser.error(f"unknown change {min(unknown)}; expected {', '.join([*CHANGES, *FLAGS])}")
    if is_one_of_many():
        return measure(given, given.variants[0].split())
    start_all([process_of(variant, given) for variant in given.variants])


if __name__ == "__main__":
    main()
