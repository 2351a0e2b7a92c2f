"""The page that pictures of all domains are laid out on: banner, grid, facts below it, instruction beside it."""

from collections.abc import Callable
from typing import NamedTuple

from cofca.envs.render.brush import UNITS, Box
from cofca.envs.render.canvas import CARD, MUTED, STATUS, TRACK, Canvas
from cofca.envs.render.listing import PADDING
from cofca.envs.render.moment import Moment

MARGIN, BANNER, CAPTION = 20, 44, 92
SMALLEST = 6 * UNITS
"""A smaller grid gets the room of the default one, which the facts below it need."""
LARGE_ROW, SMALL_ROW = 28, 20


class Page(NamedTuple):
    """Where things are, in units: a unit is one pixel, more with tiles of more than 64 pixels."""

    banner: Box
    grid: Box
    facts: Box
    program: Box
    row: int
    """Height of a line of the program."""
    rows: int
    columns: int


def page(cells: tuple[int, ...], tile: int, facts: int, lines: int, column_width: Callable[[int], int]) -> Page:
    """Make room for a grid so many cells high and wide, facts so high, and so many lines.

    `column_width` tells what a column of lines takes, given the height of a line.
    """
    height, width = (min(tile, UNITS) * count for count in cells)
    left, top = MARGIN, BANNER + MARGIN
    right, middle = left + max(width, SMALLEST), top + max(height, SMALLEST)
    bottom = middle + facts
    room = bottom - top - 2 * PADDING
    row = LARGE_ROW if lines * LARGE_ROW <= room else SMALL_ROW
    columns = 1 if lines * row <= room else 2
    end = right + MARGIN + columns * column_width(row) + PADDING
    grid_left, grid_top = (left + right - width) // 2, (top + middle - height) // 2
    return Page(
        banner=(0, 0, end + MARGIN, BANNER),
        grid=(grid_left, grid_top, grid_left + width, grid_top + height),
        facts=(left, middle, right, bottom),
        program=(right + MARGIN, top, end, bottom),
        row=row,
        rows=room // row,
        columns=columns,
    )


def draw_banner(canvas: Canvas, moment: Moment, box: Box) -> None:
    """The status, in its colour, and the time."""
    _, top, right, bottom = box
    canvas.plate(box, STATUS[moment.status])
    canvas.text(MARGIN, (top + bottom) / 2, moment.status.upper(), 20, CARD, bold=True)
    canvas.text(right - MARGIN, (top + bottom) / 2, f"step {moment.time}", 16, CARD, "rm")


def draw_time(canvas: Canvas, moment: Moment, box: Box) -> None:
    """The time left as a bar, whose colour warns."""
    left, top, right, bottom = box
    middle, share = (top + bottom) / 2, max(0, 1 - moment.time / max(moment.time_limit, 1))
    color = STATUS["success"] if share > 0.5 else STATUS["out of time"] if share > 0.2 else STATUS["failed"]
    start, end = left + CAPTION, right - 110
    canvas.text(left, middle, "time left", 15, MUTED)
    canvas.plate((start, middle - 6, end, middle + 6), TRACK, 6)
    canvas.plate((start, middle - 6, start + share * (end - start), middle + 6), color, 6)
    canvas.text(right, middle, f"{moment.time_limit - moment.time} of {moment.time_limit}", 15, anchor="rm")


def draw_fact(canvas: Canvas, caption: str, text: str, x: float, y: float, size: float = 17) -> float:
    """A fact with its caption, on a line of its own; returns where it ends."""
    canvas.text(x, y, caption, 15, MUTED)
    return canvas.text(x + CAPTION, y, text, size, bold=True)
