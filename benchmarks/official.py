"""What is official of the evaluation levels, one line of JSON a bin: fingerprints, the oracle and random choices.

    python benchmarks/official.py results > src/cofca/experiments/official.jsonl

Who plays with the planner plays here. What the learned worker reaches is what most of the results say.
"""

import argparse
import json
from collections import defaultdict
from pathlib import Path
from statistics import mode

from cofca.envs.domain import PLANNER
from cofca.experiments.eval_set import EvalSet, eval_sets
from cofca.experiments.official import EPISODES, FLOATING, LEVEL_SEED
from cofca.experiments.scores import Score
from cofca.experiments.specs import EXPERIMENTS
from cofca.paper.results import read_results
from cofca.utils.compilation import cache_compilation


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    learned = defaultdict[tuple[str, str], list[Score]](list)
    for result in read_results(parser.parse_args().results):
        if result.worker == FLOATING:
            for score in result.bins:
                learned[result.experiment, score.id].append(score)
    cache_compilation()
    for name, spec in EXPERIMENTS.items():
        for levels in eval_sets(spec, EPISODES, LEVEL_SEED) if spec.domain != "errands" else ():
            print(json.dumps(line(name, levels, learned[name, levels.bin.id])), flush=True)


def line(name: str, levels: EvalSet, learned: list[Score]) -> dict:
    players = {"oracle": levels.oracle, "random": levels.random}
    success = {player: {PLANNER: float((played.returns > 0).mean())} for player, played in players.items()}
    if learned:
        for player, known in success.items():
            known[FLOATING] = mode(score.success(player) for score in learned)
    return {"experiment": name, "id": levels.bin.id, "levels": levels.fingerprint, **success}


if __name__ == "__main__":
    main()
