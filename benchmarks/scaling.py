"""How fast training is with more environments, more seeds and longer instructions: one line of JSON for each.

    python benchmarks/scaling.py minecraft >> benchmarks/scaling.jsonl

Every setting is a process of its own, so that each has all of the device's memory. Where many cores wait beside an
accelerator, `--warm 6` first compiles them into the cache, six at a time.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

PAPER = {"envs": "150"}
# Several processes on one device must not each take most of its memory beforehand.
SHARING = {**os.environ, "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}


def settings(given: argparse.Namespace) -> Iterator[dict[str, str]]:
    """One thing is changed at a time."""
    yield from ({**PAPER, "seeds": str(number)} for number in given.seeds)
    yield from ({**PAPER, "seeds": "1", "envs": str(number)} for number in given.envs)
    yield from ({**PAPER, "seeds": str(given.base), "length": f"1-{lines}"} for lines in given.lines)


def command(domain: str, setting: dict[str, str]) -> list[str]:
    """What measures a setting."""
    options = [word for name, value in setting.items() for word in (f"--{name}", value)]
    return [sys.executable, "-m", "cofca", "bench", "train", domain, *options, "--json"]


def main() -> None:
    """Measure one after another."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domain", choices=("minecraft", "starcraft"))
    parser.add_argument("--seeds", type=int, nargs="*", default=[1, 2, 4, 8, 16, 32, 64])
    parser.add_argument("--envs", type=int, nargs="*", default=[600, 2400, 9600])
    parser.add_argument("--lines", type=int, nargs="*", default=[5, 10, 20, 40])
    parser.add_argument("--base", type=int, default=4, help="seeds of those that differ in their lines")
    parser.add_argument("--updates", type=int, help="between two pools of levels; fewer are faster to measure")
    parser.add_argument("--warm", type=int, default=0, help="so many processes compile beforehand")
    given = parser.parse_args()
    rest = {"updates": str(given.updates)} if given.updates else {}
    commands = [command(given.domain, {**setting, **rest}) for setting in settings(given)]
    if given.warm:
        with ThreadPoolExecutor(given.warm) as pool:
            list(pool.map(lambda words: subprocess.run(words, stdout=subprocess.DEVNULL, env=SHARING), commands))
    for words in commands:
        # One that does not fit into memory has no line; the others go on.
        subprocess.run(words, check=False, env=SHARING)


if __name__ == "__main__":
    main()
