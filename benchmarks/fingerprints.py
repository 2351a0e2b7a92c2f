"""Are evaluation levels the same on another machine? The fingerprints of each experiment's: a line of JSON a bin.

    python benchmarks/fingerprints.py > here.jsonl
    diff benchmarks/fingerprints.jsonl here.jsonl

Nothing is said where there is no difference.
"""

import argparse
import json

from cofca.experiments.evaluate import courses
from cofca.experiments.specs import EXPERIMENTS, experiment
from cofca.paper.grid import LEVEL_SEED
from cofca.paper.scales import PAPER
from cofca.utils.compilation import cache_compilation


def main() -> None:
    """Print the lines of some experiments, or of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    # A worker's errands are training: no result is of them.
    played = [name for name, found in EXPERIMENTS.items() if found.domain != "errands"]
    parser.add_argument("experiments", nargs="*", metavar="EXPERIMENT")
    wanted = parser.parse_args().experiments
    cache_compilation()
    for name in wanted or played:
        for course in courses(experiment(name), PAPER.episodes, LEVEL_SEED):
            facts = {"experiment": name, "lo": course.bin.low, "hi": course.bin.high}
            print(json.dumps({**facts, "levels": course.fingerprint}), flush=True)


if __name__ == "__main__":
    main()
