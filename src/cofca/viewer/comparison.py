"""Agents on the longest instructions, as rows of a table: all seeds of published results, and what was played here."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from cofca.experiments.official import EPISODES, official_bins
from cofca.paper.plots.plot_style import LOOKS, agent_label
from cofca.paper.statistics import Estimate, estimate
from cofca.viewer.charts import strip_chart
from cofca.viewer.published import BINS, Published, published

Played = Mapping[tuple[str, str], float]
"""Success here, by agent and preset."""
BLACK = "#000000"
"""In dark mode it would not be seen: whoever has this colour has that of the text."""


class Row(NamedTuple):
    """One agent, the oracle, random choices, or the agent that was trained just now."""

    label: str
    by_seed: tuple[float, ...] = ()
    success: Estimate | None = None
    """Of these seeds; None where there are none."""
    here: float | None = None
    colour: str = ""
    kind: str = ""

    @property
    def order(self) -> float:
        """The best come first."""
        return self.success.mean if self.success else self.here or 0.0


def rows_of(experiment: str, played: Played, others: Sequence[Row] = ()) -> list[Row]:
    """The oracle, agents by success, random choices."""
    known = [one for one in published() if one.experiment == experiment]
    official = official_bins()[experiment][BINS[experiment]]
    worker = known[0].worker

    def beside(name: str, share: float) -> Row:
        return Row(name, (share,), estimate((share,), EPISODES), kind="beside")

    agents = sorted([*(_row(one, played) for one in known), *others], key=lambda row: -row.order)
    return [beside("oracle", official.oracle[worker]), *agents, beside("random", official.random[worker])]


def _row(one: Published, played: Played) -> Row:
    name, here = agent_label(one.agent, one.preset), played.get((one.agent, one.preset))
    colour = LOOKS[one.agent][0].replace(BLACK, "")
    return Row(name, tuple(one.by_seed), one.success, here, colour)


def table_of(rows: Sequence[Row], title: str) -> str:
    """The rows as a chart that is a table."""
    with_here = any(row.here is not None for row in rows)
    axis = "".join(f"<span>{tick}</span>" for tick in ("0", ".5", "1"))
    head = f'<th scope="col">agent</th><th scope="col" class="wide">success<span class="axis">{axis}</span></th>'
    head += '<th scope="col">mean ± error</th>' + '<th scope="col">here</th>' * with_here
    body = "".join(_html(row, with_here) for row in rows)
    caption = f"<caption>{escape(title)}</caption>"
    return f'<table class="scores">{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _html(row: Row, with_here: bool) -> str:
    colour = f' style="--agent:{row.colour}"' if row.colour else ""
    # The chart in words, for those who hear the table.
    seeds = ", ".join(f"{share:.3f}" for share in row.by_seed)
    chart = strip_chart(row.by_seed, row.success, row.here) + f'<span class="unseen">{seeds}</span>'
    mean = f"{row.success.mean:.3f}" if row.success else ""
    if row.success and len(row.by_seed) > 1:
        mean += f' <span class="error">± {row.success.error:.3f}</span>'
    here = f"<td>{'' if row.here is None else f'{row.here:.2f}'}</td>" * with_here
    name = f'<th scope="row">{escape(row.label)}</th>'
    return f'<tr class="{row.kind}"{colour}>{name}<td class="wide">{chart}</td><td>{mean}</td>{here}</tr>'
