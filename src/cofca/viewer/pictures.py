"""Pictures as addresses of themselves: a page needs no other file."""

import base64
import io
from typing import Any

from PIL import Image

PNG = "data:image/png;base64,"


def address_of(image: Image.Image, **how: Any) -> str:
    """The picture as a PNG in a data: URL. `how` are Pillow's options for PNG."""
    file = io.BytesIO()
    image.save(file, "PNG", **how)
    return PNG + base64.b64encode(file.getvalue()).decode()


def picture_of(address: str) -> Image.Image:
    """The picture of such an address."""
    return Image.open(io.BytesIO(base64.b64decode(address.removeprefix(PNG))))
