"""Pictures of a scene: an array, a PNG or an animated GIF."""

from collections.abc import Sequence
from os import PathLike
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from cofca.minecraft.render import tiles
from cofca.minecraft.render.brush import UNITS, Box
from cofca.minecraft.render.canvas import CARD, INK, MUTED, STATUS, TRACK, Canvas
from cofca.minecraft.render.listing import PADDING, column_width, draw_listing
from cofca.minecraft.render.scene import Scene, command_text, primitive_text
from cofca.minecraft.symbols import RESOURCES, Thing

MARGIN, BANNER, FACTS, CAPTION, GAP = 20, 44, 144, 92, 8
SMALLEST = 6 * UNITS
"""A smaller grid gets the room of the default one, which the facts below it need."""
LARGE_ROW, SMALL_ROW = 28, 20
LAST_FRAME = 5
"""How many times longer than the others the last frame of an animation is shown."""


class Layout(NamedTuple):
    """Where things are, in units: a unit is one pixel, more with tiles of more than 64 pixels."""

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
    height, width = (min(tile, UNITS) * cells for cells in scene.cells.shape)
    left, top = MARGIN, BANNER + MARGIN
    right, facts = left + max(width, SMALLEST), top + max(height, SMALLEST)
    bottom = facts + FACTS
    room = bottom - top - 2 * PADDING
    row = LARGE_ROW if len(scene.lines) * LARGE_ROW <= room else SMALL_ROW
    columns = 1 if len(scene.lines) * row <= room else 2
    end = right + MARGIN + columns * column_width(scene.lines, row) + PADDING
    grid_left, grid_top = (left + right - width) // 2, (top + facts - height) // 2
    return Layout(
        banner=(0, 0, end + MARGIN, BANNER),
        grid=(grid_left, grid_top, grid_left + width, grid_top + height),
        time=(left, facts + 16, right, facts + 40),
        inventory=(left, facts + 48, right, facts + 88),
        action=(left, facts + 96, right, bottom),
        program=(right + MARGIN, top, end, bottom),
        row=row,
        rows=room // row,
        columns=columns,
    )


def picture(scene: Scene, tile: int = UNITS) -> NDArray[np.uint8]:
    """The scene as an image, [height, width, 3]. `tile` is the side of a cell in pixels."""
    plan = layout(scene, tile)
    canvas = Canvas(plan.banner[2], plan.program[3] + MARGIN, max(tile / UNITS, 1))
    _draw_banner(canvas, scene, plan.banner)
    _draw_grid(canvas, scene, plan.grid, tile)
    _draw_time(canvas, scene, plan.time)
    _draw_inventory(canvas, scene, plan.inventory)
    _draw_action(canvas, scene, plan.action)
    draw_listing(canvas, scene, plan.program, plan.row, (plan.rows, plan.columns))
    return np.array(canvas.image)


def save_png(scene: Scene, path: str | PathLike[str]) -> None:
    """Write the picture of one scene."""
    Image.fromarray(picture(scene)).save(path, "PNG")


def save_gif(scenes: Sequence[Scene], path: str | PathLike[str], seconds_per_frame: float = 0.4) -> None:
    """Write the pictures of an episode as an endless animation that rests on its last frame."""
    if not scenes:
        raise ValueError("an animation needs at least one scene")
    samples = {scene.status: scene for scene in scenes}
    sheet = np.concatenate([picture(scene) for scene in (scenes[0], *samples.values())])
    # One colour of 256 stays free: it marks the pixels that a frame shares with the one before.
    palette = Image.fromarray(sheet).quantize(255)
    pictures = (Image.fromarray(picture(scene)) for scene in scenes)
    first, *rest = (image.quantize(palette=palette, dither=Image.Dither.NONE) for image in pictures)
    durations = [round(1000 * seconds_per_frame)] * len(scenes)
    durations[-1] *= LAST_FRAME
    first.save(path, "GIF", save_all=True, append_images=rest, duration=durations, loop=0, optimize=True)


def _draw_banner(canvas: Canvas, scene: Scene, box: Box) -> None:
    _, top, right, bottom = box
    canvas.plate(box, STATUS[scene.status])
    canvas.text(MARGIN, (top + bottom) / 2, scene.status.upper(), 20, CARD, bold=True)
    canvas.text(right - MARGIN, (top + bottom) / 2, f"step {scene.time}", 16, CARD, "rm")


def _draw_grid(canvas: Canvas, scene: Scene, box: Box, tile: int) -> None:
    left, top = canvas.pixels(box[0]), canvas.pixels(box[1])
    for (row, column), code in np.ndenumerate(scene.cells):
        cell = tiles.cell(Thing(code), tile, scene.worker == (row, column))
        canvas.image.paste(cell, (left + column * tile, top + row * tile))


def _draw_time(canvas: Canvas, scene: Scene, box: Box) -> None:
    left, top, right, bottom = box
    middle, share = (top + bottom) / 2, max(0, 1 - scene.time / max(scene.time_limit, 1))
    color = STATUS["success"] if share > 0.5 else STATUS["out of time"] if share > 0.2 else STATUS["failed"]
    start, end = left + CAPTION, right - 110
    canvas.text(left, middle, "time left", 15, MUTED)
    canvas.plate((start, middle - 6, end, middle + 6), TRACK, 6)
    canvas.plate((start, middle - 6, start + share * (end - start), middle + 6), color, 6)
    canvas.text(right, middle, f"{scene.time_limit - scene.time} of {scene.time_limit}", 15, anchor="rm")


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
        y = top + (2 * i + 1) * (bottom - top) / 4
        canvas.text(left, y, caption, 15, MUTED)
        canvas.text(left + CAPTION, y, text, 17, bold=True)
