"""What pictures are drawn on, and their colours."""

from functools import cache, lru_cache
from typing import cast

from PIL import Image, ImageDraw, ImageFont

from cofca.envs.render.brush import Box

BACKGROUND, CARD, INK, MUTED, TRACK, MARK = "#F1F4F8", "#FFFFFF", "#1F2937", "#8491A3", "#DDE3EB", "#FFEFB0"
STATUS = {"running": "#4A6FA5", "success": "#2F9E44", "failed": "#D92D4A", "out of time": "#E67700"}


@cache
def font(size: float) -> ImageFont.FreeTypeFont:
    """The one font there is, in a size given in pixels."""
    return cast(ImageFont.FreeTypeFont, ImageFont.load_default(size))


@lru_cache(maxsize=512)
def _plate(width: int, height: int, radius: int, color: str) -> Image.Image:
    """A rectangle with smooth round corners."""
    large = Image.new("RGBA", (4 * width, 4 * height))
    ImageDraw.Draw(large).rounded_rectangle((0, 0, 4 * width - 1, 4 * height - 1), 4 * radius, color)
    return large.reduce(4)


class Canvas:
    """A picture that is drawn in units."""

    def __init__(self, width: float, height: float, unit: float, color: str = BACKGROUND) -> None:
        self.unit = unit
        self.image = Image.new("RGB", (self.pixels(width), self.pixels(height)), color)
        self._draw = ImageDraw.Draw(self.image)

    def pixels(self, units: float) -> int:
        """A length in whole pixels."""
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
        """Write a text and return where it ends. Bold is printed twice, as Pillow has no bold font."""
        chosen = font(size * self.unit)
        for shift in (0, 0.03 * size * self.unit) if bold else (0,):
            self._draw.text((self.pixels(x) + shift, self.pixels(y)), text, color, chosen, anchor)
        return x + chosen.getlength(text) / self.unit

    def plate(self, box: Box, color: str, radius: float = 0) -> None:
        """Fill a box with round corners."""
        left, top, right, bottom = map(self.pixels, box)
        if right > left:
            self.paste(_plate(right - left, bottom - top, self.pixels(radius), color), box[0], box[1])

    def paste(self, image: Image.Image, x: float, y: float) -> None:
        """Put an image in place, given its left upper corner."""
        self.image.paste(image, (self.pixels(x), self.pixels(y)), image if image.mode == "RGBA" else None)
