"""cofca figures."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cofca.cli.progress import PATIENCE, status


@dataclass(frozen=True)
class Figures:
    """Draw figures and write claims from results alone."""

    results: Path = Path("results")
    """The folder of results."""
    format: Literal["svg", "png"] = "svg"
    """Of the figures."""

    def run(self) -> int:
        """Draw."""
        with status("drawing", after=PATIENCE):
            paths = draw(self.results, self.format)
        print(f"{len(paths)} files: {self.results}")
        return 0


def draw(results: Path, kind: str = "svg") -> list[Path]:
    """Figures and claims of a folder of results, into it."""
    from cofca.paper.plots.figures import draw_figures
    from cofca.paper.report import write_claims
    from cofca.paper.results import read_results

    found = read_results(results)
    if not found:
        raise ValueError(f"{results}: there are no results here")
    return [*draw_figures(found, results / "figures", kind), write_claims(found, results)]
