"""How fast training is with more environments, more seeds and longer instructions: one line of JSON a setting.

    python benchmarks/scaling.py minecraft >> benchmarks/data/scaling.jsonl

Every setting is a process of its own. `--together` says how many compile side by side; each needs about four cores.
They are timed one after the other.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from helpers.turns import Process, Turn, is_one_of_many, start_all

PAPER = {"envs": 150}


def settings(given: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """One thing is changed at a time."""
    yield from ({**PAPER, "seeds": number} for number in given.seeds)
    yield from ({**PAPER, "seeds": 1, "envs": number} for number in given.envs)
    yield from ({**PAPER, "seeds": given.base, "length": (1, lines)} for lines in given.lines)


def measure(domain: str, setting: dict[str, Any]) -> None:
    """Time one setting."""
    from cofca.cli.bench import BenchTrain
    from cofca.utils.compilation import cache_compilation

    bench, turn = BenchTrain(domain, **setting), Turn()
    with turn.together():
        cache_compilation()
        prepared = bench.prepare()
    with turn.alone(600):
        print(json.dumps(bench.measure(prepared)), flush=True)


def main() -> None:
    """Start a process for each setting, or be one of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domain", choices=("minecraft", "starcraft"))
    parser.add_argument("--seeds", type=int, nargs="*", default=[1, 2, 4, 8, 16, 32, 64])
    parser.add_argument("--envs", type=int, nargs="*", default=[600, 2400, 9600])
    parser.add_argument("--lines", type=int, nargs="*", default=[5, 10, 20, 40])
    parser.add_argument("--base", type=int, default=4, help="seeds of the settings that differ in their lines")
    parser.add_argument("--updates", type=int, help="between two pools of levels; fewer are faster to measure")
    parser.add_argument("--together", type=int, default=1, help="processes that compile side by side")
    parser.add_argument("--one", type=json.loads, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if is_one_of_many():
        return measure(given.domain, given.one)
    rest = {"updates": given.updates} if given.updates else {}
    asked = [json.dumps({**setting, **rest}) for setting in settings(given)]
    processes = [Process([sys.executable, __file__, given.domain, "--one", one], {}) for one in asked]
    for first in range(0, len(processes), given.together):
        start_all(processes[first : first + given.together])


if __name__ == "__main__":
    main()
