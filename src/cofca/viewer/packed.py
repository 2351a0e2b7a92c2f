"""Records of episodes in little room: pictures share their tiles. Those of a domain are kept once, on a sheet of 256
colours."""

from typing import Any

import numpy as np
from PIL import Image

from cofca.viewer.pictures import address_of, picture_of

TILE = 48


class Sheet:
    """The tiles of many pictures, each once."""

    def __init__(self) -> None:
        self._places: dict[bytes, int] = {}

    def pack(self, record: dict[str, Any]) -> dict[str, Any]:
        """The same record, its pictures as numbers of tiles."""
        images = [picture_of(picture).convert("RGB") for picture in record["pictures"]]
        return {**record, "pictures": [self._numbers(image) for image in images], "size": list(images[0].size)}

    def _numbers(self, image: Image.Image) -> list[int]:
        return [self._places.setdefault(tile.tobytes(), len(self._places)) for tile in _tiles(_padded(image))]

    def image(self) -> Image.Image:
        """All tiles, from the top down."""
        tiles = [np.frombuffer(tile, np.uint8).reshape(TILE, TILE, 3) for tile in self._places]
        return Image.fromarray(np.concatenate(tiles)).quantize(256, dither=Image.Dither.NONE)


def unpack(packed: dict[str, Any], sheet: Image.Image) -> dict[str, Any]:
    """The record as `record` made it, but for the finest shades."""
    record = dict(packed)
    width, height = record.pop("size")
    tiles = np.asarray(sheet).reshape(-1, TILE, TILE)
    columns = -(-width // TILE)

    def picture(numbers: list[int]) -> str:
        rows = tiles[np.array(numbers)].reshape(-1, columns, TILE, TILE)
        image = Image.fromarray(rows.transpose(0, 2, 1, 3).reshape(-1, columns * TILE)[:height, :width])
        image.putpalette(sheet.getpalette() or [])
        return address_of(image, compress_level=1)

    return {**record, "pictures": [picture(numbers) for numbers in packed["pictures"]]}


def _padded(image: Image.Image) -> np.ndarray:
    pixels = np.asarray(image)
    below, right = (-side % TILE for side in pixels.shape[:2])
    return np.pad(pixels, ((0, below), (0, right), (0, 0)), mode="edge")


def _tiles(pixels: np.ndarray) -> list[np.ndarray]:
    height, width, _ = pixels.shape
    cut = pixels.reshape(height // TILE, TILE, width // TILE, TILE, 3).swapaxes(1, 2)
    return list(cut.reshape(-1, TILE, TILE, 3))
