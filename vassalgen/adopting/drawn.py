"""Which hexes of a grid without numbers are drawn on the picture of the board."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import TYPE_CHECKING

from vassalgen.adopting.pixels import pixels_of
from vassalgen.vassal.grids import Hexes

if TYPE_CHECKING:
    from PIL.Image import Image

Cell = tuple[int, int]

_ALONG = tuple(step / 15 for step in range(3, 13))
"""Where a line is looked for along a hexside, as fractions of its length; the corners are left out."""
_DARKER = 25
"""How much darker than its surroundings a line is, of 255."""
_FOUND = 0.6
"""The minimum share of a hexside that must show a line, and of hexsides with a line, for a hex to count as
drawn.
"""


def drawn_cells(content: bytes, hexes: Hexes, cells: Collection[Cell]) -> frozenset[Cell]:
    """The cells that the picture shows as hexes, with those that they enclose; empty if it cannot be read.
    The grids of most modules extend beyond the printed hexes, under titles and tables. A hex counts as drawn
    if lines run along its sides, as far as those are on the picture.
    """
    picture = pixels_of(content, "L")
    if picture is None:
        return frozenset()
    found = {cell for cell in cells if _is_drawn(picture, hexes, cell)}
    return frozenset(cells) - _outside(set(cells) - found, set(cells))


def _outside(blank: set[Cell], cells: set[Cell]) -> frozenset[Cell]:
    """Of cells without lines those that are connected to the rim by such cells."""
    waiting = [cell for cell in blank if any(other not in cells for other in _neighbours(cell))]
    reached = set(waiting)
    while waiting:
        for other in _neighbours(waiting.pop()):
            if other in blank and other not in reached:
                reached.add(other)
                waiting.append(other)
    return frozenset(reached)


def _neighbours(cell: Cell) -> list[Cell]:
    sideways = Hexes.ODD_NEIGHBOURS if cell[0] % 2 else Hexes.EVEN_NEIGHBOURS
    return [(cell[0] + across, cell[1] + down) for across, down in (*sideways, (0, -1), (0, 1))]


def _is_drawn(picture: Image, hexes: Hexes, cell: Cell) -> bool:
    x, y = hexes.middle(*cell)
    wide, tall = hexes.dx * 2 / 3, hexes.component.dy / 2
    half = wide / 2
    corners = [(-half, -tall), (half, -tall), (wide, 0.0), (half, tall), (-half, tall), (-wide, 0.0)]
    if hexes.component.sideways:
        corners = [(down, across) for across, down in corners]
    reach = max(3, int(tall / 12))
    shares = []
    for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
        looks = [_has_line(picture, (x, y), start, end, along, reach) for along in _ALONG]
        answers = [look for look in looks if look is not None]
        if 2 * len(answers) >= len(looks):
            shares.append(sum(answers) / len(answers) >= _FOUND)
    if len(shares) < 4:
        return bool(shares) and all(shares)
    return sum(shares) / len(shares) >= _FOUND


def _has_line(
    picture: Image,
    middle: Cell,
    start: tuple[float, float],
    end: tuple[float, float],
    along: float,
    reach: int,
) -> bool | None:
    """Whether a line crosses a short segment across the hexside at this point; None if the point is off the
    picture.
    """
    across, down = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    length = math.hypot(across, down) or 1.0
    x = middle[0] + start[0] + (end[0] - start[0]) * along
    y = middle[1] + start[1] + (end[1] - start[1]) * along
    shades = []
    for step in range(-reach, reach + 1):
        spot = int(x + across / length * step), int(y + down / length * step)
        if 0 <= spot[0] < picture.width and 0 <= spot[1] < picture.height:
            shade = picture.getpixel(spot)
            shades.append(shade if isinstance(shade, int) else 0)
    if len(shades) <= reach:
        return None
    darkest, first, last = min(shades), shades[0], shades[-1]
    return darkest < (first + last) / 2 - _DARKER and darkest < max(first, last) - 1.5 * _DARKER
