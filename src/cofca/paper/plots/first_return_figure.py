"""How CoFCA-R returns, from real weights: the depth of the lines of a program, and where a pointer lands.

python -m cofca.paper.plots.first_return_figure minecraft-wide/cofca-r results/tuned/figures
"""

import sys
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import matplotlib as mpl
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from cofca.agents.cofca_r import CofcaR
from cofca.agents.modules.first_return import depths, first_return
from cofca.envs.custom_level import custom_level
from cofca.envs.registry import domain
from cofca.experiments.zoo import load
from cofca.paper.plots.brackets_figure import brackets_figure
from cofca.paper.plots.figures import save
from cofca.paper.plots.plot_style import GREY, LOOKS, STYLE

POINTER, AHEAD, BEHIND = (LOOKS[agent][0] for agent in ("olsk-e", "cofca-s", "unstructured"))
PROGRAM = """\
mine wood
if more gold than wood
    inspect gold
    while more gold than iron
        mine gold
        if more iron than merchants
            sell iron
        else
            inspect iron
        endif
        sell gold
    endwhile
    mine wood
else
    mine iron
endif
inspect wood
"""
AN_IF, AN_ENDWHILE = 1, 11
"""Where the pointer is."""
WIDTH = 36
"""Of the program, in letters."""


class Returned(NamedTuple):
    """What one of the returns makes of a program and a pointer."""

    L: Float[np.ndarray, " lines"]
    ahead: Float[np.ndarray, " lines"]
    """The probabilities of where to land."""
    behind: Float[np.ndarray, " lines"]


def returned(agent: CofcaR, lines: Any, number: int, pointer: int) -> Returned:
    """The depths of all lines, and both first returns of a pointer. `lines` are the program's symbols, not padded."""
    a, b, sharpness = (part[..., number : number + 1] for part in agent.brackets(jnp.asarray(lines)))
    landed = np.exp(np.asarray(first_return(a, b, sharpness, jnp.int32(pointer), jnp.int32(len(lines)))))
    return Returned(np.asarray(depths(a, b))[:, 0], *landed.T)


def used_return(agent: CofcaR) -> int:
    """The number of the return that φ chooses at an `endwhile`, from where there is only one way: back."""
    minecraft = domain("minecraft")
    env, (level, params) = minecraft.environment(), custom_level(minecraft, jax.random.key(0), PROGRAM)
    obs = env.observe(env.start(level, params), params)
    features = agent.forward(obs, agent.initial_memory()._replace(pointer=jnp.int32(AN_ENDWHILE)))
    action = agent.actor_critic(features)[0].argmax()
    weights = agent.movement(features, action, jnp.int32(0)).weights
    behind = 1 + agent.brackets.log_sharpness.size
    return int(weights[behind:].argmax())


def first_return_figure(agent: CofcaR, number: int, name: str) -> Figure:
    """The program, and beside it the depths of its lines with both returns of a pointer: at an *if*, an *endwhile*."""
    lines, written = domain("minecraft").language.parse(PROGRAM), PROGRAM.splitlines()
    with mpl.rc_context({**STYLE, "axes.grid": False}):
        figure = Figure(figsize=(11, 5.6), layout="constrained")
        figure.suptitle(f"{name}: where the first returns land", fontsize=11)
        text, *panels = figure.subplots(1, 3, sharey=True, width_ratios=(3.2, 4, 4))
        _write(text, written)
        for axes, pointer in zip(panels, (AN_IF, AN_ENDWHILE), strict=True):
            _draw(axes, returned(agent, lines, number, pointer), pointer)
            axes.set_title(f"pointer at line {pointer + 1}, {written[pointer].split()[0]}")
        figure.legend(handles=_legend(), loc="outside lower center", ncols=4)
    return figure


def _write(axes: Axes, written: list[str]) -> None:
    axes.set(xlim=(0, WIDTH), ylim=(len(written) - 0.4, -0.6))
    axes.set_title("program", loc="left")
    axes.set_yticks(range(len(written)), [str(number) for number in range(1, len(written) + 1)])
    axes.tick_params(left=False, bottom=False, labelbottom=False)
    for side in axes.spines.values():
        side.set_visible(False)
    for place, line in enumerate(written):
        colour = POINTER if place in (AN_IF, AN_ENDWHILE) else "black"
        words = line.lstrip()
        axes.text(len(line) - len(words), place, words, va="center", family="monospace", fontsize=9, color=colour)


def _draw(axes: Axes, found: Returned, pointer: int) -> None:
    """Depths to the right, lines downwards. Ahead, the coin that shows heads is that of the line before the landing."""
    ahead, behind = int(found.ahead.argmax()), int(found.behind.argmax())
    deepest, rows = float(found.L.max()), np.arange(len(found.L))
    axes.axhspan(pointer - 0.45, pointer + 0.45, color=POINTER, alpha=0.15, linewidth=0)
    axes.axvline(found.L[pointer] + 0.5, color=POINTER, linewidth=1, linestyle=(0, (4, 3)))
    axes.plot(found.L, rows, color=GREY, marker="o", markersize=4, linewidth=1)
    for place, colour, size in ((pointer, POINTER, 9), (ahead - 1, AHEAD, 6), (behind, BEHIND, 6)):
        axes.plot(found.L[place], place, marker="o", markersize=size, color=colour)
    near, far = deepest + 0.4, deepest + 0.9
    for word, target, colour in (("ahead", ahead, AHEAD), ("behind", behind, BEHIND)):
        start = pointer + 0.12 * np.sign(target - pointer)
        axes.plot([near, far, far, near], [start, start, target, target], color=colour, linewidth=1.5)
        axes.plot(near, target, marker="<", markersize=7, color=colour)
        axes.text(far + 0.15, target, f"{word}: line {target + 1}", va="center", color=colour)
    axes.set(xlim=(-0.4, deepest + 3), xlabel="$L$, how many blocks are open")
    axes.set_xticks(np.arange(deepest + 1))
    axes.tick_params(left=False)


def _legend() -> list[Line2D]:
    dots = {"pointer": POINTER, "first heads ahead": AHEAD, "first heads behind": BEHIND}
    made = [Line2D([], [], color=colour, marker="o", linestyle="", label=label) for label, colour in dots.items()]
    return [*made, Line2D([], [], color=POINTER, linestyle=(0, (4, 3)), linewidth=1, label="$L_p + 1/2$")]


def main() -> None:
    """Both figures, into a folder."""
    weights, folder = sys.argv[1:]
    agent: Any = load(weights)
    number = used_return(agent)
    for what, draw in (("brackets", brackets_figure), ("landing", first_return_figure)):
        path = Path(folder) / f"first-return-{what}.svg"
        save(draw(agent, number, weights), path)
        print(path)


if __name__ == "__main__":
    main()
