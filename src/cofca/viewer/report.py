"""The report of the demonstration: one page that needs nothing else."""

from collections.abc import Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import NamedTuple

from cofca.envs.domain import PLANNER
from cofca.experiments.official import official_bins
from cofca.viewer.charts import curve_chart
from cofca.viewer.comparison import Row, rows_of, table_of
from cofca.viewer.examples import stored
from cofca.viewer.export import script_of, text_of
from cofca.viewer.published import BINS

EXPERIMENT, FAR, SHORT = "minecraft-length", "starcraft-length", "1-10"
WATCHED = "fifty-lines"
"""The recorded example that is shown."""
NEXT = (
    ("view", "type an instruction of your own in the browser, and see why the pointer moves"),
    ("play minecraft", "follow an instruction yourself, with the commands that agents have"),
    (f"train {EXPERIMENT} --agent cofca-r --out runs/first --steps 25M", "train for longer; it can be interrupted"),
)
"""What to try then, without the name of the program."""


class Curve(NamedTuple):
    """Success while training."""

    steps: list[int]
    success: list[float]


class Measured(NamedTuple):
    """What the demonstration has measured."""

    curve: Curve
    final: float
    """Success afterwards, on fresh levels as long as in training."""
    levels: int
    """So many of them."""
    rows: Sequence[Row]
    """Agents on far longer ones."""
    long_levels: int


def write_report(path: Path, measured: Measured, program: str) -> None:
    """Write the page; `program` is how a person calls cofca."""
    curve = measured.curve
    official = official_bins()[EXPERIMENT][SHORT]
    beside = {"oracle": official.oracle[PLANNER], "random": official.random[PLANNER]}
    new = next(row for row in measured.rows if row.kind == "new")
    commands = "".join(
        f"<dt><code>{escape(f'{program} {words}')}</code></dt><dd>{escape(what)}</dd>" for words, what in NEXT
    )
    points = "".join(
        f"<tr><td>{at:,}</td><td>{share:.2f}</td></tr>" for at, share in zip(curve.steps, curve.success, strict=True)
    )
    fill = {
        "style": text_of("style.css") + text_of("report.css"),
        "steps": f"{curve.steps[-1]:,}",
        "final": f"{measured.final:.2f}",
        "levels": str(measured.levels),
        "long": f"{new.here:.2f}",
        "long_levels": str(measured.long_levels),
        "random": f"{beside['random']:.3f}",
        "oracle": f"{beside['oracle']:.3f}",
        "curve": curve_chart(curve.steps, curve.success, measured.final, beside),
        "points": points,
        "minecraft": table_of(measured.rows, f"Minecraft, {BINS[EXPERIMENT]} lines"),
        "starcraft": table_of(rows_of(FAR, {}), f"StarCraft, {BINS[FAR]} lines"),
        "commands": commands,
        "player": script_of(stored(WATCHED)),
    }
    path.write_text(Template(text_of("report.html")).substitute(fill), encoding="utf-8")
