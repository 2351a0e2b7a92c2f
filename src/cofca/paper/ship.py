"""From finished runs and their results to weights that come with the package, each agent with a card.

python -m cofca.paper.ship runs/PRESET/SCALE RESULTS EXPERIMENT/AGENT [--preset PRESET] [--all-seeds] [--half]

What half precision costs is what `cofca evaluate` says of the run's seed and of the shipped one: both play the same
levels with the same chances.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from cofca.agents import AGENTS
from cofca.experiments.precision import FULL, HALF, halved
from cofca.experiments.presets import TUNED, preset
from cofca.experiments.seeds import seeds_of
from cofca.experiments.specs import experiment, is_familiar
from cofca.experiments.weights import load_weights
from cofca.experiments.zoo import CARD, SHIPPED
from cofca.paper.model_card import write_text
from cofca.paper.results import Result, read_result
from cofca.runs.checkpoint import copy_checkpoint, write_checkpoint
from cofca.runs.page import read_page, remove_checkpoint, tidy
from cofca.utils.files import WRITING, write_whole
from cofca.utils.trees import pick


def ship(
    runs: Path,
    results: Path,
    name: str,
    all_seeds: bool,
    to: Path = SHIPPED,
    half: bool = False,
    preset_name: str = TUNED,
) -> Path:
    """Copy the weights of the seed with the median score or of all, perhaps in half precision, and write a card. Those
    of another preset than ours are named after it: EXPERIMENT/AGENT-PRESET."""
    experiment_name, _, agent = name.partition("/")
    # What lies there is replaced: no other name may lead anywhere else.
    if agent not in AGENTS:
        raise ValueError(f"{name!r} is no EXPERIMENT/AGENT; agents are {', '.join(AGENTS)}")
    preset(preset_name)
    paths = (results / preset_name / experiment(experiment_name).name).glob(f"{agent}-seed*.json")
    known = sorted(map(read_result, paths), key=lambda result: result.seed)
    if not known:
        raise ValueError(f"{results}: there are no results of {name} ({preset_name})")
    card = {**card_of(known), "precision": HALF if half else FULL}
    shipped = name if preset_name == TUNED else f"{name}-{preset_name}"
    folder = to / shipped
    seeds = [f"seed{result.seed}" for result in known if all_seeds or result.seed == card["seed"]]
    # The seed that a card names is there at every moment.
    for seed in seeds:
        (copy_half if half else copy_checkpoint)(runs / name / "final" / seed, folder / seed)
    write_whole(folder / CARD, (json.dumps(card, indent=2) + "\n").encode())
    write_text(folder, shipped)
    for left in folder.glob(f"{WRITING}seed*"):
        tidy(folder / left.name.removeprefix(WRITING))
    for stale in seeds_of(folder):
        if stale.name not in seeds:
            remove_checkpoint(stale)
    return folder


def copy_half(weights: Path, to: Path) -> None:
    """Copy a folder of weights in half precision."""
    agent = pick(load_weights(weights).agents, 0)
    write_checkpoint(to, halved(agent), {**read_page(weights), "precision": HALF})


def card_of(results: list[Result]) -> dict[str, Any]:
    """What is known about an agent's weights."""
    order = sorted(results, key=score)
    first = results[0]
    return {
        # Of an even number the better of the two in the middle.
        "seed": order[len(order) // 2].seed,
        "preset": first.preset,
        "steps": first.steps,
        "worker": first.worker,
        "levels": dict(experiment(first.trained_on).train),
        "device": first.device,
        "success": {
            bin.id: {
                "levels": bin.episodes,
                "level_seed": first.level_seed,
                "by_seed": [score.sampled for result in results for score in result.bins if score.id == bin.id],
            }
            for bin in first.bins
        },
    }


def score(result: Result) -> float:
    """The mean of sampled success over the bins that training does not know."""
    unknown = [bin.sampled for bin in result.bins if not is_familiar(experiment(result.experiment), bin.id)]
    return sum(unknown) / len(unknown)


def main() -> None:
    """Read the words of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("name", nargs="+", help="EXPERIMENT/AGENT")
    parser.add_argument("--all-seeds", action="store_true", help="not only the one with the median score")
    parser.add_argument("--half", action="store_true", help="in half precision: half as large")
    parser.add_argument("--preset", default=TUNED, help="whose results; tuned if none is named")
    words = parser.parse_args()
    for name in words.name:
        print(ship(words.runs, words.results, name, words.all_seeds, half=words.half, preset_name=words.preset))


if __name__ == "__main__":
    main()
