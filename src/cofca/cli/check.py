"""cofca check."""

from dataclasses import dataclass

from cofca.cli.options import LevelOptions, Number
from cofca.cli.progress import progress_bar
from cofca.cli.show import print_check, print_json
from cofca.envs.domain import PLANNER


@dataclass(frozen=True)
class Check(LevelOptions):
    """Generate levels and let the oracle and a random player play each of them."""

    levels: Number = 1000
    """Number of levels."""
    json: bool = False
    """Print one JSON object instead of a table."""

    def run(self) -> int:
        """Play and report; exit code 1 if the oracle fails anywhere with the planner, who never does."""
        from cofca.envs.check import check

        chosen, params = self.setting()
        with progress_bar("levels played", self.levels) as update:
            report = check(chosen, params, self.levels, self.seed, update)
        settings = {
            "domain": chosen.name,
            "length": list(params.length),
            "seed": self.seed,
            **({"worker": self.worker} if chosen.name == "minecraft" else {}),
        }
        print_json({**settings, **report}) if self.json else print_check(report)
        return 0 if report["oracle_success"] == 1.0 or self.worker != PLANNER else 1
