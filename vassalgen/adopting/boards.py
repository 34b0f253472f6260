"""The picture of a module's board, adjusted to the layout of the game's board."""

from __future__ import annotations

import math
from io import BytesIO

from vassalgen.adopting.field import Field
from vassalgen.adopting.pixels import MOST_PIXELS, pixels_of
from vassalgen.adopting.source import Module


def board_picture(module: Module, field: Field) -> bytes | None:
    """The module's picture as PNG, with each hex where the game's layout has it; None if unreadable."""
    from PIL import Image  # noqa: PLC0415 - costly

    content = module.picture_of(field.area.map, field.area.board.name)
    size = math.ceil(field.layout.size[0]), math.ceil(field.layout.size[1])
    if content is None or size[0] * size[1] > MOST_PIXELS:
        return None
    hexes = field.area.hexes
    across, along = hexes.component.dy / field.across, hexes.dx / (field.across * math.sqrt(3) / 2)
    right, down = (across, along) if hexes.component.sideways else (along, across)
    cell, name = next(iter(field.names.items()))
    there, here = hexes.middle(*cell), field.layout.centre(name)
    moved = (right, 0, there[0] - right * here[0], 0, down, there[1] - down * here[1])
    picture = pixels_of(content, "RGB")
    if picture is None:
        return None
    shaped = picture.transform(
        size, Image.Transform.AFFINE, moved, Image.Resampling.BICUBIC, fillcolor="#ffffff"
    )
    stream = BytesIO()
    shaped.save(stream, "PNG")
    return stream.getvalue()
