"""What every kind of line closes and opens, from real weights of CoFCA-R: a and b as logits, and rounded.

Stored weights are hard. Hardening multiplies all logits of an a or b by one positive number, so their proportions are
still those that were learned.
"""

from itertools import permutations, product

import jax.numpy as jnp
import matplotlib as mpl
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cofca.agents.cofca_r import CofcaR
from cofca.agents.modules.brackets import FINE, STEEP
from cofca.envs.registry import domain
from cofca.paper.plots.plot_style import GREY, LOOKS, STYLE

ONE, ZERO = LOOKS["cofca-s"][0], GREY
KINDS = "if", "else", "endif", "while", "endwhile", "subtask"
SUBTASKS = [" ".join(words) for words in product(("mine", "sell", "inspect"), ("iron", "gold", "wood"))]
CONDITIONS = [f"more {more} than {than}" for more, than in permutations(("iron", "gold", "wood", "merchants"), 2)]

ByKind = dict[str, Float[np.ndarray, "lines 2"]]


def bracket_logits(agent: CofcaR, number: int) -> ByKind:
    """The logits of a and b in one of the returns, for all lines of each kind. 1 is the most that one symbol adds."""
    texts = [*SUBTASKS]
    for condition in CONDITIONS:
        texts += f"if {condition};mine iron;else;mine iron;endif;while {condition};mine iron;endwhile".split(";")
    lines = jnp.array(domain("minecraft").language.parse("\n".join(texts)))
    symbols = agent.brackets.hardened().symbols
    a, b = np.split(np.asarray(symbols(lines)) / (STEEP * FINE), 2, axis=-1)
    logits = np.stack([a[:, number], b[:, number]], axis=-1)
    kinds = np.array([first if first in KINDS else "subtask" for first, *_ in map(str.split, texts)])
    return {kind: np.unique(logits[kinds == kind], axis=0) for kind in KINDS}


def brackets_figure(agent: CofcaR, number: int, name: str) -> Figure:
    """A dot for each line there is, a and b side by side. What is right of 0 is rounded to 1."""
    found = bracket_logits(agent, number)
    farthest = 1.15 * max(float(abs(logits).max()) for logits in found.values())
    with mpl.rc_context({**STYLE, "axes.grid": False}):
        figure = Figure(figsize=(9, 3.4), layout="constrained")
        figure.suptitle(f"{name}: what lines close and open", fontsize=11)
        for which, axes in enumerate(figure.subplots(1, 2, sharey=True)):
            _draw(axes, [found[kind][:, which] for kind in KINDS], farthest)
            axes.set_title(("$a$, how much a line closes", "$b$, how much a line opens")[which])
    return figure


def _draw(axes: Axes, logits: list[np.ndarray], farthest: float) -> None:
    axes.axvspan(0, farthest, color=ONE, alpha=0.08, linewidth=0)
    axes.axvline(0, color=GREY, linewidth=1)
    for place, values in enumerate(logits):
        colours = [ONE if value > 0 else ZERO for value in values]
        axes.scatter(values, np.full(len(values), place), c=colours, s=28, alpha=0.6, linewidths=0)
        rounded = sorted({int(value > 0) for value in values})
        text = " or ".join(map(str, rounded))
        axes.text(1.03 * farthest, place, text, va="center", fontsize=11, color=(ZERO, ONE)[rounded[-1]])
    axes.text(1.03 * farthest, -0.75, "hard", va="center", color=GREY, fontsize=9)
    axes.text(-0.5 * farthest, len(logits) - 0.45, "rounds to 0", ha="center", va="center", color=ZERO, fontsize=9)
    axes.text(0.5 * farthest, len(logits) - 0.45, "rounds to 1", ha="center", va="center", color=ONE, fontsize=9)
    axes.set(xlim=(-farthest, farthest), ylim=(len(logits) - 0.1, -0.5), xlabel="learned logit, scaled")
    axes.set_yticks(range(len(KINDS)), KINDS, family="monospace")
    axes.tick_params(left=False)
