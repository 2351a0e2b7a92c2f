"""Figures as in the paper, drawn from results alone: the same results give the same file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cofca.experiments.table import Experiment, experiment, is_familiar
from cofca.reproduction.results import Result
from cofca.reproduction.summary import (
    Estimate,
    Results,
    by_bin,
    by_experiment,
    learning,
    over_bins,
    players_beside,
    training,
)

LABELS = {
    "cofca-d": "CoFCA-D (ours)",
    "cofca-s": "CoFCA-S",
    "cofca": "CoFCA",
    "unstructured": "Unstructured Memory",
    "olsk": "OLSK",
    "olsk-e": "OLSK-E",
}
# Colours that people tell apart who do not see all of them (after Okabe and Ito), and markers for print.
LOOKS = {
    "cofca-d": ("#CC79A7", "D"),
    "cofca-s": ("#0072B2", "o"),
    "cofca": ("#56B4E9", "s"),
    "unstructured": ("#009E73", "^"),
    "olsk": ("#E69F00", "v"),
    "olsk-e": ("#D55E00", "P"),
}
BESIDE: dict[str, tuple[str, Any]] = {
    "oracle": ("oracle", "-."),
    "plus_minus_one": ("±1 pointer", (0, (6, 2))),
    "plus_minus_one_idle": ("±1 pointer, idle", (0, (6, 2, 1, 2, 1, 2))),
    "one_pass": ("one pass", (0, (2, 2))),
    "random": ("random", ":"),
}
"""Labels and dashes of those who did not learn."""
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
SIZE = 7.4, 4.2


def draw_figures(results: Sequence[Result], folder: Path, kind: str = "svg") -> list[Path]:
    """All figures of all experiments there are results of."""
    drawn = []
    for name, agents in by_experiment(results).items():
        found = experiment(name)
        figures = {"success": success_by_bin(found, agents)}
        if not found.trained_as:
            figures |= {"learning": learning_curves(found, agents), "training": training_curves(found, agents)}
        for what, figure in figures.items():
            path = folder / f"{name}-{what}.{kind}"
            save(figure, path)
            drawn.append(path)
    return drawn


def save(figure: Figure, path: Path) -> None:
    """Without a date, so that nothing changes unless the results do."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context(STYLE):
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)


def success_by_bin(found: Experiment, agents: Results) -> Figure:
    """Success of each agent on the levels of every bin."""
    figure, axes = _blank(f"{found.name}: generalisation", _measure(found), "success, sampled")
    bins = next(iter(agents.values()))[0].bins
    places = np.arange(len(bins))
    _shade(axes, [at for at, score in enumerate(bins) if is_familiar(found, score.lo, score.hi)])
    first = next(iter(agents.values()))
    for player in players_beside(first):
        axes.plot(places, [score.mean for score in by_bin(first, player)], **_beside(player))
    for agent, results in agents.items():
        _line(axes, agent, places, by_bin(results), bars=True)
    labels = [str(score.lo) if score.lo == score.hi else f"{score.lo}-{score.hi}" for score in bins]
    axes.set_xticks(places, labels)
    return _finished(figure, axes)


def learning_curves(found: Experiment, agents: Results) -> Figure:
    """Success on levels unlike those of training, while training."""
    figure, axes = _blank(f"{found.name}: evaluation while training", "million steps", "success, sampled")
    for agent, results in agents.items():
        steps, curve = learning(results, lambda lo, hi: not is_familiar(found, lo, hi))
        _line(axes, agent, np.array(steps) / 1e6, curve)
    first = next(iter(agents.values()))
    for player in players_beside(first):
        level = over_bins(first, lambda score: not is_familiar(found, score.lo, score.hi), player).mean
        axes.axhline(level, **_beside(player))
    return _finished(figure, axes)


def training_curves(found: Experiment, agents: Results) -> Figure:
    """Success of training itself."""
    figure, axes = _blank(f"{found.name}: training", "million steps", "success on fresh levels")
    for agent, results in agents.items():
        steps, curve = training(results)
        _line(axes, agent, np.array(steps) / 1e6, curve)
    return _finished(figure, axes)


def _blank(title: str, across: str, up: str) -> tuple[Figure, Axes]:
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=SIZE, layout="constrained")
        axes = figure.subplots()
        axes.set(title=title, xlabel=across, ylabel=up, ylim=(-0.02, 1.02))
    return figure, axes


def _line(axes: Axes, agent: str, across: np.ndarray, curve: Sequence[Estimate], bars: bool = False) -> None:
    """Means over seeds; standard errors as bars or as a band."""
    if not curve:
        return
    colour, marker = LOOKS.get(agent, ("#444444", "x"))
    label = LABELS.get(agent, agent)
    means, errors = np.array([point.mean for point in curve]), np.array([point.error for point in curve])
    if bars:
        axes.errorbar(across, means, errors, color=colour, marker=marker, markersize=5, capsize=3, label=label)
        return
    dense = len(curve) > 30
    axes.plot(across, means, color=colour, marker=None if dense else marker, markersize=4, label=label)
    axes.fill_between(across, means - errors, means + errors, color=colour, alpha=0.2, linewidth=0)


def _beside(player: str) -> dict[str, Any]:
    """How somebody looks who did not learn."""
    label, dashes = BESIDE.get(player, (player, "--"))
    return {"color": GREY, "linestyle": dashes, "linewidth": 1, "label": label}


def _shade(axes: Axes, places: Sequence[int]) -> None:
    for place in places:
        axes.axvspan(place - 0.5, place + 0.5, color="#F2F2F2", zorder=0, label="as in training")


def _finished(figure: Figure, axes: Axes) -> Figure:
    handles, labels = axes.get_legend_handles_labels()
    unique = dict(zip(labels, handles, strict=True))
    with mpl.rc_context(STYLE):
        figure.legend(unique.values(), unique.keys(), loc="outside right upper")
    return figure


def _measure(found: Experiment) -> str:
    return "lines of the failing block" if "failing_block" in found.bins[0].changes else "lines of the instruction"
