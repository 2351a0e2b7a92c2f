"""What a map can be drawn with."""

from PIL import Image

from cofca.envs.minecraft.levels.own import LETTERS, WORKER
from cofca.envs.minecraft.render.tiles import cell
from cofca.envs.minecraft.symbols import Thing


def palette(size: int) -> dict[str, tuple[str, Image.Image]]:
    """The name and the tile of each letter of a drawn map."""
    things = {letter: (thing.name.lower(), cell(thing, size)) for letter, thing in LETTERS.items()}
    return {**things, WORKER: ("worker", cell(Thing.NOTHING, size, worker=True))}
