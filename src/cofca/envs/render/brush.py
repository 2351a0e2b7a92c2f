"""The brush that tiles are painted with, in units that do not depend on their size."""

from collections.abc import Callable, Sequence

from PIL import Image, ImageDraw, ImageFilter

UNITS = 64
"""The side of a tile."""
SMOOTH = 4
"""Tiles are drawn this many times too large and then shrunk, which smooths the edges."""
RIM = 3
"""Width of rims."""

Color = str | tuple[int, int, int, int]
Point = tuple[float, float]
Box = tuple[float, float, float, float]
CLEAR: Color = (0, 0, 0, 0)
"""Drawing with it erases."""


class Brush:
    """Draws in units on a large transparent square, so many pixels and units wide once it is shrunk."""

    def __init__(self, size: int, units: float = UNITS) -> None:
        self.scale = SMOOTH * size / units
        self.image = Image.new("RGBA", (SMOOTH * size, SMOOTH * size))
        self._draw = ImageDraw.Draw(self.image)

    def polygon(self, points: Sequence[Point], fill: Color) -> None:
        """A filled polygon."""
        self._draw.polygon([(x * self.scale, y * self.scale) for x, y in points], fill)

    def ellipse(self, box: Box, fill: Color) -> None:
        """A filled ellipse."""
        self._draw.ellipse(self._box(box), fill)

    def disc(self, center: Point, radius: float, fill: Color) -> None:
        """A filled circle."""
        x, y = center
        self.ellipse((x - radius, y - radius, x + radius, y + radius), fill)

    def box(self, box: Box, fill: Color | None, radius: float = 0, rim: Color | None = None) -> None:
        """A rectangle, its corners rounded and its rim drawn if asked for."""
        width = round(RIM * self.scale)
        self._draw.rounded_rectangle(self._box(box), radius * self.scale, fill, rim, width)

    def line(self, points: Sequence[Point], fill: Color, width: float) -> None:
        """A line with round ends and joints."""
        for point in points:
            self.disc(point, width / 2, fill)
        scaled = [(x * self.scale, y * self.scale) for x, y in points]
        self._draw.line(scaled, fill, round(width * self.scale), joint="curve")

    def outline(self, width: float) -> None:
        """A white rim around what is drawn so far, which sets it off from anything behind it."""
        glow = self.image.getchannel("A").filter(ImageFilter.GaussianBlur(width * self.scale))
        sticker = Image.new("RGBA", self.image.size, "white")
        sticker.putalpha(glow.point([min(8 * alpha, 255) for alpha in range(256)]))
        self.image = Image.alpha_composite(sticker, self.image)

    def _box(self, box: Box) -> Box:
        left, top, right, bottom = (value * self.scale for value in box)
        return left, top, right - 1, bottom - 1


def drawn(paint: Callable[[Brush], None], size: int, units: float = UNITS) -> Image.Image:
    """What the painter paints, on a transparent square."""
    brush = Brush(size, units)
    paint(brush)
    return brush.image.resize((size, size), Image.Resampling.BOX)
