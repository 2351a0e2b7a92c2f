"""The tiles of the picture: cells, Probes and what is to be built, drawn by code in squares of 64 by 64 units."""

from functools import cache

from PIL import Image, ImageDraw

from cofca.envs.render.brush import UNITS, Brush, Color, Point, drawn
from cofca.envs.render.canvas import font
from cofca.envs.starcraft.render.emblems import emblem
from cofca.envs.starcraft.symbols import Building, Terrain

PROBES = ("#4DABF7", "#FF8787", "#B197FC")
"""Each Probe has a colour, in which its way and its goal are drawn too."""
GROUND = {
    Terrain.PLAIN: ("#222A42", "#2C3653"),
    Terrain.MINERALS: ("#1B4B74", "#245E8F"),
    Terrain.GAS: ("#1E5638", "#2A7048"),
}
"""Seam and ground. Terrain colours the whole cell, so that it is seen under a building too."""
SHORT = {
    Building.ASSIMILATOR: "Assimil.",
    Building.CYBERNETICS_CORE: "CyberCore",
    Building.DARK_SHRINE: "DarkShrine",
    Building.FLEET_BEACON: "FleetBeac.",
    Building.FORGE: "Forge",
    Building.GATEWAY: "Gateway",
    Building.NEXUS: "Nexus",
    Building.PHOTON_CANNON: "Cannon",
    Building.PYLON: "Pylon",
    Building.ROBOTICS_BAY: "RoboBay",
    Building.ROBOTICS_FACILITY: "RoboFacil.",
    Building.STAR_GATE: "StarGate",
    Building.TEMPLAR_ARCHIVES: "Archives",
    Building.TWILIGHT_COUNCIL: "Twilight",
}
"""Names that fit below a tile."""
LEGIBLE = 48
"""On smaller tiles names could not be read, and are left out."""


def _ground(brush: Brush, terrain: Terrain) -> None:
    seam, ground = GROUND[terrain]
    brush.box((0, 0, UNITS, UNITS), seam)
    brush.box((0.75, 0.75, UNITS - 0.75, UNITS - 0.75), ground)


def _minerals(brush: Brush) -> None:
    for x, y, half, height in ((32, 8, 9, 46), (17, 24, 7, 31), (47, 22, 7, 33), (25, 36, 6, 22), (40, 38, 6, 20)):
        top, bottom = (x, y), (x, y + height)
        brush.polygon([top, (x + half, y + height / 3), (x + half - 2, y + height - 4), bottom], "#1C8FE0")
        brush.polygon([top, (x - half, y + height / 3), (x - half + 2, y + height - 4), bottom], "#7CD0FF")
        brush.polygon([top, (x - half, y + height / 3), (x + half, y + height / 3)], "#D3F1FF")


def _gas(brush: Brush) -> None:
    brush.ellipse((8, 34, 56, 60), "#123A24")
    brush.ellipse((12, 37, 52, 57), "#7A6A4F")
    brush.ellipse((19, 40, 45, 54), "#0D2B1A")
    for x, y, radius, shade in (
        *((32, 40, 9, "#2F9E44"), (25, 31, 9, "#40C057"), (38, 28, 10, "#51CF66")),
        *((28, 18, 8, "#8CE99A"), (37, 12, 5, "#B2F2BB")),
    ):
        brush.disc((x, y), radius, shade)


def _flame(brush: Brush, x: float, y: float, size: float) -> None:
    for share, shade in ((1.0, "#F03E3E"), (0.72, "#FD7E14"), (0.42, "#FFE066")):
        r = share * size
        brush.disc((x, y - 0.62 * r), 0.62 * r, shade)
        brush.polygon([(x - 0.6 * r, y - 0.8 * r), (x + 0.1 * r, y - 2.3 * r), (x + 0.6 * r, y - 0.8 * r)], shade)


def _rubble(brush: Brush) -> None:
    brush.ellipse((3, 40, 61, 62), (0, 0, 0, 130))
    stones: tuple[tuple[float, float, float, Color], ...] = (
        *((16, 52, 10, "#5C5F66"), (46, 51, 11, "#495057"), (32, 55, 9, "#868E96"), (10, 57, 5, "#A97A1D")),
        *((54, 58, 5, "#868E96"), (24, 59, 4, "#E3B23C")),
    )
    for x, y, r, shade in stones:
        brush.polygon([(x - r, y + r / 2), (x - r / 2, y - r / 2), (x + r / 3, y - 0.7 * r), (x + r, y + r / 2)], shade)
    _flame(brush, 17, 50, 11)
    _flame(brush, 47, 48, 12)
    _flame(brush, 32, 54, 17)


def _probe(brush: Brush, color: Color) -> None:
    for side in (-1, 1):
        wing: list[Point] = [(22, 22), (1, 12), (4, 42), (22, 46)]
        brush.polygon([(32 + side * (x - 32), y) for x, y in wing], "#E3B23C")
    brush.polygon([(20, 44), (44, 44), (36, 61), (28, 61)], "#A97A1D")
    brush.disc((32, 31), 23, "#E3B23C")
    brush.disc((32, 31), 19, color)
    brush.outline(1.5)


@cache
def probe(number: int, size: int) -> Image.Image:
    """A Probe with its number, from 1."""
    image = drawn(lambda brush: _probe(brush, PROBES[number - 1]), size)
    place, pen = (size / 2, 0.485 * size), ImageDraw.Draw(image)
    pen.text(place, str(number), "#10182B", font(0.5 * size), "mm", stroke_width=size / 80, stroke_fill="#10182B")
    return image


@cache
def cell(terrain: Terrain, building: int, size: int, destroyed: bool = False, busy: bool = False) -> Image.Image:
    """A cell of the grid. On a busy one the building draws back, to make room for Probes above it."""
    image = drawn(lambda brush: _ground(brush, terrain), size)
    if terrain != Terrain.PLAIN and not building:
        image.alpha_composite(drawn(_minerals if terrain == Terrain.MINERALS else _gas, size))
    if destroyed:
        image.alpha_composite(drawn(_rubble, size))
    if building:
        put_emblem(image, Building(building), busy)
    return image.convert("RGB")


def put_emblem(image: Image.Image, building: Building, busy: bool = False, strength: float = 1.0) -> None:
    """Put a building and its name into a tile."""
    size = image.width
    name_height = round(0.2 * size) if size >= LEGIBLE else 0
    room = size - name_height - (round(0.29 * size) if busy else 0)
    side = round(0.92 * room)
    top = size - name_height - room + (room - side) // 2
    image.alpha_composite(emblem(building, side, strength), ((size - side) // 2, top))
    if name_height:
        pen, place = ImageDraw.Draw(image), (size / 2, size - 0.55 * name_height)
        pen.text(place, SHORT[building], "#F1F4F8", font(0.17 * size), "mm")
