"""Where the time of training goes on a GPU: its kernels, the slowest first.

    python benchmarks/hotspots.py starcraft --agent cofca-s --seeds 4 --top 40 > benchmarks/data/hotspots.txt

The first line is JSON: the speed of training, and the share of the time in which the device was busy. On a CPU there is
no other line: its trace names no kernels.
"""

import argparse
import gzip
import json
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import jax
from helpers.programs import training_program

from cofca.rl.compile import compile_program
from cofca.rl.ppo import begin
from cofca.utils.compilation import cache_compilation


def kernels(folder: Path) -> tuple[Counter[str], Counter[str]]:
    """Microseconds and launches of each kernel in a trace."""
    seconds, launches = Counter[str](), Counter[str]()
    for path in folder.rglob("*.trace.json.gz"):
        with gzip.open(path) as file:
            events: list[dict[str, Any]] = json.load(file)["traceEvents"]
        names = {event["pid"]: event["args"]["name"] for event in events if event.get("name") == "process_name"}
        for event in events:
            if event.get("ph") == "X" and "GPU" in names.get(event["pid"], ""):
                operation = event.get("args", {}).get("hlo_op", "")
                name = f"{event['name']} {operation}".strip()
                seconds[name] += event["dur"]
                launches[name] += 1
    return seconds, launches


def main() -> None:
    """Train on one pool of levels: once to warm up, once timed, once traced."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domain", choices=("minecraft", "starcraft"))
    parser.add_argument("--agent", default="cofca-s")
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--envs", type=int, default=150)
    parser.add_argument("--worker", default="planner")
    parser.add_argument("--updates", type=int, default=8, help="updates that are traced")
    parser.add_argument("--top", type=int, default=40, help="kernels that are printed")
    parser.add_argument("--hlo", type=Path, help="write the compiled program, which says what a kernel does")
    given = parser.parse_args()
    cache_compilation()
    keys, agents, setup = training_program(
        given.domain, given.agent, given.seeds, given.envs, worker=given.worker, updates_per_pool=given.updates
    )
    program = compile_program(keys, agents, setup)
    if given.hlo:
        given.hlo.write_text(program.train.as_text() or "", encoding="utf-8")
    learners = program.refresh(begin(keys, agents, setup))
    learners, _ = jax.block_until_ready(program.train(learners))
    started = time.perf_counter()
    learners, _ = jax.block_until_ready(program.train(learners))
    wall = time.perf_counter() - started
    with tempfile.TemporaryDirectory() as folder:
        with jax.profiler.trace(folder):
            jax.block_until_ready(program.train(learners))
        spent, launches = kernels(Path(folder))
    steps = given.seeds * setup.config.batch * given.updates
    facts = {
        "device": jax.devices()[0].device_kind,
        "steps_per_second": steps / wall,
        "update_seconds": wall / given.updates,
    }
    busy = {"busy": sum(spent.values()) / 1e6 / wall, "kernels_per_update": sum(launches.values()) / given.updates}
    print(json.dumps({**vars(given), **facts, **busy}, default=str), flush=True)
    for name, microseconds in spent.most_common(given.top):
        print(f"{microseconds / given.updates:10.1f} us an update in {launches[name] / given.updates:7.1f} x {name}")


if __name__ == "__main__":
    main()
