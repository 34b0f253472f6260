"""The interface of all grids."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from vassalgen.vassal.grids.rounding import nearest

Point = tuple[int, int]
"""x and y in pixels, y downwards."""
Size = tuple[int, int]
"""Width and height in pixels."""
Snap = Callable[[int, int], Point]


class Grid(ABC):
    """How a board, or a zone of one, is divided into places. All pixels are those of the board.

    [build.module.map.boardPicker.board.MapGrid]
    """

    __slots__ = ()

    @abstractmethod
    def location_name(self, x: int, y: int) -> str | None:
        """The name of the place at a pixel; None if the grid has no names."""

    @abstractmethod
    def pixel(self, name: str) -> Point | None:
        """The pixel to which VASSAL goes for a name; None if it finds none.

        It is not snapped: on hexes it may be a pixel away from the centre to which pieces snap.
        """

    @abstractmethod
    def snap(self, x: int, y: int, *, force: bool = False, only_centres: bool = False) -> Point:
        """Where a piece placed at a pixel ends up.

        ``force`` snaps even if the grid does not do so by itself; ``only_centres`` ignores edges and corners.
        """

    def distance(self, ax: int, ay: int, bx: int, by: int, snap: Snap | None = None) -> int:
        """The range between two pixels in units of the grid, or in pixels if it is not regular. ``snap``
        assigns the pixels to their hexes, if the grid itself does not. [MapGrid.range]
        """
        return pixel_distance(ax, ay, bx, by)


def pixel_distance(ax: int, ay: int, bx: int, by: int) -> int:
    """The straight distance in whole pixels."""
    return nearest(((ax - bx) * (ax - bx) + (ay - by) * (ay - by)) ** 0.5)
