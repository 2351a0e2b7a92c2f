"""The emblems of the buildings of a young base, drawn by code in a square of 64 by 64 units."""

from cofca.envs.render.brush import Brush

GOLD, LIGHT, DARK = "#E3B23C", "#F8DC8A", "#A97A1D"
"""The metal that all buildings are made of, in light and in shade."""


def assimilator(brush: Brush) -> None:
    """A tank of green gas between golden pillars."""
    brush.polygon([(4, 58), (14, 40), (50, 40), (60, 58)], DARK)
    brush.box((15, 14, 49, 54), "#2F9E44", 15)
    brush.box((19, 17, 27, 50), "#8CE99A", 5)
    for x in (6, 46):
        brush.box((x, 22, x + 12, 58), GOLD, 5)
        brush.box((x + 2, 24, x + 5, 56), LIGHT, 2)
    brush.box((12, 8, 52, 17), GOLD, 4)
    brush.box((14, 9, 50, 12), LIGHT, 2)
    brush.box((12, 50, 52, 58), GOLD, 2)


def cybernetics_core(brush: Brush) -> None:
    """A chip with a shining heart."""
    for i in (20, 32, 44):
        brush.line([(i, 4), (i, 60)], DARK, 4)
        brush.line([(4, i), (60, i)], DARK, 4)
    brush.box((10, 10, 54, 54), GOLD, 7)
    brush.box((14, 14, 50, 50), "#0B3B4A", 5)
    brush.disc((32, 32), 15, "#22B8CF")
    brush.disc((32, 32), 11.5, "#0B3B4A")
    brush.disc((32, 32), 8.5, "#66E4F5")
    brush.disc((29.5, 29.5), 3, "#FFFFFF")


def forge(brush: Brush) -> None:
    """An anvil with glowing iron on it."""
    for x, y, size in ((11, 10, 2.6), (20, 5, 2.0), (54, 7, 2.4)):
        brush.disc((x, y), size, "#FFD43B")
    brush.polygon([(2, 22), (61, 22), (57, 33), (47, 37), (45, 50), (22, 50), (21, 38), (10, 33)], "#7B8794")
    brush.polygon([(22, 46), (45, 46), (51, 58), (16, 58)], "#52606D")
    brush.box((12, 54, 55, 61), "#3E4C59", 2)
    brush.polygon([(2, 21), (61, 21), (60, 27), (7, 27)], "#B3BDC8")
    brush.box((24, 10, 53, 21), "#F76707", 3)
    brush.box((27, 12.5, 50, 16), "#FFD8A8", 1.5)


def gateway(brush: Brush) -> None:
    """A golden arch around a blue portal."""
    brush.ellipse((5, 4, 59, 60), DARK)
    brush.ellipse((5, 4, 55, 60), GOLD)
    brush.box((3, 34, 61, 60), GOLD, 3)
    for x in (3, 52):
        brush.box((x, 34, x + 9, 60), LIGHT, 3)
    brush.ellipse((14, 14, 50, 58), "#1C4FD8")
    brush.box((14, 36, 50, 60), "#1C4FD8")
    brush.ellipse((20, 22, 44, 56), "#4C8DFF")
    brush.ellipse((26, 30, 38, 54), "#C5DCFF")
    brush.polygon([(26, 1), (38, 1), (35, 15), (29, 15)], LIGHT)


def nexus(brush: Brush) -> None:
    """A golden pyramid that bears a crystal."""
    brush.polygon([(1, 58), (11, 44), (53, 44), (63, 58)], DARK)
    brush.polygon([(6, 52), (32, 10), (58, 52)], GOLD)
    brush.polygon([(6, 52), (32, 10), (26, 52)], LIGHT)
    brush.polygon([(58, 52), (32, 10), (45, 52)], "#C8942A")
    brush.polygon([(32, 2), (43, 19), (32, 36), (21, 19)], "#1FB6FF")
    brush.polygon([(32, 2), (21, 19), (32, 19)], "#B6E9FF")
    brush.polygon([(32, 36), (43, 19), (32, 19)], "#0B7FC2")
    brush.box((26, 43, 38, 54), "#6B4A0B", 3)


def photon_cannon(brush: Brush) -> None:
    """A green orb on three legs."""
    brush.line([(32, 42), (9, 58)], DARK, 8)
    brush.line([(32, 42), (55, 58)], DARK, 8)
    brush.line([(32, 40), (32, 60)], GOLD, 9)
    brush.polygon([(10, 34), (54, 34), (46, 48), (18, 48)], GOLD)
    brush.polygon([(10, 34), (32, 34), (27, 48), (18, 48)], LIGHT)
    for side in (-1, 1):
        horn = [(7, 40), (4, 12), (15, 27), (18, 40)]
        brush.polygon([(32 + side * (x - 32), y) for x, y in horn], GOLD)
    brush.disc((32, 22), 18, "#12B886")
    brush.disc((31, 21), 13, "#63E6BE")
    brush.disc((28, 17), 6, "#F3FFFA")


def pylon(brush: Brush) -> None:
    """A blue crystal held by golden clasps."""
    brush.polygon([(32, 1), (49, 31), (32, 61), (15, 31)], "#3B82F6")
    brush.polygon([(32, 1), (15, 31), (32, 31)], "#BBD7FF")
    brush.polygon([(32, 61), (15, 31), (32, 31)], "#6AA5FF")
    brush.polygon([(32, 61), (49, 31), (32, 31)], "#1D4FBF")
    for y, reach in ((21, 20), (43, 20)):
        brush.line([(32 - reach, y - 5), (32 - reach / 2, y + 3), (32, y + 5)], GOLD, 5)
        brush.line([(32 + reach, y - 5), (32 + reach / 2, y + 3), (32, y + 5)], DARK, 5)
