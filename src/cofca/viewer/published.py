"""What the results say of agents on the longest instructions, seed by seed.

The package has this file but not the results. To write it again: python -m cofca.viewer.published results
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from cofca.experiments.presets import TUNED
from cofca.experiments.zoo import config_of, names
from cofca.paper.results import Result, read_result
from cofca.paper.statistics import Estimate, estimate
from cofca.utils.json import decode, read_json

BINS = {"minecraft-length": "41-50", "starcraft-length": "21-25"}
"""The longest of each experiment."""
FILE = Path(__file__).parent / "published.jsonl"


@dataclass(frozen=True)
class Published:
    """Sampled success of all seeds of an agent."""

    experiment: str
    bin: str
    agent: str
    preset: str
    worker: str
    levels: int
    """Played by each seed."""
    by_seed: list[float]

    @property
    def success(self) -> Estimate:
        """The mean of the seeds."""
        return estimate(self.by_seed, self.levels)


@cache
def published() -> tuple[Published, ...]:
    """What the file says."""
    return tuple(decode(Published, read_json(line)) for line in FILE.read_text(encoding="utf-8").splitlines())


def from_results(folder: Path) -> Iterator[Published]:
    """Every agent of the preset `tuned`, and every other one that comes with the package."""
    shipped = {(config.experiment, config.agent, config.preset) for config in map(config_of, names())}
    for experiment, bin in BINS.items():
        seeds: dict[tuple[str, str], list[Result]] = {}
        for result in map(read_result, sorted(folder.glob(f"*/{experiment}/[!.]*-seed*.json"))):
            if result.preset == TUNED or (experiment, result.agent, result.preset) in shipped:
                seeds.setdefault((result.agent, result.preset), []).append(result)
        for (agent, preset), results in seeds.items():
            scores = [next(score for score in result.bins if score.id == bin) for result in results]
            by_seed = [score.sampled for score in scores]
            yield Published(experiment, bin, agent, preset, results[0].worker, scores[0].episodes, by_seed)


def main() -> None:
    """Write the file."""
    lines = [json.dumps(asdict(one)) for one in from_results(Path(sys.argv[1]))]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
