"""What a map can be drawn with."""

from PIL import Image

from cofca.envs.starcraft.levels.own import LETTERS, PROBES
from cofca.envs.starcraft.render.grid import ABOVE
from cofca.envs.starcraft.render.tiles import cell, probe
from cofca.envs.starcraft.symbols import NUM_PROBES, Building, Terrain, name

FIRST = (".", "m", "g", PROBES)
"""What every map has, or may have, before anything is built."""


def palette(size: int) -> dict[str, tuple[str, Image.Image]]:
    """The name and the tile of each letter of a drawn map."""
    tiles = {letter: (_name(*what), cell(what[1], what[0], size)) for letter, what in LETTERS.items()}
    tiles[PROBES] = ("Nexus with the Probes", _start(size))
    return {letter: tiles[letter] for letter in dict.fromkeys((*FIRST, *tiles))}


def _name(building: int, terrain: Terrain) -> str:
    if not building:
        return "nothing" if terrain == Terrain.PLAIN else terrain.name.lower()
    built = name(Building(building))
    return built if terrain == Terrain.PLAIN else f"{built} on {terrain.name.lower()}"


def _start(size: int) -> Image.Image:
    image = cell(Terrain.PLAIN, Building.NEXUS, size, busy=True).copy()
    side = round(ABOVE * size)
    for number in range(NUM_PROBES):
        one = probe(number + 1, side)
        image.paste(one, (round((size - side) * number / (NUM_PROBES - 1)), round(0.1 * side)), one)
    return image
