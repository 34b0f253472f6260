"""Pictures of a module as pixels."""

from __future__ import annotations

import warnings
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS = 60_000_000


def pixels_of(content: bytes, mode: str) -> Image | None:
    """A PNG, JPEG or GIF in one of Pillow's modes; None if it cannot be read or has more than
    ``MOST_PIXELS``.
    """
    from PIL import Image  # noqa: PLC0415 - costly, and most modules are read without

    try:
        with (
            warnings.catch_warnings(action="ignore"),  # of sizes, and of damage after the header
            Image.open(BytesIO(content), formats=("PNG", "JPEG", "GIF")) as picture,
        ):
            return picture.convert(mode) if picture.width * picture.height <= MOST_PIXELS else None
    except Exception:  # Pillow raises nearly anything for damaged pictures
        return None
