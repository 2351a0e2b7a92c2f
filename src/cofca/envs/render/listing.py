"""The listing of the instruction in a picture: where its lines go, the window, the number and the mark."""

from collections.abc import Callable
from functools import cache

from PIL import Image

from cofca.envs.render.brush import Box, drawn
from cofca.envs.render.canvas import CARD, MARK, MUTED, Canvas
from cofca.envs.render.moment import Moment, hidden_text, window

PADDING = 14
"""Around the lines, in units."""
GUTTER, TEXT = 2.35, 0.7
"""Of a line, in row heights: where its text begins, the font's size."""
BAR, POINTER = 0.2, "#1D4ED8"
"""The bar at the line an agent's pointer is at: its width in row heights, its colour."""

LineSize = tuple[float, int, float]
"""Width and height of a line in units, and a unit in pixels."""


@cache
def _arrow(size: int) -> Image.Image:
    """The mark of the current line."""
    return drawn(lambda brush: brush.polygon([(12, 6), (58, 32), (12, 58)], "#E8590C"), size)


def numbered_line(number: int, marked: bool, size: LineSize) -> Canvas:
    """A line with its number, and its mark if it is the one to do, for the domain to write on."""
    width, row, unit = size
    canvas = Canvas(width, row, unit, CARD)
    if marked:
        canvas.plate((0, 0, width, row), MARK, 6)
        canvas.paste(_arrow(canvas.pixels(TEXT * row)), 0.25 * row, (1 - TEXT) / 2 * row)
    canvas.text((GUTTER - 0.45) * row, row / 2, str(number), 0.55 * row, MUTED, "rm")
    return canvas


def draw_listing(
    canvas: Canvas,
    moment: Moment,
    box: Box,
    height: int,
    shape: tuple[int, int],
    line_image: Callable[[int, LineSize], Image.Image],
) -> None:
    """Draw as many lines of the given height as fit into the rows and columns of `shape`."""
    left, top, right, _ = box
    rows, columns = shape
    canvas.plate(box, CARD, 12)
    width = (right - left - PADDING) / columns
    count = len(moment.lines)
    shown = window(count, moment.current, rows * columns)
    for place, index in enumerate(shown):
        column, row = divmod(place, rows)
        x, y = left + PADDING + column * width, top + PADDING + row * height
        if note := hidden_text(shown, index, count):
            canvas.text(x + GUTTER * height, y + height / 2, note, TEXT * height, MUTED)
        else:
            canvas.paste(line_image(index, (width - PADDING, height, canvas.unit)), x, y)
        if index == moment.pointer:
            canvas.plate((x, y, x + BAR * height, y + height), POINTER, 2)
