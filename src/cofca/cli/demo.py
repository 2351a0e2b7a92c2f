"""cofca demo."""

import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cofca.cli.options import Number, Seed
from cofca.cli.progress import status, training_bar
from cofca.cli.streams import plain

if TYPE_CHECKING:
    from cofca.viewer.comparison import Row

LEVELS = 200
"""On which the agent is tried that was trained here."""


@dataclass(frozen=True)
class Demo:
    """Train an agent for a few minutes, try trained agents on far longer instructions, and write a report."""

    out: Path = Path("demo")
    """Folder for the report."""
    steps: Number = 8_000_000
    """Training steps."""
    episodes: Number = 100
    """Number of long levels on which trained agents are tried."""
    seed: Seed = 0
    """Random seed."""

    def run(self) -> int:
        """Train, compare, watch, report."""
        print("1. CoFCA-R (tuned) learns from task reward alone, on instructions of 1 to 10 lines", flush=True)
        from cofca.viewer import demo
        from cofca.viewer.report import NEXT, Measured, write_report

        self.out.mkdir(parents=True, exist_ok=True)
        config = demo.short_run(self.steps, self.seed)
        with (
            tempfile.TemporaryDirectory() as folder,
            training_bar(config.whole_steps, first="compiling", margin="   ") as bar,
        ):
            curve, trained = demo.train(Path(folder) / "run", config, [bar])
        print(f"   success while it learns {_drawn(curve.success)} {curve.success[0]:.2f} to {curve.success[-1]:.2f}")
        with status("playing"):
            final = demo.fresh_success(trained, LEVELS, self.seed)
        print(f"   then, on {LEVELS} fresh levels of 1 to 10 lines: {final:.2f}")
        print("2. trained agents on 41 to 50 lines, five times longer than in training", flush=True)
        with status("playing"):
            rows = demo.compare(trained, self.episodes, self.seed)
        print(f"   {'':<32} all seeds, published   here, {self.episodes} levels")
        for row in rows:
            print(f"   {row.label:<32} {_mean(row):<22} {'' if row.here is None else f'{row.here:.2f}'}".rstrip())
        program, path = typed_here(), self.out / "report.html"
        write_report(path, Measured(curve, final, LEVELS, rows, self.episodes), program)
        print(f"3. the report, with an episode of fifty lines to watch: {plain(path)}")
        print("next: " + "\n      ".join(f"{program} {words}\n         {what}" for words, what in NEXT))
        return 0


def typed_here() -> str:
    """How to call this program: not everybody has activated the environment it is in."""
    if shutil.which("cofca"):
        return "cofca"
    return f"{sys.executable} -m cofca" if Path(sys.argv[0]).name == "__main__.py" else sys.argv[0]


def _mean(row: "Row") -> str:
    """Of published seeds, with its error."""
    if row.success is None:
        return "-"
    error = f" ± {row.success.error:.3f}" if len(row.by_seed) > 1 else ""
    return f"{row.success.mean:.3f}{error}"


def _drawn(shares: Sequence[float], width: int = 24) -> str:
    """A curve in one line of text."""
    stretches = [shares[at * len(shares) // width] for at in range(width)]
    return "".join("▁▂▃▄▅▆▇█"[min(int(8 * share), 7)] for share in stretches)
