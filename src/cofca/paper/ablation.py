"""Which of our changes did what: CoFCA-S from `paper` to `tuned`, one change at a time, as a page with a figure.

python -m cofca.paper.ablation results
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from cofca.paper.bootstrap import LEVEL, Sample, deviations, drawn
from cofca.paper.plots.figures import save
from cofca.paper.plots.plot_style import GREY, LOOKS, STYLE
from cofca.paper.results import Result, read_results
from cofca.paper.samples import new_bins, success
from cofca.paper.score_tables import table
from cofca.utils.files import write_whole

FOLDER, PAGE = "ablation", "ABLATION.md"
AGENT = "cofca-s"
STRICT, START = "ablation-strict", "ablation-paper"
EXPERIMENTS = {"minecraft": "minecraft-length", "starcraft": "starcraft-length"}
CHANGES = {
    STRICT: "gate and φ do not see the response (`paper-strict`)",
    START: "`paper`",
    "minecraft-conditioned": "`paper`, with the second convolution of the authors' code",
    "minecraft-1-schedules": "+ learning rate and entropy fall to 0",
    "minecraft-2-encoder": "+ the encoder of `tuned`: z sees x weighted by M_p",
    "minecraft-3-joint": "+ the target counts only as far as the gate is open",
    "minecraft-4-rest": "+ the last line takes what no coin of the scan took",
    "minecraft-5-coins": "+ coins start in favour of heads",
    "minecraft-6-levels": "+ training levels of `tuned`",
    "minecraft-7-pools": "+ replays decided by the pool: `tuned`, in float32",
    "starcraft-1-schedules": "+ learning rate higher, falls to 0 with the entropy; six gradient steps on thirds",
    "starcraft-2-encoder": "+ the encoder of `tuned`",
    "starcraft-3-head": "+ the action head of `tuned`",
    "starcraft-4-joint": "+ the target counts only as far as the gate is open",
    "starcraft-5-rest": "+ the last line takes what no coin of the scan took",
    "starcraft-6-gate": "+ the gate opens only after a command",
    "starcraft-7-answers": "+ the GRUs see what x tells about each line",
    "starcraft-8-wander": "+ a tenth of moves goes to any line",
    "starcraft-9-pools": "+ replays decided by the pool: `tuned`, in float32",
}
"""What each preset changes, in words; `+` is on top of the row above."""
ABOUT = """# From `paper` to `tuned`, one change at a time

<!-- python -m cofca.paper.ablation results makes this page. -->

CoFCA-S, four seeds of 20 M steps, the official levels, sampled. A row with + has all changes of the rows above it that
have one. Intervals are 95 %, over seeds and levels, as in [CLAIMS.md](CLAIMS.md). A short budget tells what a change
does early; [the full runs](CLAIMS.md) tell where it ends.
"""


@dataclass(frozen=True)
class Row:
    """One preset: success in every bin, in those not familiar together, and how much more that is than before."""

    preset: str
    bins: dict[str, Sample]
    new: Sample
    before: Sample | None
    """Of the preset that it changes."""


def rows(results: Sequence[Result], domain: str) -> list[Row]:
    """The rows of a domain, in the order of the changes."""
    made: list[Row] = []
    before = None
    for name in CHANGES:
        if own := [one for one in results if (one.preset, one.experiment) == (name, EXPERIMENTS[domain])]:
            new = success(own, new_bins(EXPERIMENTS[domain], own))
            made.append(Row(name, {score.id: success(own, [score.id]) for score in own[0].bins}, new, before))
            before = new if changes_all_that_follow(name) else before
    return made


def changes_all_that_follow(preset: str) -> bool:
    """Whether the rows below have this change, too."""
    return preset == START or CHANGES[preset].startswith("+")


def interval(*samples: Sample) -> tuple[float, float]:
    """Of the sum of some means."""
    mean, levels = sum(one.mean for one in samples), sum(one.levels for one in samples)
    errors = np.array([one.error for one in samples])
    how = deviations(tuple(len(one.seeds) for one in samples))
    low, high = np.quantile(drawn(np.array(mean), errors, np.array(levels), how), [LEVEL / 2, 1 - LEVEL / 2])
    return float(low), float(high)


def page(results: Sequence[Result]) -> str:
    """As Markdown."""
    parts = [ABOUT]
    for domain in EXPERIMENTS:
        if found := rows(results, domain):
            parts += [f"## {EXPERIMENTS[domain]}\n", *table(list(_table(found))), f"\n![]({FOLDER}/{domain}.svg)\n"]
    return "\n".join(parts)


def _table(found: Sequence[Row]) -> Iterator[list[str]]:
    bins = list(found[0].bins)
    yield ["", *bins, "not familiar", "more than before"]
    yield ["---"] * (len(bins) + 3)
    for row in found:
        low, high = interval(row.new)
        more = ""
        if row.before is not None:
            least, most = interval(row.new, -row.before)
            more = f"{row.new.mean - row.before.mean:+.3f} [{least:+.3f}, {most:+.3f}]"
        seeds = [" ".join(f"{value:.2f}" for value in row.bins[id].values) for id in bins]
        yield [CHANGES[row.preset], *seeds, f"{row.new.mean:.3f} [{max(low, 0):.3f}, {min(high, 1):.3f}]", more]


def figure(found: Sequence[Row]) -> Figure:
    """A bar for each row, its seeds as dots."""
    with mpl.rc_context(STYLE):
        drawing = Figure(figsize=(8.4, 0.6 + 0.42 * len(found)), layout="constrained")
        axes = drawing.subplots()
        for place, row in enumerate(found):
            low, high = interval(row.new)
            reach = [[row.new.mean - low], [high - row.new.mean]]
            colour = LOOKS[AGENT][0] if changes_all_that_follow(row.preset) else GREY
            axes.barh(place, row.new.mean, color=colour, alpha=0.35, height=0.62)
            axes.errorbar(row.new.mean, place, xerr=reach, color="#222222", capsize=3, linewidth=1)
            axes.plot(row.new.values, [place] * len(row.new.seeds), "o", color=LOOKS[AGENT][0], markersize=4)
        axes.set_yticks(range(len(found)), [CHANGES[row.preset].replace("`", "") for row in found])
        axes.invert_yaxis()
        axes.set(xlim=(0, 1), xlabel="success on levels that are not familiar, sampled: mean, 95 % interval, seeds")
        axes.grid(visible=False, axis="y")
    return drawing


def main() -> None:
    """The page and its figures, into the folder of results."""
    folder = Path(sys.argv[1])
    results = read_results(folder / FOLDER)
    write_whole(folder / PAGE, page(results).encode())
    for domain in EXPERIMENTS:
        if found := rows(results, domain):
            save(figure(found), folder / FOLDER / f"{domain}.svg")


if __name__ == "__main__":
    main()
