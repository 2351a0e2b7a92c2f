"""The listing of the instruction in a picture."""

from functools import cache, lru_cache

from PIL import Image

from cofca.envs.render.brush import Box, Brush, drawn
from cofca.envs.render.canvas import INK, MUTED, STATUS, TRACK, Canvas, font
from cofca.envs.render.listing import GUTTER, PADDING, TEXT, LineSize, draw_listing, numbered_line
from cofca.envs.starcraft.language.instruction import words
from cofca.envs.starcraft.render.emblems import emblem
from cofca.envs.starcraft.render.scene import Scene
from cofca.envs.starcraft.symbols import FIRST_UNIT, LAST_SYMBOL

ICON = 0.8
"""Side of emblems and ticks, in row heights."""
VERBS = {"Build": "#1D4ED8", "Train": "#B02A4C"}


@cache
def column_width(row: int) -> int:
    """What a column takes: enough for the longest line there is."""
    texts = (" ".join(words(line)) for line in range(1, LAST_SYMBOL + 1))
    return round((GUTTER + 2 * ICON + 1.1) * row + max(map(font(TEXT * row).getlength, texts))) + PADDING


def draw_instruction(canvas: Canvas, scene: Scene, box: Box, height: int, shape: tuple[int, int]) -> None:
    """Draw as many lines of the given height as fit into the rows and columns of `shape`."""

    def line_image(index: int, size: LineSize) -> Image.Image:
        return _line_image(scene.lines[index], index + 1, scene.satisfied[index], index == scene.current, size)

    draw_listing(canvas, scene, box, height, shape, line_image)


def _tick(brush: Brush) -> None:
    brush.disc((32, 32), 29, STATUS["success"])
    brush.line([(18, 33), (28, 43), (46, 22)], "#FFFFFF", 8)


def _open(brush: Brush) -> None:
    brush.disc((32, 32), 27, "#C3CCD8")
    brush.disc((32, 32), 21, "#FFFFFF")


@cache
def tick(done: bool, size: int) -> Image.Image:
    """A tick, or an empty ring for what is yet to be done."""
    return drawn(_tick if done else _open, size)


@lru_cache(maxsize=2048)
def _line_image(line: int, number: int, done: bool, marked: bool, size: LineSize) -> Image.Image:
    """A line of the instruction. Kept, as from picture to picture only marks and ticks change."""
    width, row, _ = size
    canvas, side = numbered_line(number, marked, size), ICON * row
    if line >= FIRST_UNIT:  # an order ends here
        canvas.plate((GUTTER * row, row - 1, width, row), TRACK)
    x, y = GUTTER * row, (row - side) / 2
    canvas.paste(tick(done, canvas.pixels(0.62 * row)), x, 0.19 * row)
    canvas.paste(emblem(line, canvas.pixels(side)), x + row, y)
    verb, noun = words(line)
    x = canvas.text(x + (1.3 + ICON) * row, row / 2, f"{verb} ", TEXT * row, VERBS[verb], bold=verb == "Train")
    canvas.text(x, row / 2, noun, TEXT * row, MUTED if done and not marked else INK, bold=verb == "Train")
    return canvas.image
