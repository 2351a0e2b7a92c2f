"""Pictures of a scene: an array, a PNG, an animated GIF, or text for a terminal."""

from collections.abc import Sequence
from functools import cache, lru_cache
from io import StringIO
from os import PathLike
from typing import Literal, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cofca.minecraft import tiles
from cofca.minecraft.scene import Line, Scene, command_text, depths, line_words, primitive_text
from cofca.minecraft.symbols import RESOURCES, Thing

Box = tuple[float, float, float, float]

PAPER, CARD, INK, MUTED, TRACK, MARK = "#F1F4F8", "#FFFFFF", "#1F2937", "#8491A3", "#DDE3EB", "#FFEFB0"
STATUS = {"running": "#4A6FA5", "success": "#2F9E44", "failed": "#D92D4A", "out of time": "#E67700"}
WORDS = {
    "keyword": "#7C3AED",
    "verb": "#1D4ED8",
    "plain": "#64748B",
    "iron": "#475569",
    "gold": "#B7791F",
    "wood": "#8A5A33",
    "merchant": "#C92A2A",
}
MARGIN, BANNER, FACTS, CAPTION, PADDING = 20, 44, 144, 92, 14
LARGE_ROW, SMALL_ROW = 28, 20
GUTTER, INDENT, TEXT = 2.35, 0.9, 0.7
"""Of a line of the program, in row heights: where the text begins, the step of a block, the font's size."""
LONGEST_LINE = "while more merchants than wood"
DEEPEST = 8
"""Deeper blocks are indented no further, or the text would leave the picture."""

LAST_FRAME = 5
"""How many times longer than the others the last frame of an animation is shown."""
RESET = "\x1b[0m"
TERMINAL_ROWS, BAR = 22, 12
TERMINAL_WORDS = {"keyword": "bold magenta", "verb": "cyan"}
LETTERS = {
    Thing.NOTHING: (".", "#A9C48A", "#E0EECB"),
    Thing.IRON: ("i", "#1F2937", "#B8C4D2"),
    Thing.GOLD: ("g", "#5C3D00", "#FFD43B"),
    Thing.WOOD: ("w", "#FFFFFF", "#8A5A33"),
    Thing.MERCHANT: ("m", "#FFFFFF", "#E5484D"),
    Thing.WATER: ("~", "#FFFFFF", "#4FA3DF"),
    Thing.WALL: ("#", "#E8D5CC", "#6E5148"),
}
"""Letter, its colour and the colour behind it."""


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


def layout(scene: Scene, tile: int = tiles.UNITS) -> Layout:
    """Depends on the grid's shape and the instruction only: the same all through an episode."""
    height, width = (min(tile, tiles.UNITS) * cells for cells in scene.cells.shape)
    left, top = MARGIN, BANNER + MARGIN
    right, facts = left + max(width, 6 * tiles.UNITS), top + max(height, 6 * tiles.UNITS)
    grid_left, grid_top = (left + right - width) // 2, (top + facts - height) // 2
    bottom = facts + FACTS
    room = bottom - top - 2 * PADDING
    row = LARGE_ROW if len(scene.lines) * LARGE_ROW <= room else SMALL_ROW
    rows = room // row
    columns = 1 if len(scene.lines) <= rows else 2
    program = right + MARGIN, top, right + MARGIN + columns * column_width(scene.lines, row) + PADDING, bottom
    return Layout(
        banner=(0, 0, program[2] + MARGIN, BANNER),
        grid=(grid_left, grid_top, grid_left + width, grid_top + height),
        time=(left, facts + 16, right, facts + 40),
        inventory=(left, facts + 48, right, facts + 88),
        action=(left, facts + 96, right, bottom),
        program=program,
        row=row,
        rows=rows,
        columns=columns,
    )


def column_width(lines: Sequence[Line], row: int) -> float:
    """Enough for the longest line there is at the greatest depth."""
    depth = min(max(depths(lines), default=0), DEEPEST)
    return round((GUTTER + INDENT * depth) * row + font(TEXT * row).getlength(LONGEST_LINE)) + PADDING


def window(count: int, current: int | None, room: int) -> range:
    """The lines shown where not all fit. It moves by half pages, so that the picture seldom jumps."""
    page = max(room // 2, 1)
    focus = count - 1 if current is None else current
    start = max(0, min(focus // page * page - page // 2, count - room))
    return range(start, min(start + room, count))


def hidden(shown: range, index: int, count: int) -> str:
    """What stands in place of a line at the edge of the window, if the program goes on beyond it."""
    if index == shown.start > 0:
        return f"… {index + 1} lines above"
    if index == shown.stop - 1 < count - 1:
        return f"… {count - index} lines below"
    return ""


@cache
def font(size: float) -> ImageFont.FreeTypeFont:
    return cast(ImageFont.FreeTypeFont, ImageFont.load_default(size))


@lru_cache(maxsize=512)
def plate(width: int, height: int, radius: int, color: str) -> Image.Image:
    """A rectangle with smooth round corners."""
    large = Image.new("RGBA", (4 * width, 4 * height))
    ImageDraw.Draw(large).rounded_rectangle((0, 0, 4 * width - 1, 4 * height - 1), 4 * radius, color)
    return large.reduce(4)


class Canvas:
    """A picture that is drawn in units."""

    def __init__(self, size: tuple[float, float], unit: float, color: str = PAPER) -> None:
        self.unit = unit
        self.image = Image.new("RGB", (self.pixels(size[0]), self.pixels(size[1])), color)
        self._draw = ImageDraw.Draw(self.image)

    def pixels(self, units: float) -> int:
        return round(units * self.unit)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        color: str = INK,
        anchor: str = "lm",
        bold: bool = False,
    ) -> float:
        """Returns where the text ends."""
        face = font(size * self.unit)
        at = self.pixels(x), self.pixels(y)
        self._draw.text(at, text, color, face, anchor, stroke_width=0.015 * size * self.unit if bold else 0)
        return x + face.getlength(text) / self.unit

    def plate(self, box: Box, color: str, radius: float = 0) -> None:
        left, top, right, bottom = map(self.pixels, box)
        if right > left:
            self.paste(plate(right - left, bottom - top, self.pixels(radius), color), box[0], box[1])

    def paste(self, image: Image.Image, x: float, y: float) -> None:
        self.image.paste(image, (self.pixels(x), self.pixels(y)), image if image.mode == "RGBA" else None)


def picture(scene: Scene, tile: int = tiles.UNITS) -> NDArray[np.uint8]:
    """The scene as an image, [height, width, 3]. `tile` is the side of a cell in pixels."""
    plan = layout(scene, tile)
    size = plan.banner[2], plan.program[3] + MARGIN
    canvas = Canvas(size, max(tile / tiles.UNITS, 1))
    draw_banner(canvas, scene, plan)
    draw_grid(canvas, scene, plan, tile)
    draw_time(canvas, scene, plan.time)
    draw_inventory(canvas, scene, plan.inventory)
    draw_action(canvas, scene, plan.action)
    draw_program(canvas, scene, plan)
    return np.asarray(canvas.image)


def draw_banner(canvas: Canvas, scene: Scene, plan: Layout) -> None:
    left, top, right, bottom = plan.banner
    canvas.plate(plan.banner, STATUS[scene.status])
    canvas.text(MARGIN, (top + bottom) / 2, scene.status.upper(), 20, CARD, bold=True)
    canvas.text(right - MARGIN, (top + bottom) / 2, f"step {scene.time}", 16, CARD, "rm")


def draw_grid(canvas: Canvas, scene: Scene, plan: Layout, tile: int) -> None:
    left, top = canvas.pixels(plan.grid[0]), canvas.pixels(plan.grid[1])
    for (row, column), code in np.ndenumerate(scene.cells):
        cell = tiles.cell(Thing(code), tile, scene.worker == (row, column))
        canvas.image.paste(cell, (left + column * tile, top + row * tile))


def draw_time(canvas: Canvas, scene: Scene, box: Box) -> None:
    left, top, right, bottom = box
    middle, share = (top + bottom) / 2, max(0, 1 - scene.time / max(scene.time_limit, 1))
    color = STATUS["success"] if share > 0.5 else STATUS["out of time"] if share > 0.2 else STATUS["failed"]
    start, end = left + CAPTION, right - 110
    canvas.text(left, middle, "time left", 15, MUTED)
    canvas.plate((start, middle - 6, end, middle + 6), TRACK, 6)
    canvas.plate((start, middle - 6, start + share * (end - start), middle + 6), color, 6)
    canvas.text(right, middle, f"{scene.time_limit - scene.time} of {scene.time_limit}", 15, anchor="rm")


def draw_inventory(canvas: Canvas, scene: Scene, box: Box) -> None:
    left, top, right, bottom = box
    middle, step = (top + bottom) / 2, (right - left - CAPTION + 8) / len(RESOURCES)
    canvas.text(left, middle, "inventory", 15, MUTED)
    for i, (thing, count) in enumerate(zip(RESOURCES, scene.inventory, strict=True)):
        start = left + CAPTION + i * step
        canvas.plate((start, top, start + step - 8, bottom), CARD, 10)
        canvas.paste(tiles.icon(thing, canvas.pixels(30)), start + 10, middle - 15)
        canvas.text(start + step - 20, middle, str(count), 20, INK if count else MUTED, "rm", bold=count > 0)


def draw_action(canvas: Canvas, scene: Scene, box: Box) -> None:
    left, top, _, bottom = box
    quarter = (bottom - top) / 4
    rows = ("command", command_text(scene.command)), ("worker", primitive_text(scene.primitive))
    for (caption, text), y in zip(rows, (top + quarter, bottom - quarter), strict=True):
        canvas.text(left, y, caption, 15, MUTED)
        canvas.text(left + CAPTION, y, text, 17, bold=True)


def draw_program(canvas: Canvas, scene: Scene, plan: Layout) -> None:
    left, top, right, _ = plan.program
    canvas.plate(plan.program, CARD, 12)
    width = (right - left - PADDING) / plan.columns
    indents = depths(scene.lines)
    shown = window(len(scene.lines), scene.current, plan.rows * plan.columns)
    for place, index in enumerate(shown):
        column, row = divmod(place, plan.rows)
        x, y = left + PADDING + column * width, top + PADDING + row * plan.row
        size = width - PADDING, plan.row
        note = hidden(shown, index, len(scene.lines))
        if note:
            canvas.text(x + GUTTER * plan.row, y + plan.row / 2, note, TEXT * plan.row, MUTED)
        else:
            marked, indent = index == scene.current, min(indents[index], DEEPEST)
            strip = line_image(scene.lines[index], index + 1, indent, marked, size, canvas.unit)
            canvas.paste(strip, x, y)


@lru_cache(maxsize=1024)
def line_image(
    line: Line, number: int, depth: int, marked: bool, size: tuple[float, int], unit: float
) -> Image.Image:
    """A line of the program. Kept, as only the mark moves between the pictures of an episode."""
    width, row = size
    canvas = Canvas(size, unit, CARD)
    if marked:
        canvas.plate((0, 0, width, row), MARK, 6)
        canvas.paste(tiles.arrow(canvas.pixels(TEXT * row)), 0.25 * row, (1 - TEXT) / 2 * row)
    canvas.text((GUTTER - 0.45) * row, row / 2, str(number), 0.55 * row, MUTED, "rm")
    for level in range(depth):
        guide = (GUTTER + INDENT * level + 0.3) * row
        canvas.plate((guide, 0, guide + 1, row), TRACK)
    x = (GUTTER + INDENT * depth) * row
    for word in line_words(line):
        x = canvas.text(
            x, row / 2, f"{word.text} ", TEXT * row, WORDS[word.role], bold=word.role == "keyword"
        )
    return canvas.image


def save_png(scene: Scene, path: str | PathLike[str]) -> None:
    """Write the picture of one scene."""
    Image.fromarray(picture(scene)).save(path, "PNG")


def save_gif(scenes: Sequence[Scene], path: str | PathLike[str], seconds_per_frame: float = 0.4) -> None:
    """Write the pictures of an episode as an endless animation that rests on its last frame."""
    samples = {scene.status: scene for scene in scenes}
    sheet = np.concatenate([picture(scene) for scene in (scenes[0], *samples.values())])
    # One colour is left free: it marks the pixels that a frame shares with the one before.
    palette = Image.fromarray(sheet).quantize(255)
    frames = [
        Image.fromarray(picture(scene)).quantize(palette=palette, dither=Image.Dither.NONE)
        for scene in scenes
    ]
    durations = [round(1000 * seconds_per_frame)] * len(frames)
    durations[-1] *= LAST_FRAME
    frames[0].save(
        path, "GIF", save_all=True, append_images=frames[1:], duration=durations, loop=0, optimize=True
    )


def ansi(scene: Scene, color: bool = True) -> str:
    """The scene as text for a terminal."""
    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_row(world_text(scene), program_text(scene))
    system: Literal["truecolor"] | None = "truecolor" if color else None
    console = Console(
        file=StringIO(),
        width=160,
        color_system=system,
        force_terminal=color,
        no_color=not color,
        legacy_windows=False,
    )
    with console.capture() as capture:
        console.print(table)
    lines = (line.rstrip() for line in capture.get().splitlines())
    return "\n".join(f"{line}{RESET if color else ''}" for line in lines)


def world_text(scene: Scene) -> Text:
    """Status, grid and facts. A cell is two columns wide: the worker's mark and the thing's letter."""
    text = Text.assemble((f" {scene.status.upper()} ", f"bold white on {STATUS[scene.status]}"), "\n\n")
    for row, codes in enumerate(scene.cells):
        for column, code in enumerate(codes):
            letter, ink, paper = LETTERS[Thing(code)]
            here = scene.worker == (row, column)
            text.append("@" if here else " ", "bold white on #7C3AED" if here else f"on {paper}")
            text.append(letter, f"bold {ink} on {paper}")
        text.append("\n")
    left = scene.time_limit - scene.time
    bar = round(BAR * left / max(scene.time_limit, 1))
    held = "  ".join(
        f"{thing.name.lower()} {count}" for thing, count in zip(RESOURCES, scene.inventory, strict=True)
    )
    text.append(f"\ninventory  {held}\ntime left  ")
    text.append("█" * bar, "green").append("░" * (BAR - bar), "dim").append(
        f" {left} of {scene.time_limit}\n"
    )
    text.append(f"command    {command_text(scene.command)}\nworker     {primitive_text(scene.primitive)}")
    return text


def program_text(scene: Scene) -> Text:
    """The instruction, its current line marked."""
    count, rows = len(scene.lines), []
    indents = depths(scene.lines)
    shown = window(count, scene.current, TERMINAL_ROWS)
    for index in shown:
        marked = index == scene.current
        row = Text.assemble(f"{'▶' if marked else ' '} ", (f"{index + 1:3} ", "dim"), "    " * indents[index])
        for word in line_words(scene.lines[index]):
            row.append(word.text, TERMINAL_WORDS.get(word.role)).append(" ")
        note = hidden(shown, index, count)
        rows.append(Text(f"      {note}", "dim") if note else row)
        if marked:
            row.stylize("bold black on #FFE066")
    return Text("\n").join(rows)
