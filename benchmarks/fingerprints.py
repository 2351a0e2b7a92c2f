"""Are the evaluation levels the same on another machine? Fingerprints of all of them: a line of JSON for each bin.

    python benchmarks/fingerprints.py > here.jsonl
    diff benchmarks/fingerprints.jsonl here.jsonl

Nothing is said where there is no difference.
"""

import argparse
import json

from cofca.compilation import cache_compilation
from cofca.experiments.evaluate import courses
from cofca.experiments.table import EXPERIMENTS
from cofca.reproduction.grid import LEVEL_SEED
from cofca.reproduction.scales import PAPER


def main() -> None:
    """Print the lines of some experiments, or of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiments", nargs="*", default=[name for name in EXPERIMENTS if name != "worker"])
    cache_compilation()
    for name in parser.parse_args().experiments:
        for course in courses(EXPERIMENTS[name], PAPER.episodes, LEVEL_SEED):
            facts = {"experiment": name, "lo": course.bin.low, "hi": course.bin.high}
            print(json.dumps({**facts, "levels": course.fingerprint}), flush=True)


if __name__ == "__main__":
    main()
