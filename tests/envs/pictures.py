"""What the pictures of all domains promise, and how pictures are compared."""

from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from cofca.envs.render.files import LAST_FRAME

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Mask = NDArray[np.bool_]
Draw = Callable[[Any], NDArray[np.uint8]]
"""Makes the picture of a scene."""

MARK = np.array([0xFF, 0xEF, 0xB0])
"""The colour behind the current line."""


def difference(first: Image.Image, second: Image.Image) -> float:
    """Mean distance of the colours of two pictures, 0 to 255 for each channel."""
    return float(np.abs(np.asarray(first, float) - np.asarray(second, float)).mean())


def changed(draw: Draw, first: Any, second: Any) -> Mask:
    """Which pixels differ between the pictures of two scenes."""
    mask: Mask = (draw(first) != draw(second)).any(axis=2)
    return mask


def blank(mask: Mask, *boxes: Box) -> Mask:
    """The mask without what lies in the boxes."""
    rest = mask.copy()
    for left, top, right, bottom in boxes:
        rest[round(top) : round(bottom), round(left) : round(right)] = False
    return rest


def assert_only_in(mask: Mask, boxes: Sequence[Box]) -> None:
    """Something shows in each box, and nothing elsewhere."""
    assert not blank(mask, *boxes).any()
    for box in boxes:
        assert (mask & ~blank(mask, box)).any(), box


def assert_apart_and_inside(boxes: Sequence[Box], image: NDArray[np.uint8]) -> None:
    """The boxes lie in the picture and do not overlap."""
    height, width, _ = image.shape
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= width
        assert 0 <= top < bottom <= height
    for one, other in combinations(boxes, 2):
        beside = one[2] <= other[0] or other[2] <= one[0]
        assert beside or one[3] <= other[1] or other[3] <= one[1]


def marked_rows(image: NDArray[np.uint8], box: Box) -> int:
    """How many rows of pixels in the box are marked as the current line."""
    left, top, right, bottom = map(round, box)
    return int((image[top:bottom, left:right] == MARK).all(axis=2).any(axis=1).sum())


def assert_png(save: Callable[..., None], draw: Draw, scene: Any, path: Path) -> None:
    """The file holds the picture to the last pixel."""
    save(scene, path)
    assert (np.asarray(Image.open(path)) == draw(scene)).all()


def assert_gif(save: Callable[..., None], draw: Draw, episode: Sequence[Any], path: Path) -> None:
    """The file shows scene after scene, the last one longer, and then begins again."""
    save(episode, path, seconds_per_frame=0.2)
    with Image.open(path) as film:
        assert getattr(film, "n_frames", 1) == len(episode)
        assert film.info["loop"] == 0
        for index, scene in enumerate(episode):
            film.seek(index)
            last = index == len(episode) - 1
            assert film.info["duration"] == 200 * (LAST_FRAME if last else 1)
            assert difference(film.convert("RGB"), Image.fromarray(draw(scene))) < 3
