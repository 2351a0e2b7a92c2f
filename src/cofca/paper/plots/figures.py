"""Figures as in the paper, drawn from results alone: the same results give the same file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cofca.experiments.specs import Experiment, experiment_or_plain, is_familiar
from cofca.paper.plots.plot_style import STYLE, bin_label, draw_line, finished, look_beside
from cofca.paper.plots.recovery import recovery_figure
from cofca.paper.recovery import knows_recovery
from cofca.paper.results import Result
from cofca.paper.statistics import (
    Results,
    by_bin,
    by_experiment,
    in_bins,
    learning,
    over_bins,
    players_beside,
    published_bins,
    published_learning,
    training,
)

SIZE = 7.4, 4.2
MOST_LABELS, MOST_LETTERS = 12, 80
"""Of bins whose ids fit side by side."""


def draw_figures(results: Sequence[Result], folder: Path, kind: str = "svg") -> list[Path]:
    """All figures of all experiments there are results of. The results are of one preset."""
    drawn = []
    for name, agents in by_experiment(results).items():
        spec = experiment_or_plain(name)
        figures = {"success": success_by_bin(spec, agents)}
        if not spec.trained_as:
            figures |= {"learning": learning_curves(spec, agents), "training": training_curves(spec, agents)}
        if any(published_bins(own) for own in agents.values()):
            figures["published"] = published_success(spec, agents)
        if any(map(knows_recovery, agents.values())):
            figures["recovery"] = recovery_figure(spec, agents)
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


def success_by_bin(spec: Experiment, agents: Results) -> Figure:
    """Success of each agent on the levels of every bin."""
    figure, axes = _blank(f"{spec.name}: generalisation", _measure(spec), "success, sampled")
    bins = next(iter(agents.values()))[0].bins
    places = np.arange(len(bins))
    _shade(axes, [at for at, score in enumerate(bins) if is_familiar(spec, score.id)])
    first = next(iter(agents.values()))
    for player in players_beside(first):
        axes.plot(places, [score.mean for score in in_bins(bins, by_bin(first, player))], **look_beside(player))
    for results in agents.values():
        draw_line(axes, results[0], places, in_bins(bins, by_bin(results)), bars=True)
    labels = [bin_label(score) for score in bins]
    crowded: Any = {"rotation": 90, "fontsize": 7} if sum(map(len, labels)) > MOST_LETTERS else {}
    axes.set_xticks(places, labels, **crowded)
    return finished(figure, axes)


def published_success(spec: Experiment, agents: Results) -> Figure:
    """Success of each agent by the paper's protocol, at the end of training."""
    figure, axes = _blank(f"{spec.name}: the paper's protocol", _measure(spec), "success, sampled")
    found = {agent: published_bins(results) for agent, results in agents.items()}
    ids = max(found.values(), key=len)
    for agent, bins in found.items():
        places = [place for place, id in enumerate(ids) if id in bins]
        draw_line(axes, agents[agent][0], np.array(places), [bins[id] for id in ids if id in bins], bars=True)
    ticks = [(place, id) for place, id in enumerate(ids)]
    if len(ids) > MOST_LABELS:
        ticks = [(place, id.partition("-")[0]) for place, id in ticks if place % 5 == 4]
    axes.set_xticks(*zip(*ticks, strict=True))
    return finished(figure, axes)


def learning_curves(spec: Experiment, agents: Results) -> Figure:
    """Success on levels unlike those of training, while training: the paper's own, where it was evaluated on them."""
    figure, axes = _blank(f"{spec.name}: evaluation while training", "million steps", "success, sampled")
    for results in agents.values():
        steps, curve = published_learning(results)
        if not steps:
            steps, curve = learning(results, lambda id: not is_familiar(spec, id))
        draw_line(axes, results[0], np.array(steps) / 1e6, curve)
    first = next(iter(agents.values()))
    for player in players_beside(first):
        level = over_bins(first, lambda score: not is_familiar(spec, score.id), player).mean
        axes.axhline(level, **look_beside(player))
    return finished(figure, axes)


def training_curves(spec: Experiment, agents: Results) -> Figure:
    """Success of training itself: on fresh levels and, where replays were counted, with these, as in the paper."""
    figure, axes = _blank(f"{spec.name}: training", "million steps", "success on fresh levels")
    for results in agents.values():
        for replays in (False, True):
            steps, curve = training(results, replays)
            draw_line(axes, results[0], np.array(steps) / 1e6, curve, replays=replays)
    return finished(figure, axes)


def _blank(title: str, across: str, up: str) -> tuple[Figure, Axes]:
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=SIZE, layout="constrained")
        axes = figure.subplots()
        axes.set(title=title, xlabel=across, ylabel=up, ylim=(-0.02, 1.02))
    return figure, axes


def _shade(axes: Axes, places: Sequence[int]) -> None:
    for place in places:
        axes.axvspan(place - 0.5, place + 0.5, color="#F2F2F2", zorder=0, label="as in training")


def _measure(spec: Experiment) -> str:
    return "lines of the failing block" if "failing_block" in spec.bins[0].changes else "lines of the instruction"
