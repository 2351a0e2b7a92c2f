"""cofca demo."""

import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cofca.cli.options import Number, Seed
from cofca.cli.progress import status, training_bar
from cofca.cli.streams import plain

LEVELS = 200
"""On which the agent is tried that was trained here."""


@dataclass(frozen=True)
class Demo:
    """Train an agent for a few minutes, try trained agents on far longer instructions, and write a report."""

    out: Path = Path("demo")
    """Folder for the report."""
    steps: Number = 800_000
    """Training steps."""
    episodes: Number = 100
    """Number of long levels on which trained agents are tried."""
    seed: Seed = 0
    """Random seed."""

    def run(self) -> int:
        """Train, compare, watch, report."""
        print("1. CoFCA-R (tuned) learns from task reward alone, on instructions of 1 to 10 lines", flush=True)
        from cofca.viewer import demo

        self.out.mkdir(parents=True, exist_ok=True)
        config = demo.short_run(self.steps, self.seed)
        with (
            tempfile.TemporaryDirectory() as folder,
            training_bar(config.whole_steps, "   compiling") as bar,
        ):
            curve, trained = demo.train(Path(folder) / "run", config, [bar])
        print(f"   success while it learns {_drawn(curve.success)} {curve.success[0]:.2f} to {curve.success[-1]:.2f}")
        with status("playing"):
            final = demo.fresh_success(trained, LEVELS, self.seed)
        print(f"   then, on {LEVELS} fresh levels of 1 to 10 lines: {final:.2f}")
        print("2. trained agents on 41 to 50 lines, five times longer than in training", flush=True)
        with status("playing"):
            scores = demo.compare(trained, self.episodes, self.seed)
        for name, share in scores.items():
            print(f"   {name:<30} {share:.2f} {'█' * round(30 * share)}")
        with status("telling an episode"):
            told = demo.watch("minecraft-wide/cofca-r", self.seed)
            report = self.out / "report.html"
            demo.write_report(report, curve, final, scores, self.episodes, told)
        print(f"3. the report, with an episode to watch step by step: {plain(report)}")
        cofca = typed_here()
        print(f"next: {cofca} view            type an instruction of your own in the browser")
        print(f"      {cofca} play minecraft  follow one yourself")
        return 0


def typed_here() -> str:
    """How to call this program: not everybody has activated the environment it is in."""
    if shutil.which("cofca"):
        return "cofca"
    return f"{sys.executable} -m cofca" if Path(sys.argv[0]).name == "__main__.py" else sys.argv[0]


def _drawn(shares: Sequence[float], width: int = 24) -> str:
    """A curve in one line of text."""
    stretches = [shares[at * len(shares) // width] for at in range(width)]
    return "".join("▁▂▃▄▅▆▇█"[min(int(8 * share), 7)] for share in stretches)
