"""The geometry of hexes: centres, corners and hexsides in pixels, and the hex at a pixel."""

from __future__ import annotations

import math
from functools import cached_property

from attrs import frozen

from vassalgen.game.hexes import Grid

Point = tuple[float, float]
_HALF_ROOT_3 = math.sqrt(3) / 2


@frozen
class Layout:
    """A grid drawn at a size:

    ``across`` is the width of a hex from flat to flat in pixels. ``margin`` is the free space around the
    outermost corners. x runs to the right, y down.
    """

    grid: Grid
    across: float
    margin: float = 0.0

    @cached_property
    def radius(self) -> float:
        """Distance from centre to corner, which is also the length of a hexside."""
        return self.across / math.sqrt(3)

    @cached_property
    def origin(self) -> Point:
        """Centre of the hex in the first column and row, if it were not shifted."""
        if self.grid.orientation == "flat":
            return self.margin + self.radius, self.margin + self.across / 2
        return self.margin + self.across / 2, self.margin + self.radius

    @property
    def size(self) -> Point:
        """Width and height of the whole drawing, including the margins."""
        columns = abs(self.grid.columns[1] - self.grid.columns[0])
        rows = abs(self.grid.rows[1] - self.grid.rows[0])
        first = self.grid.columns[0] if self.grid.orientation == "flat" else self.grid.rows[0]
        lines = columns if self.grid.orientation == "flat" else rows
        shift = self.across / 2 if lines or self.grid.is_shifted(first) else 0.0
        if self.grid.orientation == "flat":
            width = columns * self.across * _HALF_ROOT_3 + 2 * self.radius
            height = (rows + 1) * self.across + shift
        else:
            width = (columns + 1) * self.across + shift
            height = rows * self.across * _HALF_ROOT_3 + 2 * self.radius
        return width + 2 * self.margin, height + 2 * self.margin

    @cached_property
    def centres(self) -> tuple[Point, ...]:
        """Centre of each hex, by index."""
        return tuple(self._centre(column, row) for column, row in self.grid.places)

    def _centre(self, column: int, row: int) -> Point:
        x = abs(column - self.grid.columns[0])
        y = abs(row - self.grid.rows[0])
        if self.grid.orientation == "flat":
            return self.point(x * _HALF_ROOT_3, y + self.grid.is_shifted(column) / 2)
        return self.point(x + self.grid.is_shifted(row) / 2, y * _HALF_ROOT_3)

    def point(self, x: float, y: float) -> Point:
        """Return the pixel of a point of the map given in hex widths from ``origin``."""
        return self.origin[0] + x * self.across, self.origin[1] + y * self.across

    def centre(self, name: str) -> Point:
        """Return the centre of a hex."""
        return self.centres[self.grid.index[name]]

    def corners(self, name: str) -> tuple[Point, ...]:
        """Return the six corners; the hexside in direction d runs from corner d to corner d + 1."""
        x, y = self.centre(name)
        first = -120 if self.grid.orientation == "flat" else -90
        return tuple(
            (
                x + self.radius * math.cos(math.radians(first + 60 * corner)),
                y + self.radius * math.sin(math.radians(first + 60 * corner)),
            )
            for corner in range(6)
        )

    def side(self, name: str, other: str) -> tuple[Point, Point]:
        """Return the two ends of the hexside between two neighbours; ValueError for other hexes."""
        direction = self.grid.direction(name, other)
        if direction is None:
            raise ValueError(f"{name} and {other} are not neighbours")
        return self.edge(name, direction)

    def edge(self, name: str, direction: str) -> tuple[Point, Point]:
        """Return the two ends of a hexside by its direction, also at the map's edge."""
        corners = self.corners(name)
        number = self.grid.directions.index(direction)
        return corners[number], corners[(number + 1) % 6]

    def hex_at(self, x: float, y: float) -> str | None:
        """Return the hex that contains a pixel; None off the map."""
        for place in self._near(x, y):
            index = self._by_place.get(place)
            if index is not None and self._holds(index, x, y):
                return self.grid.names[index]
        return None

    @cached_property
    def _by_place(self) -> dict[tuple[int, int], int]:
        return {place: index for index, place in enumerate(self.grid.places)}

    def _near(self, x: float, y: float) -> list[tuple[int, int]]:
        """The positions whose hexes may contain the pixel: the two lines beside it, with the two nearest
        hexes in each.
        """
        right, down = (x - self.origin[0]) / self.across, (y - self.origin[1]) / self.across
        flat = self.grid.orientation == "flat"
        along, across = (right, down) if flat else (down, right)
        columns = self.grid.columns[0], self.grid.across_step
        rows = self.grid.rows[0], self.grid.down_step
        (first_line, line_step), (first, step) = (columns, rows) if flat else (rows, columns)
        before = math.floor(along / _HALF_ROOT_3)
        places = []
        for line in (first_line + before * line_step, first_line + (before + 1) * line_step):
            nearest = math.floor(across - self.grid.is_shifted(line) / 2 + 0.5) * step + first
            places += [(line, nearest) if flat else (nearest, line)]
        return places

    def _holds(self, index: int, x: float, y: float) -> bool:
        dx, dy = abs(x - self.centres[index][0]), abs(y - self.centres[index][1])
        if self.grid.orientation == "pointy":
            dx, dy = dy, dx
        half = self.across / 2 * (1 + 1e-9)
        return dy <= half and dx * _HALF_ROOT_3 + dy / 2 <= half
