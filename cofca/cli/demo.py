"""cofca demo."""

import sys
from dataclasses import dataclass
from pathlib import Path

from cofca.cli.check import Check
from cofca.cli.options import Number, Seed
from cofca.cli.progress import status
from cofca.domains import NAMES, domain


@dataclass(frozen=True)
class Demo:
    """Make levels of each domain, let the oracle solve them, show one."""

    out: Path = Path("demo")
    """Folder for the pictures and animations."""
    levels: Number = 1000
    """How many levels."""
    seed: Seed = 0
    """Seed of everything random."""

    def run(self) -> int:
        """For each domain: check, then show one episode in the terminal and as pictures."""
        code = max(self._show(name) for name in NAMES)
        print("next:      cofca play minecraft        (play one yourself)")
        print("           cofca levels starcraft      (print instructions)")
        return code

    def _show(self, name: str) -> int:
        from cofca.demo import episode, most_telling, save

        print(f"\n{name}")
        code = Check(name, levels=self.levels, seed=self.seed).run()
        chosen = domain(name)
        params = chosen.params()
        with status("playing one level"):
            scenes = episode(chosen, most_telling(chosen, params, self.seed), params, self.seed)
        for scene in (scenes[0], scenes[-1]):
            print("\n" + chosen.ansi(scene, color=sys.stdout.isatty()))
        print()
        save(chosen, scenes, self.out / name, print)
        return code
