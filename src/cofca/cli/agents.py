"""cofca agents."""

from dataclasses import asdict, dataclass
from typing import Annotated, Any

import tyro
from rich.console import Console
from rich.table import Table

from cofca.cli.options import MaybeText
from cofca.cli.progress import PATIENCE, status
from cofca.cli.show import print_json

WIDTH = 160
REFERENCE = tyro.conf.arg(metavar="FILE.py:NAME")


@dataclass(frozen=True)
class Agents:
    """List every agent, and the weights that come with the package."""

    trust: Annotated[MaybeText, REFERENCE] = None
    """Allow this machine to run the code that a run or an experiment names. Nothing is listed then."""
    json: bool = False
    """Print one JSON object instead of tables."""

    def run(self) -> int:
        """Count and list."""
        if self.trust is not None:
            from cofca.utils.references import typed

            print(f"trusted: {typed(self.trust)}")
            return 0
        with status("counting parameters", after=PATIENCE):
            from cofca.experiments.catalogue import agents, weights

            report = {"agents": list(map(asdict, agents())), "weights": list(map(asdict, weights()))}
        print_json(report) if self.json else print_agents(report)
        return 0


def print_agents(report: dict[str, list[dict[str, Any]]]) -> None:
    """A table of architectures, and one of weights."""
    # Whole names, also where there is no terminal or a narrow one.
    console = Console(width=max(Console().width, WIDTH))
    table = Table("agent", "preset", "domain", "architecture", "parameters", title="agents")
    for row in report["agents"]:
        table.add_row(row["agent"], row["preset"], row["domain"], row["architecture"], f"{row['parameters']:,}")
    console.print(table)
    columns = ("weights", "preset", "domain", "trained on", "steps", "parameters", "longest bin", "success", "bytes")
    shipped = Table(*columns, title="weights that come with the package")
    for row in report["weights"]:
        score = "" if row["score"] is None else f"{row['score']:.3f}"
        numbers = f"{row['steps']:,}", f"{row['parameters']:,}", row["bin"] or "", score, f"{row['bytes']:,}"
        shipped.add_row(row["name"], row["preset"], row["domain"], row["trained_on"], *numbers)
    console.print(shipped)
