"""The map in a picture: cells, Probes, where they go and what they will build there."""

from collections import defaultdict
from typing import NamedTuple

import numpy as np
from PIL import Image

from cofca.envs.render.brush import UNITS, Box, Brush, drawn
from cofca.envs.render.canvas import MUTED, Canvas
from cofca.envs.starcraft.render import tiles
from cofca.envs.starcraft.render.scene import Scene
from cofca.envs.starcraft.render.ways import Spot, paint_way
from cofca.envs.starcraft.symbols import Building, Terrain

GHOST, SMALL_GHOST = (0.86, 0.5), (0.36, 0.9)
"""Side in tiles, and strength, of a building that is yet to be built."""
CHOSEN = "#FFD43B"
"""The colour of what has been chosen of the command being put together."""
SIZES, ABOVE = (0.62, 0.48, 0.34), 0.35
"""Side of a Probe, in tiles, if it is alone, one of two, or one of three; and above a building."""
GLOW = 0.56
"""Radius of the disc behind a chosen Probe, in its sides."""


class Place(NamedTuple):
    """Where a Probe is drawn: its side and its centre, in tiles."""

    size: float
    x: float
    y: float


def draw_grid(canvas: Canvas, scene: Scene, box: Box, tile: int) -> None:
    """Draw the map into a box, with the numbers of rows and columns around it."""
    left, top, right, bottom = box
    height, width = scene.buildings.shape
    for row in range(height):
        canvas.text(left - 10, top + (row + 0.5) * (bottom - top) / height, str(row + 1), 12, MUTED, "mm")
    for column in range(width):
        canvas.text(left + (column + 0.5) * (right - left) / width, top - 10, str(column + 1), 12, MUTED, "mm")
    image = Image.new("RGBA", (width * tile, height * tile))
    _put_cells(image, scene, tile)
    _put_ghosts(image, scene, tile)
    places, side = _places(scene), max(height, width)
    overlay = drawn(lambda brush: _paint_orders(brush, scene, places), side * tile, side * UNITS)
    image.alpha_composite(overlay.crop((0, 0, *image.size)))
    for number, (size, x, y) in places.items():
        probe = tiles.probe(number, round(size * tile))
        image.alpha_composite(probe, (round(x * tile) - probe.width // 2, round(y * tile) - probe.height // 2))
    canvas.image.paste(image.convert("RGB"), (canvas.pixels(left), canvas.pixels(top)))


def _places(scene: Scene) -> dict[int, Place]:
    """Where to draw each Probe, by its number; those on the same cell side by side."""
    crowds: dict[Spot, list[int]] = defaultdict(list)
    for number, spot in enumerate(scene.probes, start=1):
        crowds[spot].append(number)
    places = {}
    for (row, column), numbers in crowds.items():
        built = bool(scene.buildings[row, column])
        size = ABOVE if built else SIZES[len(numbers) - 1]
        for i, number in enumerate(numbers):
            shift = (i - (len(numbers) - 1) / 2) * 0.93 * size
            places[number] = Place(size, column + 0.5 + shift, row + (0.6 * size if built else 0.5))
    return places


def _put_cells(image: Image.Image, scene: Scene, tile: int) -> None:
    for row, column in np.ndindex(scene.buildings.shape):
        spot = row, column
        terrain, building = Terrain(int(scene.terrain[spot])), int(scene.buildings[spot])
        cell = tiles.cell(terrain, building, tile, bool(scene.destroyed[spot]), spot in scene.probes)
        image.paste(cell, (column * tile, row * tile))


def _put_ghosts(image: Image.Image, scene: Scene, tile: int) -> None:
    """Show faintly what is to be built. Where it would hide something it is small."""
    plans = [(number, *plan) for number, plan in enumerate(zip(scene.goals, scene.tasks, strict=True)) if plan[1]]
    for number, goal, task in plans:
        taken = scene.buildings[goal] or goal in scene.probes or [plan[1] for plan in plans].count(goal) > 1
        share, strength = SMALL_GHOST if taken else GHOST
        ghost = Image.new("RGBA", (round(share * tile), round(share * tile)))
        tiles.put_emblem(ghost, Building(task), strength=strength)
        rest = tile - ghost.width
        corner = (number + 1) * rest // 4 if taken else rest // 2
        image.alpha_composite(ghost, (goal[1] * tile + corner, goal[0] * tile + corner))


def _paint_orders(brush: Brush, scene: Scene, places: dict[int, Place]) -> None:
    """The Probes' orders, and the mark of what has been chosen."""
    for i, (spot, goal, task) in enumerate(zip(scene.probes, scene.goals, scene.tasks, strict=True)):
        if spot != goal or task:
            _, x, y = places[i + 1]
            paint_way(brush, i + 1, (UNITS * x, UNITS * y), spot, goal, task > 0, tiles.PROBES[i])
    if scene.stage.cell:
        row, column = divmod(scene.stage.cell - 1, scene.buildings.shape[1])
        brush.box((UNITS * column, UNITS * row, UNITS * (column + 1), UNITS * (row + 1)), None, 6, rim=CHOSEN)
    if scene.stage.probe:
        size, x, y = places[scene.stage.probe]
        brush.disc((UNITS * x, UNITS * y), GLOW * UNITS * size, CHOSEN)
