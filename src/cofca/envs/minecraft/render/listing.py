"""The listing of the program in a picture."""

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image

from cofca.envs.minecraft.language.instruction import Symbols, depths
from cofca.envs.minecraft.language.text import words
from cofca.envs.minecraft.render.scene import DEEPEST, Scene, role
from cofca.envs.render.brush import Box
from cofca.envs.render.canvas import TRACK, Canvas, font
from cofca.envs.render.listing import GUTTER, PADDING, TEXT, LineSize, draw_listing, numbered_line

WORDS = {
    "keyword": "#7C3AED",
    "verb": "#1D4ED8",
    "plain": "#64748B",
    "iron": "#475569",
    "gold": "#B7791F",
    "wood": "#8A5A33",
    "merchant": "#C92A2A",
}
INDENT = 0.9
"""The step of a block, in row heights."""
LONGEST_LINE = "while more merchants than wood"


def column_width(lines: Sequence[Symbols], row: int) -> int:
    """What a column takes: enough for the longest line there is, at the greatest depth."""
    depth = min(max(depths(lines), default=0), DEEPEST)
    return round((GUTTER + INDENT * depth) * row + font(TEXT * row).getlength(LONGEST_LINE)) + PADDING


def draw_program(canvas: Canvas, scene: Scene, box: Box, height: int, shape: tuple[int, int]) -> None:
    """Draw as many lines of the given height as fit into the rows and columns of `shape`."""
    indents = depths(scene.lines)

    def line_image(index: int, size: LineSize) -> Image.Image:
        indent = min(indents[index], DEEPEST)
        return _line_image(scene.lines[index], index + 1, indent, index == scene.current, size)

    draw_listing(canvas, scene, box, height, shape, line_image)


@lru_cache(maxsize=1024)
def _line_image(line: Symbols, number: int, depth: int, marked: bool, size: LineSize) -> Image.Image:
    """A line of the program. Kept, as from picture to picture only the mark moves."""
    canvas, row = numbered_line(number, marked, size), size[1]
    for level in range(depth):
        guide = (GUTTER + INDENT * level + 0.3) * row
        canvas.plate((guide, 0, guide + 1, row), TRACK)
    x = (GUTTER + INDENT * depth) * row
    for text in words(line):
        kind = role(text)
        x = canvas.text(x, row / 2, f"{text} ", TEXT * row, WORDS[kind], bold=kind == "keyword")
    return canvas.image
