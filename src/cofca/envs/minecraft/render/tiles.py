"""The tiles of the picture: every thing drawn by code, in a square of 64 by 64 units."""

from collections.abc import Callable, Sequence
from functools import cache
from math import pi, sin

from PIL import Image

from cofca.envs.minecraft.symbols import COUNTED, Thing
from cofca.envs.render.brush import UNITS, Brush, Color, Point, drawn

SHADOW = (30, 50, 20, 60)


def _rock(brush: Brush, outline: Sequence[Point], heart: Point, shades: Sequence[Color]) -> None:
    """A stone with one facet for each side of its outline, all meeting in its heart."""
    for i, shade in enumerate(shades):
        brush.polygon([outline[i], outline[(i + 1) % len(outline)], heart], shade)


def _sparkle(brush: Brush, x: float, y: float, size: float) -> None:
    """A four-pointed star."""
    waist = size / 5
    right = [(x, y - size), (x + waist, y - waist), (x + size, y), (x + waist, y + waist)]
    left = [(x, y + size), (x - waist, y + waist), (x - size, y), (x - waist, y - waist)]
    brush.polygon(right + left, "#FFFFFF")


def _ground(brush: Brush) -> None:
    brush.box((0, 0, UNITS, UNITS), "#D3E5B8")
    brush.box((0.75, 0.75, UNITS - 0.75, UNITS - 0.75), "#E0EECB")
    for x, y in ((13, 19), (45, 13), (52, 47), (19, 51)):
        for lean in (-3.0, 0.0, 3.0):
            brush.line([(x, y), (x + lean, y - 4 + abs(lean) / 3)], "#C2DA9F", 1.3)


def _spot(brush: Brush) -> None:
    """The frame of the worker's cell, whose ground it pales."""
    brush.box((0, 0, UNITS, UNITS), (255, 255, 255, 110))
    brush.box((0, 0, UNITS, UNITS), None, 5, rim="#7C3AED")


def _iron(brush: Brush) -> None:
    brush.ellipse((7, 44, 57, 58), SHADOW)
    outline = [(9, 38), (17, 19), (33, 10), (48, 18), (56, 36), (50, 51), (31, 55), (14, 51)]
    shades = ["#D7E0EA", "#EDF2F7", "#C2CDDA", "#98A6B8", "#77869A", "#66758A", "#7F8EA2", "#A9B6C6"]
    _rock(brush, outline, (29, 33), shades)
    crest = [(23, 30), (32, 23), (41, 29), (33, 39)]
    _rock(brush, crest, (31, 30), ["#F8FAFC", "#DDE5EE", "#A7B4C4", "#C6D0DC"])


def _gold(brush: Brush) -> None:
    brush.ellipse((5, 45, 59, 58), SHADOW)
    shades = ["#FFE98A", "#FFF3B8", "#FFD43B", "#E9A90F", "#C98A08", "#F2BC1E"]
    nugget = [(0, 12), (5, 2), (15, 0), (25, 6), (23, 19), (6, 21)]
    for x, y in ((19, 15), (5, 33), (33, 33)):
        _rock(brush, [(x + a, y + b) for a, b in nugget], (x + 11, y + 10), shades)
    _sparkle(brush, 48, 17, 8)
    _sparkle(brush, 13, 26, 5)


def _wood(brush: Brush) -> None:
    brush.ellipse((6, 46, 60, 59), SHADOW)
    for x, y in ((9, 11), (3, 33)):
        brush.box((x, y, x + 44, y + 22), "#8A5A33", 10)
        brush.line([(x + 7, y + 4), (x + 34, y + 4)], "#A87345", 2.5)
        brush.line([(x + 5, y + 11), (x + 20, y + 11)], "#6B4323", 1.6)
        brush.line([(x + 12, y + 17), (x + 32, y + 17)], "#6B4323", 1.6)
        rings = ((0.0, "#6B4323"), (1.5, "#F0CF9C"), (4.0, "#D2A468"), (5.2, "#F0CF9C"), (7.2, "#C08E50"))
        for inset, shade in rings:
            brush.ellipse((x + 33 + inset, y + inset, x + 53 - inset, y + 22 - inset), shade)


def _merchant(brush: Brush) -> None:
    brush.ellipse((4, 50, 60, 61), SHADOW)
    for x in (9, 52):
        brush.box((x, 18, x + 3, 57), "#8A5A33")
    brush.box((20, 35, 44, 52), "#0F8B8D", 8)
    brush.ellipse((23, 20, 41, 40), "#F2C29B")
    brush.ellipse((27, 28, 30, 31), "#33272A")
    brush.ellipse((34, 28, 37, 31), "#33272A")
    brush.line([(27, 35), (32, 33.5), (37, 35)], "#5B3A29", 2.4)
    brush.box((6, 44, 58, 49), "#C98B4E", 2)
    brush.box((8, 49, 56, 59), "#A86C38", 2)
    brush.ellipse((28, 49.5, 36, 57.5), "#FFD43B")
    for i in range(6):
        left, shade = 5 + 9 * i, ("#E5484D", "#FFFFFF")[i % 2]
        brush.ellipse((left, 18, left + 9, 27), shade)
        brush.polygon([(9 + 7.7 * i, 6), (16.7 + 7.7 * i, 6), (left + 9, 22.5), (left, 22.5)], shade)


def _water(brush: Brush) -> None:
    brush.box((0, 0, UNITS, UNITS), "#63B3EA")
    for row, (y, shade) in enumerate(((12, "#8ACBF3"), (28, "#B5E0FA"), (44, "#8ACBF3"), (58, "#4FA3DF"))):
        wave = [(float(x), y + 3 * sin(pi * x / 16 + 2 * row)) for x in range(-2, UNITS + 3)]
        brush.line(wave, shade, 3)


def _wall(brush: Brush) -> None:
    brush.box((0, 0, UNITS, UNITS), "#6E5148")
    for row in range(4):
        for column in range(3):
            left, top = 32 * column - 16 * (row % 2), 16 * row
            brush.box((left + 1, top + 1, left + 31, top + 15), "#9C6B5A", 2)
            brush.box((left + 1, top + 1, left + 31, top + 12), "#B98370", 2)


def _worker(brush: Brush) -> None:
    brush.line([(13, 57), (50, 14)], "#8A5A33", 4)
    brush.polygon([(33, 6), (46, 8), (57, 19), (59, 33), (51, 22), (43, 14)], "#64748B")
    for x in (21, 33):
        brush.box((x, 50, x + 9, 61), "#1E3A8A", 2)
    brush.box((17, 35, 46, 53), "#F97316", 8)
    brush.box((21, 43, 42, 54), "#2563EB", 2)
    for x in (23, 36):
        brush.box((x, 36, x + 4, 45), "#2563EB")
    brush.ellipse((19, 4, 44, 34), "#FACC15")
    brush.box((21, 19, 42, 38), "#F6C9A0", 9)
    brush.box((16, 18, 47, 22.5), "#EAB308", 2)
    brush.ellipse((28, 9, 35, 16), "#FFFFFF")
    for x in (26, 34):
        brush.ellipse((x, 25, x + 3.5, 29), "#33272A")
    brush.line([(29, 32.5), (31.5, 33.5), (34, 32.5)], "#9A5B3C", 1.6)
    brush.outline(1.5)


PAINT: dict[Thing, Callable[[Brush], None]] = {
    Thing.NOTHING: lambda brush: None,
    Thing.IRON: _iron,
    Thing.GOLD: _gold,
    Thing.WOOD: _wood,
    Thing.MERCHANT: _merchant,
    Thing.WATER: _water,
    Thing.WALL: _wall,
}


@cache
def icon(thing: Thing, size: int) -> Image.Image:
    """The thing alone."""
    return drawn(PAINT[thing], size)


@cache
def cell(thing: Thing, size: int, worker: bool = False) -> Image.Image:
    """A cell of the grid. With the worker on it the thing draws back into a corner, so that both are seen."""
    image = drawn(_ground, size)
    layers = [(icon(thing, size), 0)]
    if worker and thing in COUNTED:
        small = size * 2 // 3
        layers = [(drawn(_spot, size), 0), (icon(thing, small), size // 12)]
        layers += [(drawn(_worker, small), size * 7 // 24)]
    elif worker:
        layers += [(drawn(_spot, size), 0), (drawn(_worker, size * 7 // 8), size // 16)]
    for layer, corner in layers:
        image.alpha_composite(layer, (corner, corner))
    return image.convert("RGB")
