"""How long agents take to recover from setbacks, by the length of the instruction."""

from collections.abc import Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cofca.experiments.scores import Score
from cofca.experiments.specs import Experiment
from cofca.paper.plots.plot_style import STYLE, bin_label, draw_line, finished, look_beside
from cofca.paper.recovery import CAUSES, ENDS, delay, knows_recovery
from cofca.paper.results import Result
from cofca.paper.statistics import Estimate, Results, players_beside


def recovery_figure(spec: Experiment, agents: Results) -> Figure:
    """Time steps from an ambush or an attack until the pointer is where it should be, and until the loss is repaired.

    Only of those that came to that end.
    """
    known = {agent: results for agent, results in agents.items() if knows_recovery(results)}
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(10.4, 6.4), layout="constrained")
        panels = figure.subplots(len(CAUSES), len(ENDS), sharex=True, squeeze=False)
        figure.suptitle(f"{spec.name}: after a setback", fontsize=11)
    for row, cause in zip(panels, CAUSES, strict=True):
        for axes, end in zip(row, ENDS, strict=True):
            _draw(axes, known, cause, end)
    return finished(figure, panels[0, 0])


def _draw(axes: Axes, agents: Results, cause: str, end: str) -> None:
    first = next(iter(agents.values()))
    places = np.arange(len(first[0].bins))
    for player in filter(lambda player: knows_recovery(first, player), players_beside(first)):
        axes.plot(places, [each.mean for each in _by_bin(first, cause, end, player)], **look_beside(player))
    for results in agents.values():
        draw_line(axes, results[0], places, _by_bin(results, cause, end), bars=True)
    axes.set_xticks(places, [bin_label(score) for score in first[0].bins])
    axes.set(title=f"until {ENDS[end]}", xlabel="lines of the instruction", ylabel=f"time steps after {CAUSES[cause]}")
    axes.set_ylim(bottom=0)


def _by_bin(results: Sequence[Result], cause: str, end: str, player: str = "sampled") -> list[Estimate]:
    def only(place: Score) -> Estimate:
        return delay(results, lambda score: score.id == place.id, cause, end, player)

    return [only(place) for place in results[0].bins]
