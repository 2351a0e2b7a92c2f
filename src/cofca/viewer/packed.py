"""Records of episodes in little room: pictures share their tiles, which are kept once, on one sheet of 256 colours."""

from typing import Any

import numpy as np
from PIL import Image

from cofca.viewer.pictures import address_of, picture_of

TILE = 48


def pack(record: dict[str, Any]) -> dict[str, Any]:
    """The same record, its pictures as numbers of tiles."""
    places: dict[bytes, int] = {}
    images = [_padded(picture_of(picture).convert("RGB")) for picture in record["pictures"]]
    pictures = [[places.setdefault(tile.tobytes(), len(places)) for tile in _tiles(image)] for image in images]
    sheet = np.concatenate([np.frombuffer(tile, np.uint8).reshape(TILE, TILE, 3) for tile in places])
    few = Image.fromarray(sheet).quantize(256, dither=Image.Dither.NONE)
    size = picture_of(record["pictures"][0]).size
    return {**record, "pictures": pictures, "size": list(size), "sheet": address_of(few, compress_level=9)}


def unpack(packed: dict[str, Any]) -> dict[str, Any]:
    """The record as `record` made it, but for the finest shades."""
    record = dict(packed)
    sheet, (width, height) = picture_of(record.pop("sheet")), record.pop("size")
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
