"""The emblems of the buildings of a grown base, drawn by code in a square of 64 by 64 units."""

from math import cos, pi, sin

from cofca.envs.render.brush import CLEAR, Brush, Point
from cofca.envs.starcraft.render.early import DARK, GOLD, LIGHT


def _around(center: Point, radius: float, turn: float) -> Point:
    """A point of a circle; turns run clockwise from the top, 1 being all around."""
    return center[0] + radius * sin(2 * pi * turn), center[1] - radius * cos(2 * pi * turn)


def _star(center: Point, count: int, outer: float, inner: float) -> list[Point]:
    """A star with so many points, the first of them above its centre."""
    return [_around(center, inner if i % 2 else outer, i / (2 * count)) for i in range(2 * count)]


def dark_shrine(brush: Brush) -> None:
    """A purple spire with a red eye."""
    brush.polygon([(6, 59), (18, 48), (46, 48), (58, 59)], DARK)
    for side in (-1, 1):
        blade = [(7, 55), (23, 50), (20, 34), (26, 18), (13, 29)]
        brush.polygon([(32 + side * (x - 32), y) for x, y in blade], "#6B2FA0")
    brush.polygon([(32, 3), (44, 22), (41, 52), (23, 52), (20, 22)], "#3B1259")
    brush.polygon([(32, 3), (20, 22), (23, 52), (32, 52)], "#54207C")
    brush.polygon([(21, 33), (32, 25), (43, 33), (32, 41)], "#FF4D6D")
    brush.polygon([(28, 33), (32, 27.5), (36, 33), (32, 38.5)], "#FFE3E8")


def fleet_beacon(brush: Brush) -> None:
    """A mast that sends signals."""
    for radius in (29, 21):
        brush.disc((32, 24), radius, "#E64980")
        brush.disc((32, 24), radius - 3.6, CLEAR)
    # Only what shines to the sides stays of the rings.
    brush.polygon([(32, 24), (8, -20), (56, -20)], CLEAR)
    brush.polygon([(32, 24), (-6, 64), (70, 64)], CLEAR)
    brush.polygon([(15, 60), (29, 22), (35, 22), (49, 60)], DARK)
    brush.polygon([(15, 60), (29, 22), (32, 22), (32, 60)], GOLD)
    brush.polygon([(24.5, 60), (31, 34), (33, 34), (39.5, 60)], "#7A4E0B")
    brush.polygon(_star((32, 20), 4, 17, 6), "#FFB3D1")
    brush.disc((32, 20), 7, "#F06595")
    brush.disc((32, 20), 3.2, "#FFFFFF")


def robotics_bay(brush: Brush) -> None:
    """A hangar with a gear in its door."""
    brush.ellipse((3, 6, 61, 98), "#868E96")
    brush.ellipse((3, 6, 51, 98), "#ADB5BD")
    brush.ellipse((12, 17, 52, 95), "#343A40")
    for i in range(8):
        brush.line([(32, 37), _around((32, 37), 12, i / 8)], "#FF6B6B", 5)
    brush.disc((32, 37), 10, "#FF6B6B")
    brush.disc((32, 37), 4.5, "#343A40")
    brush.box((0, 54, 64, 64), CLEAR)
    brush.box((1, 52, 63, 60), GOLD, 3)


def robotics_facility(brush: Brush) -> None:
    """The head of a robot."""
    brush.line([(32, 16), (32, 6)], DARK, 4)
    brush.disc((32, 6), 5, "#FF6B6B")
    for x in (2, 53):
        brush.box((x, 27, x + 9, 45), DARK, 3)
    brush.box((8, 14, 56, 59), GOLD, 9)
    brush.box((11, 17, 53, 23), LIGHT, 3)
    brush.box((14, 25, 50, 41), "#1F2A44", 7)
    for x in (23, 41):
        brush.disc((x, 33), 5.5, "#5CE1FF")
        brush.disc((x - 1.5, 31.5), 1.8, "#FFFFFF")
    for x in (20, 29, 38):
        brush.box((x, 46, x + 6, 54), "#7A5410", 1)


def star_gate(brush: Brush) -> None:
    """A ring of lamps around a star."""
    brush.disc((32, 32), 30, DARK)
    for i in range(8):
        brush.disc(_around((32, 32), 26.5, (i + 0.5) / 8), 4.4, LIGHT)
    brush.disc((32, 32), 23, "#2B1B66")
    for x, y in ((20, 24), (44, 26), (24, 45), (42, 44)):
        brush.disc((x, y), 1.3, "#C9BFFF")
    brush.polygon(_star((32, 32), 5, 18, 7.5), "#FFE066")
    brush.polygon(_star((32, 32), 5, 9, 4), "#FFF9DB")


def templar_archives(brush: Brush) -> None:
    """A temple with lightning in it."""
    brush.polygon([(3, 23), (32, 3), (61, 23)], GOLD)
    brush.polygon([(3, 23), (32, 3), (32, 23)], LIGHT)
    brush.box((9, 23, 55, 52), "#1E3A5F")
    for x in (9, 19.5, 37.5, 48):
        brush.box((x, 23, x + 7, 53), "#D0E3FF", 1)
        brush.box((x + 4.5, 23, x + 7, 53), "#94B8EA", 1)
    brush.box((3, 52, 61, 59), DARK, 2)
    brush.polygon([(37, 9), (23, 34), (31, 34), (26, 54), (42, 27), (34, 27)], "#15AABF")
    brush.polygon([(35, 15), (26.5, 32), (33, 32), (30, 44), (38, 29), (31, 29)], "#E3FAFC")


def twilight_council(brush: Brush) -> None:
    """The sun above the horizon and the moon below it."""
    brush.disc((32, 36), 23, "#5F3DC4")
    brush.disc((32, 46), 8.5, "#D0BFFF")
    brush.disc((36, 43.5), 7.5, "#5F3DC4")
    brush.box((0, 0, 64, 35), CLEAR)
    for i in range(7):
        brush.line([_around((32, 34), 26, (i - 3) / 13), _around((32, 34), 30, (i - 3) / 13)], "#FF922B", 4)
    brush.polygon([_around((32, 34), 22, (i - 12) / 48) for i in range(25)], "#FFA94D")
    brush.polygon([_around((32, 34), 13, (i - 12) / 48) for i in range(25)], "#FFD8A8")
    brush.box((3, 32, 61, 37.5), GOLD, 2)
