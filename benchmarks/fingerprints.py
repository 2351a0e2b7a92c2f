"""The fingerprints of every experiment's evaluation levels, one line of JSON a bin: are they the same on this machine?

    python benchmarks/fingerprints.py > here.jsonl
    diff benchmarks/data/fingerprints.jsonl here.jsonl

`diff` prints nothing where all levels are the same.
"""

import argparse
import json
from typing import Any

from cofca.experiments.eval_set import eval_sets
from cofca.experiments.specs import EXPERIMENTS, default_id, experiment
from cofca.paper.grid import LEVEL_SEED
from cofca.paper.scales import FULL
from cofca.utils.compilation import cache_compilation


def main() -> None:
    """Print the lines of the experiments that are named, or of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiments", nargs="*", metavar="EXPERIMENT")
    named = parser.parse_args().experiments
    # The errands of the worker are training: no result is of them.
    evaluated = [name for name, spec in EXPERIMENTS.items() if spec.domain != "errands"]
    cache_compilation()
    for name in named or evaluated:
        for bin_levels in eval_sets(experiment(name), FULL.episodes, LEVEL_SEED):
            bin = bin_levels.bin
            facts: dict[str, Any] = {"experiment": name, "lo": bin.low, "hi": bin.high}
            if bin.id != default_id(bin.low, bin.high):
                facts["id"] = bin.id
            print(json.dumps({**facts, "levels": bin_levels.fingerprint}), flush=True)


if __name__ == "__main__":
    main()
