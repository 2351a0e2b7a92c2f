"""Pictures of a scene: an array, a PNG or an animated GIF."""

from collections.abc import Sequence
from os import PathLike
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cofca.envs.render.brush import UNITS, Box
from cofca.envs.render.canvas import CARD, MUTED, STATUS, Canvas, font
from cofca.envs.render.files import SECONDS_PER_FRAME, write_gif, write_png
from cofca.envs.render.page import CAPTION, MARGIN, draw_banner, draw_fact, draw_time, page
from cofca.envs.starcraft.render.grid import draw_grid
from cofca.envs.starcraft.render.listing import column_width, draw_instruction
from cofca.envs.starcraft.render.scene import Scene, choice_text, news_texts, passed_text, stage_text, units_text
from cofca.envs.starcraft.render.tree import draw_tree, tree_width

FACTS, FACT = 152, 27
"""Height of the facts below the grid, and of one of them."""
SIZE, NOTICE = 15, 13.5
"""Of the fonts of facts and notices."""


class Layout(NamedTuple):
    """Where things are, in the units of a `Page`."""

    banner: Box
    grid: Box
    time: Box
    units: Box
    command: Box
    choice: Box
    news: Box
    program: Box
    tree: Box
    row: int
    """Height of a line of the instruction."""
    rows: int
    columns: int


def layout(scene: Scene, tile: int = UNITS) -> Layout:
    """Depends on the grid's shape and the instruction only: the same all through an episode."""
    base = page(scene.buildings.shape, tile, FACTS, len(scene.lines), column_width)
    left, _, right, bottom = base.facts
    _, top, end, _ = base.program
    time, units, command, choice, news = (
        (left, bottom - i * FACT, right, bottom - (i - 1) * FACT) for i in (5, 4, 3, 2, 1)
    )
    tree_right = end + MARGIN + tree_width(scene.lines, bottom - top)
    return Layout(
        banner=(0, 0, tree_right + MARGIN, base.banner[3]),
        grid=base.grid,
        time=time,
        units=units,
        command=command,
        choice=choice,
        news=news,
        program=base.program,
        tree=(end + MARGIN, top, tree_right, bottom),
        row=base.row,
        rows=base.rows,
        columns=base.columns,
    )


def picture(scene: Scene, tile: int = UNITS) -> NDArray[np.uint8]:
    """The scene as an image, [height, width, 3]. `tile` is the side of a cell in pixels."""
    plan = layout(scene, tile)
    canvas = Canvas(plan.banner[2], plan.program[3] + MARGIN, max(tile / UNITS, 1))
    draw_banner(canvas, scene, plan.banner)
    draw_grid(canvas, scene, plan.grid, tile)
    draw_time(canvas, scene, plan.time)
    _draw_facts(canvas, scene, plan)
    _draw_news(canvas, scene, plan.news)
    draw_instruction(canvas, scene, plan.program, plan.row, (plan.rows, plan.columns))
    draw_tree(canvas, scene, plan.tree)
    return np.array(canvas.image)


def grid_picture(scene: Scene, tile: int = UNITS) -> NDArray[np.uint8]:
    """The map alone, with the numbers of rows and columns."""
    height, width = scene.buildings.shape
    box = (MARGIN, MARGIN, MARGIN + width * tile, MARGIN + height * tile)
    canvas = Canvas(box[2] + MARGIN, box[3] + MARGIN, 1)
    draw_grid(canvas, scene, box, tile)
    return np.array(canvas.image)


def save_png(scene: Scene, path: str | PathLike[str]) -> None:
    """Write the picture of one scene."""
    write_png(picture(scene), path)


def save_gif(scenes: Sequence[Scene], path: str | PathLike[str], seconds_per_frame: float = SECONDS_PER_FRAME) -> None:
    """Write the pictures of an episode as an endless animation that rests on its last frame."""
    write_gif(scenes, picture, path, seconds_per_frame)


def _draw_facts(canvas: Canvas, scene: Scene, plan: Layout) -> None:
    width, (start, _, end, _) = scene.buildings.shape[1], plan.units
    units = units_text(scene, lambda text: font(SIZE).getlength(text) <= end - start - CAPTION)
    for caption, text, (left, top, _, bottom) in (
        ("units", units, plan.units),
        ("command", stage_text(scene.stage, width), plan.command),
        ("choice", choice_text(scene.choice, width), plan.choice),
    ):
        x = draw_fact(canvas, caption, text, left, (top + bottom) / 2, SIZE)
        if caption == "choice":
            canvas.text(x + 10, (top + bottom) / 2, passed_text(scene), 13, MUTED)


def _draw_news(canvas: Canvas, scene: Scene, box: Box) -> None:
    """What the enemy did in the latest time step, as notices."""
    left, top, _, bottom = box
    middle = (top + bottom) / 2
    news = news_texts(scene)
    draw_fact(canvas, "enemy", "" if news else "-", left, middle, SIZE)
    x = left + CAPTION
    for text in news:
        end = x + font(NOTICE).getlength(text) + 16
        canvas.plate((x, top + 2, end, bottom - 1), STATUS["failed"], 8)
        canvas.text(x + 8, middle, text, NOTICE, CARD, bold=True)
        x = end + 6
