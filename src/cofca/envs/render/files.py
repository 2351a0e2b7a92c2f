"""Pictures as files: a PNG or an animated GIF."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from cofca.envs.render.moment import Moment

LAST_FRAME = 5
"""How many times longer than the others the last frame of an animation is shown."""
SECONDS_PER_FRAME = 0.4

Picture = NDArray[np.uint8]
SceneT = TypeVar("SceneT", bound=Moment)


def write_png(image: Picture, path: str | PathLike[str]) -> None:
    """Write one picture."""
    Image.fromarray(image).save(path, "PNG")


def write_gif(
    scenes: Sequence[SceneT],
    picture: Callable[[SceneT], Picture],
    path: str | PathLike[str],
    seconds_per_frame: float,
) -> None:
    """Write the pictures of an episode as an endless animation that rests on its last frame."""
    if not scenes:
        raise ValueError("an animation needs at least one scene")
    samples = {scene.status: scene for scene in scenes}
    sheet = np.concatenate([picture(scene) for scene in (scenes[0], *samples.values())])
    # One colour of 256 stays free: it marks the pixels that a frame shares with the one before.
    palette = Image.fromarray(sheet).quantize(255)
    pictures = (Image.fromarray(picture(scene)) for scene in scenes)
    first, *rest = (image.quantize(palette=palette, dither=Image.Dither.NONE) for image in pictures)
    durations = [round(1000 * seconds_per_frame)] * len(scenes)
    durations[-1] *= LAST_FRAME
    first.save(path, "GIF", save_all=True, append_images=rest, duration=durations, loop=0, optimize=True)
