"""The paper's third figure: an instruction, the columns of P beside its lines, the gate, and the move that was made."""

from collections.abc import Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cofca.agents.trace import Step
from cofca.paper.plots.plot_style import GREY, STYLE

HERE, THERE, BAR = "#D55E00", "#009E73", "#0072B2"


def pointer_figure(step: Step, lines: Sequence[str], command: str, response: str) -> Figure:
    """One time step. `lines` is the instruction as text, a line each."""
    reasons, number = step.reasons, len(lines)
    columns = [*reasons.columns.T[:, :number], reasons.targets[:number]]
    titles = [f"$P_{{{at + 1}}}$, φ = {weight:.2f}" for at, weight in enumerate(reasons.weights)]
    with mpl.rc_context({**STYLE, "axes.grid": False}):
        figure = Figure(figsize=(4.2 + 1.3 * len(columns), 1.2 + 0.24 * number), layout="constrained")
        figure.suptitle(_title(step, command, response), fontsize=11)
        text, *bars = figure.subplots(1, len(columns) + 1, width_ratios=[3, *[1] * len(columns)], sharey=True)
        _write(text, step, lines)
        for axes, shares, title in zip(bars, columns, [*titles, "P φ"], strict=True):
            axes.barh(np.arange(number), shares, color=BAR if title != "P φ" else GREY)
            axes.set(xlim=(0, 1), xticks=(0, 1), title=title)
            axes.tick_params(left=False, labelleft=False)
    return figure


def _title(step: Step, command: str, response: str) -> str:
    opened = f"opens to line {int(step.decision.target) + 1}" if step.decision.gate else "stays shut"
    return f"command: {command}, response: {response}; gate (p = {float(step.reasons.gate):.2f}) {opened}"


def _write(axes: Axes, step: Step, lines: Sequence[str]) -> None:
    target = int(step.decision.target) if step.decision.gate else step.pointer
    axes.set(xlim=(0, 1), ylim=(len(lines) - 0.5, -0.5), yticks=np.arange(len(lines)))
    axes.set_yticklabels([str(number + 1) for number in range(len(lines))])
    axes.tick_params(left=False, bottom=False, labelbottom=False)
    for side in axes.spines.values():
        side.set_visible(False)
    for place, line in enumerate(lines):
        colour = HERE if place == step.pointer else THERE if place == target else "black"
        axes.text(0.08, place, line, va="center", family="monospace", fontsize=9, color=colour)
    axes.text(0.0, step.pointer, "▶", va="center", color=HERE)
    if target != step.pointer:
        curve = {"arrowstyle": "->", "color": THERE, "connectionstyle": "arc3,rad=0.3"}
        axes.annotate("", xy=(0.06, target), xytext=(0.03, step.pointer), arrowprops=curve)
