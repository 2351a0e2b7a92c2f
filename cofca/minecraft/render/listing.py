"""The listing of the program in a picture."""

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image

from cofca.minecraft.language.instruction import Symbols, depths
from cofca.minecraft.language.text import words
from cofca.minecraft.render import tiles
from cofca.minecraft.render.brush import Box
from cofca.minecraft.render.canvas import CARD, MARK, MUTED, TRACK, Canvas, font
from cofca.minecraft.render.scene import DEEPEST, Scene, hidden_text, role, window

WORDS = {
    "keyword": "#7C3AED",
    "verb": "#1D4ED8",
    "plain": "#64748B",
    "iron": "#475569",
    "gold": "#B7791F",
    "wood": "#8A5A33",
    "merchant": "#C92A2A",
}
PADDING = 14
"""Around the lines, in units."""
GUTTER, INDENT, TEXT = 2.35, 0.9, 0.7
"""Of a line, in row heights: where its text begins, the step of a block, the font's size."""
LONGEST_LINE = "while more merchants than wood"


def column_width(lines: Sequence[Symbols], row: int) -> int:
    """What a column takes: enough for the longest line there is, at the greatest depth."""
    depth = min(max(depths(lines), default=0), DEEPEST)
    return round((GUTTER + INDENT * depth) * row + font(TEXT * row).getlength(LONGEST_LINE)) + PADDING


def draw_listing(canvas: Canvas, scene: Scene, box: Box, height: int, shape: tuple[int, int]) -> None:
    """Draw as many lines of the given height as fit into the rows and columns of `shape`."""
    left, top, right, _ = box
    rows, columns = shape
    canvas.plate(box, CARD, 12)
    width = (right - left - PADDING) / columns
    indents, count = depths(scene.lines), len(scene.lines)
    shown = window(count, scene.current, rows * columns)
    for place, index in enumerate(shown):
        column, row = divmod(place, rows)
        x, y = left + PADDING + column * width, top + PADDING + row * height
        if note := hidden_text(shown, index, count):
            canvas.text(x + GUTTER * height, y + height / 2, note, TEXT * height, MUTED)
            continue
        marked, indent = index == scene.current, min(indents[index], DEEPEST)
        size = width - PADDING, height, canvas.unit
        canvas.paste(_line_image(scene.lines[index], index + 1, indent, marked, size), x, y)


@lru_cache(maxsize=1024)
def _line_image(line: Symbols, number: int, depth: int, marked: bool, size: tuple[float, int, float]) -> Image.Image:
    """A line of the program. Kept, as from picture to picture only the mark moves."""
    width, row, unit = size
    canvas = Canvas(width, row, unit, CARD)
    if marked:
        canvas.plate((0, 0, width, row), MARK, 6)
        canvas.paste(tiles.arrow(canvas.pixels(TEXT * row)), 0.25 * row, (1 - TEXT) / 2 * row)
    canvas.text((GUTTER - 0.45) * row, row / 2, str(number), 0.55 * row, MUTED, "rm")
    for level in range(depth):
        guide = (GUTTER + INDENT * level + 0.3) * row
        canvas.plate((guide, 0, guide + 1, row), TRACK)
    x = (GUTTER + INDENT * depth) * row
    for text in words(line):
        kind = role(text)
        x = canvas.text(x, row / 2, f"{text} ", TEXT * row, WORDS[kind], bold=kind == "keyword")
    return canvas.image
