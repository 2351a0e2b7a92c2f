"""The paper's third figure from real weights: σ(B) and P of CoFCA-S at an *if* and at an *endwhile*.

python -m cofca.paper.plots.scan_figure minecraft-length/cofca-s-paper results/paper/figures/minecraft-scan.svg
"""

import sys
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import matplotlib as mpl
import numpy as np
from jaxtyping import Array, Float, Int32
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cofca.agents.base import Agent
from cofca.envs.custom_level import custom_level
from cofca.envs.registry import domain
from cofca.experiments.zoo import load
from cofca.paper.plots.figures import save
from cofca.paper.plots.plot_style import STYLE

COLOURS = "#0072B2", "#D55E00", "#009E73"
AN_IF = (
    "if more iron than gold; mine iron; mine iron; endif; if more iron than gold; mine gold; sell iron; mine iron; "
    "mine gold; endif; mine gold; if more iron than gold; mine iron; mine gold; endif; sell iron; mine iron",
    4,
)
AN_ENDWHILE = (
    "mine iron; mine gold; while more iron than gold; mine iron; mine iron; endwhile; mine iron; "
    "while more iron than gold; mine iron; mine iron; sell iron; mine iron; endwhile; while more iron than gold; "
    "mine iron; mine iron; endwhile",
    12,
)
"""The instructions of the paper's figure as far as it shows them, and where the pointer is."""


class Scanned(NamedTuple):
    """What a pointer sees of all lines."""

    flags: Float[Array, "lines columns"]
    """sigmoid(B): ahead of the pointer, its own line included, of the GRU forward; behind it of the GRU backward."""
    P: Float[Array, "lines columns"]


def scanned(agent: Any, obs: Any, pointer: int) -> Scanned:
    """Look at all lines from one of them. Neither B nor P depends on the action."""
    coins, columns, length = jax.device_get(_looked(agent, obs, jnp.int32(pointer)))
    ahead, behind = np.split(coins, 2, axis=1)
    flags = np.concatenate([behind[:pointer][::-1], ahead[: length - pointer]])
    return Scanned(jnp.asarray(flags), jnp.asarray(columns[:length, : flags.shape[1]]))


@jax.jit
def _looked(agent: Any, obs: Any, pointer: Int32[Array, ""]) -> tuple[Array, Array, Array]:
    """sigmoid(B), P, and the number of lines."""
    features = agent.forward(obs, agent.initial_memory()._replace(pointer=pointer))
    movement = agent.movement(features, jnp.int32(0), jnp.int32(0))
    return jax.nn.sigmoid(features.B), jnp.exp(movement.columns), features.length


def scan_figure(agent: Agent, name: str) -> Figure:
    """Both instructions, each with a colour for each column: squares for σ(B), curves for P."""
    minecraft, key = domain("minecraft"), jax.random.key(0)
    with mpl.rc_context({**STYLE, "axes.grid": False}):
        figure = Figure(figsize=(11, 6), layout="constrained")
        figure.suptitle(f"{name}: sigmoid(B) as squares, P as curves, one colour a column")
        for axes, (text, pointer) in zip(figure.subplots(2, 1), (AN_IF, AN_ENDWHILE), strict=True):
            level, params = custom_level(minecraft, key, text.replace("; ", "\n"))
            env = minecraft.environment()
            _draw(
                axes, text.split("; "), pointer, scanned(agent, env.observe(env.start(level, params), params), pointer)
            )
    return figure


def _draw(axes: Axes, lines: list[str], pointer: int, seen: Scanned) -> None:
    columns = seen.flags.shape[1]
    for column, colour in zip(range(columns), COLOURS, strict=False):
        for place, flag in enumerate(np.asarray(seen.flags[:, column])):
            axes.add_patch(
                mpl.patches.Rectangle((place - 0.5, -0.25 * (column + 1)), 1, 0.22, color=colour, alpha=float(flag))
            )
        axes.plot(np.arange(len(lines)), np.asarray(seen.P[:, column]), color=colour, marker="o", markersize=3)
    axes.plot([pointer], [-0.25 * columns - 0.12], marker="^", color="black", clip_on=False)
    axes.set(xlim=(-0.5, len(lines) - 0.5), ylim=(-0.25 * columns - 0.15, 1.05), yticks=(0, 1), ylabel="P")
    axes.set_xticks(
        range(len(lines)),
        [line.removesuffix(" more iron than gold") for line in lines],
        rotation=40,
        ha="right",
        fontsize=8,
    )


if __name__ == "__main__":
    weights, path = sys.argv[1:]
    save(scan_figure(load(weights), weights), Path(path))
    print(path)
