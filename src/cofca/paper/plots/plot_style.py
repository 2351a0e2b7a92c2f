"""What all figures share: how agents and those beside them look."""

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cofca.experiments.scores import Score
from cofca.experiments.specs import default_id
from cofca.paper.results import Result
from cofca.paper.statistics import Estimate

OURS = " (ours)"
LABELS = {
    "cofca-r": f"CoFCA-R{OURS}",
    "cofca-r-given": f"CoFCA-R, blocks given{OURS}",
    "cofca-m": f"CoFCA-M{OURS}",
    "cofca-d": f"CoFCA-D{OURS}",
    "cofca-s": "CoFCA-S",
    "cofca": "CoFCA",
    "unstructured": "Unstructured Memory",
    "olsk": "OLSK",
    "olsk-e": "OLSK-E",
    "lstm": "LSTM",
    "stack": "Stack GRU",
}
# Colours that people tell apart who do not see all of them (after Okabe and Ito), and markers for print.
LOOKS = {
    "cofca-r": ("#000000", "*"),
    "cofca-r-given": ("#999999", "x"),
    "cofca-m": ("#882255", "d"),
    "cofca-d": ("#CC79A7", "D"),
    "cofca-s": ("#0072B2", "o"),
    "cofca": ("#56B4E9", "s"),
    "unstructured": ("#009E73", "^"),
    "olsk": ("#E69F00", "v"),
    "olsk-e": ("#D55E00", "P"),
    "lstm": ("#F0E442", "X"),
    "stack": ("#999933", "h"),
}
BESIDE: dict[str, tuple[str, Any]] = {
    "oracle": ("oracle", "-."),
    "plus_minus_one": ("±1 pointer", (0, (6, 2))),
    "plus_minus_one_idle": ("±1 pointer, idle", (0, (6, 2, 1, 2, 1, 2))),
    "one_pass": ("one pass", (0, (2, 2))),
    "rounds": ("round and round", (0, (4, 1, 1, 1))),
    "random": ("random", ":"),
}
"""Labels in figures and dashes of those who did not learn."""
GREY = "#666666"
STYLE: Any = {
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.grid": True,
    "axes.titlesize": 11,
    "grid.color": "#E6E6E6",
    "legend.frameon": False,
    "svg.hashsalt": "cofca",
    "svg.fonttype": "none",
    "font.size": 10,
}


def bin_label(score: Score) -> str:
    """The name of a bin."""
    return str(score.lo) if score.id == default_id(score.lo, score.lo) else score.id


def agent_label(agent: str, preset: str) -> str:
    """An agent's name and preset: nobody takes an agent of ours for the published one."""
    name, ours, _ = LABELS.get(agent, agent).partition(OURS)
    return f"{name} ({preset}{', ours' if ours else ''})"


def label_of(result: Result) -> str:
    """That of a result's agent."""
    return agent_label(result.agent, result.preset)


def draw_line(
    axes: Axes, of: Result, across: np.ndarray, curve: Sequence[Estimate], bars: bool = False, replays: bool = False
) -> None:
    """Means over the seeds of an agent, of which one result is given; standard errors as bars or as a band. Training
    with its replays is dashed."""
    if not curve:
        return
    colour, marker = LOOKS.get(of.agent, ("#444444", "x"))
    label = f"{label_of(of)}, with replays" if replays else label_of(of)
    means, errors = np.array([point.mean for point in curve]), np.array([point.error for point in curve])
    if bars:
        axes.errorbar(across, means, errors, color=colour, marker=marker, markersize=5, capsize=3, label=label)
        return
    dense = len(curve) > 30
    marks: Any = {"marker": None if dense else marker, "markersize": 4, "linestyle": "--" if replays else "-"}
    axes.plot(across, means, color=colour, label=label, **marks)
    axes.fill_between(across, means - errors, means + errors, color=colour, alpha=0.2, linewidth=0)


def look_beside(player: str) -> dict[str, Any]:
    """How somebody looks who did not learn."""
    label, dashes = BESIDE.get(player, (player, "--"))
    return {"color": GREY, "linestyle": dashes, "linewidth": 1, "label": label}


def finished(figure: Figure, axes: Axes) -> Figure:
    """With a legend of what is in these axes."""
    handles, labels = axes.get_legend_handles_labels()
    unique = dict(zip(labels, handles, strict=True))
    with mpl.rc_context(STYLE):
        figure.legend(unique.values(), unique.keys(), loc="outside right upper")
    return figure
