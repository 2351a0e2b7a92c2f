"""Evaluate weights once more, or in further experiments: a finished run's, or those that come with the package.

    python -m cofca.paper.reevaluate results minecraft-length/cofca-s minecraft-length minecraft-longer

What a result says of training is taken from the one that is there.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from cofca.experiments.eval_set import eval_sets
from cofca.experiments.evaluate import evaluate_seeds
from cofca.experiments.seeds import number_of, seeds_of
from cofca.experiments.specs import experiment
from cofca.experiments.weights import load_weights
from cofca.experiments.zoo import find_weights
from cofca.paper.grid import LEVEL_SEED
from cofca.paper.results import Result, read_result, result_path, write_result
from cofca.paper.scales import FULL, Scale
from cofca.runs.config import versions


def reevaluate(weights: Path, names: Sequence[str], results: Path, scale: Scale = FULL) -> Iterator[Result]:
    """The results of all seeds in a folder."""
    agents, config = load_weights(weights)
    seeds = map(number_of, seeds_of(weights))
    known = [read_result(results / result_path(config.preset, config.experiment, config.agent, seed)) for seed in seeds]
    for evaluated in map(experiment, names):
        if (evaluated.trained_as or evaluated.name) != config.experiment:
            raise ValueError(f"{weights} was trained on {config.experiment}, which {evaluated.name} does not evaluate")
        sets = eval_sets(evaluated, scale.episodes, LEVEL_SEED, config.worker)
        for before, scores in zip(known, evaluate_seeds(agents, config.ppo, sets), strict=True):
            yield replace(
                before,
                experiment=evaluated.name,
                level_seed=LEVEL_SEED,
                versions=versions(),
                bins=scores.bins,
                transitions=scores.transitions,
            )


if __name__ == "__main__":
    folder, weights, *wanted = sys.argv[1:]
    for result in reevaluate(find_weights(weights), wanted, Path(folder)):
        write_result(Path(folder), result)
        print(result.path)
