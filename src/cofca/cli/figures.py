"""cofca figures."""

from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Literal

from cofca.cli.progress import PATIENCE, status
from cofca.cli.streams import plain


@dataclass(frozen=True)
class Figures:
    """Draw the figures of every preset and judge the paper's claims, from result files alone."""

    results: Path = Path("results")
    """The folder with results: PRESET/EXPERIMENT/AGENT-seedN.json. Figures are written to PRESET/figures in it."""
    format: Literal["svg", "png"] = "svg"
    """File format of the figures."""

    def run(self) -> int:
        """Draw."""
        with status("drawing", after=PATIENCE):
            paths = draw(self.results, self.format)
        print(f"{len(paths)} files: {plain(self.results)}")
        return 0


def draw(results: Path, kind: str = "svg") -> list[Path]:
    """Figures of every preset and claims of a folder of results, into it."""
    from cofca.paper.plots.figures import draw_figures
    from cofca.paper.report import write_claims
    from cofca.paper.results import read_results
    from cofca.paper.statistics import by_preset

    known = read_results(results)
    if not known:
        raise ValueError(f"{results}: there are no results here")
    drawn = [draw_figures(own, results / preset / "figures", kind) for preset, own in by_preset(known).items()]
    return [*chain.from_iterable(drawn), write_claims(known, results)]
