"""Pictures of a scene: an array, a PNG or an animated GIF."""

from collections.abc import Sequence
from os import PathLike
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cofca.envs.minecraft.render import tiles
from cofca.envs.minecraft.render.listing import column_width, draw_program
from cofca.envs.minecraft.render.scene import Scene, command_text, primitive_text
from cofca.envs.minecraft.symbols import RESOURCES, Thing
from cofca.envs.render.brush import UNITS, Box
from cofca.envs.render.canvas import CARD, INK, MUTED, Canvas
from cofca.envs.render.files import SECONDS_PER_FRAME, write_gif, write_png
from cofca.envs.render.page import CAPTION, MARGIN, draw_banner, draw_fact, draw_time, page

FACTS, GAP = 144, 8


class Layout(NamedTuple):
    """Where things are, in the units of a `Page`."""

    banner: Box
    grid: Box
    time: Box
    inventory: Box
    action: Box
    program: Box
    row: int
    """Height of a line of the program."""
    rows: int
    columns: int


def layout(scene: Scene, tile: int = UNITS) -> Layout:
    """Depends on the grid's shape and the instruction only: the same all through an episode."""
    base = page(scene.cells.shape, tile, FACTS, len(scene.lines), lambda row: column_width(scene.lines, row))
    left, top, right, bottom = base.facts
    return Layout(
        banner=base.banner,
        grid=base.grid,
        time=(left, top + 16, right, top + 40),
        inventory=(left, top + 48, right, top + 88),
        action=(left, top + 96, right, bottom),
        program=base.program,
        row=base.row,
        rows=base.rows,
        columns=base.columns,
    )


def picture(scene: Scene, tile: int = UNITS) -> NDArray[np.uint8]:
    """The scene as an image, [height, width, 3]. `tile` is the side of a cell in pixels."""
    plan = layout(scene, tile)
    canvas = Canvas(plan.banner[2], plan.program[3] + MARGIN, max(tile / UNITS, 1))
    draw_banner(canvas, scene, plan.banner)
    _draw_grid(canvas, scene, plan.grid, tile)
    draw_time(canvas, scene, plan.time)
    _draw_inventory(canvas, scene, plan.inventory)
    _draw_action(canvas, scene, plan.action)
    draw_program(canvas, scene, plan.program, plan.row, (plan.rows, plan.columns))
    return np.array(canvas.image)


def grid_picture(scene: Scene, tile: int = UNITS) -> NDArray[np.uint8]:
    """The map alone."""
    height, width = scene.cells.shape
    canvas = Canvas(width * tile, height * tile, 1)
    _draw_grid(canvas, scene, (0, 0, 0, 0), tile)
    return np.array(canvas.image)


def save_png(scene: Scene, path: str | PathLike[str]) -> None:
    """Write the picture of one scene."""
    write_png(picture(scene), path)


def save_gif(scenes: Sequence[Scene], path: str | PathLike[str], seconds_per_frame: float = SECONDS_PER_FRAME) -> None:
    """Write the pictures of an episode as an endless animation that rests on its last frame."""
    write_gif(scenes, picture, path, seconds_per_frame)


def _draw_grid(canvas: Canvas, scene: Scene, box: Box, tile: int) -> None:
    left, top = canvas.pixels(box[0]), canvas.pixels(box[1])
    for (row, column), code in np.ndenumerate(scene.cells):
        cell = tiles.cell(Thing(code), tile, scene.worker == (row, column))
        canvas.image.paste(cell, (left + column * tile, top + row * tile))


def _draw_inventory(canvas: Canvas, scene: Scene, box: Box) -> None:
    left, top, right, bottom = box
    middle, step = (top + bottom) / 2, (right - left - CAPTION + GAP) / len(RESOURCES)
    canvas.text(left, middle, "inventory", 15, MUTED)
    for i, (thing, count) in enumerate(zip(RESOURCES, scene.inventory, strict=True)):
        start = left + CAPTION + i * step
        canvas.plate((start, top, start + step - GAP, bottom), CARD, 10)
        canvas.paste(tiles.icon(thing, canvas.pixels(32)), start + 10, middle - 16)
        color = INK if count else MUTED
        canvas.text(start + step - GAP - 12, middle, str(count), 20, color, "rm", bold=count > 0)


def _draw_action(canvas: Canvas, scene: Scene, box: Box) -> None:
    left, top, _, bottom = box
    facts = ("command", command_text(scene.command)), ("worker", primitive_text(scene.primitive))
    for i, (caption, text) in enumerate(facts):
        draw_fact(canvas, caption, text, left, top + (2 * i + 1) * (bottom - top) / 4)
