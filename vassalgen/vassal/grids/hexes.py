"""Grids of hexes. [boardPicker.board.HexGrid, mapgrid.HexGridNumbering]

A hex has a raw column and row, whatever its name is: even columns are at ``y0 + row * dy``, odd ones half a
hex lower. On a sideways grid x and y of the point are swapped first, so that "columns" run across the board.
Names use brick-shaped cells, snapping uses true hexagons; for a snapped point they agree.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import ClassVar

from attrs import frozen

from vassalgen.vassal.components import HexGrid, HexGridNumbering, ObliqueHexGridNumbering
from vassalgen.vassal.grids.base import Grid, Point, Size, Snap
from vassalgen.vassal.grids.numbering import Cell, Numbering
from vassalgen.vassal.grids.rounding import is_odd, nearest, quotient, single

DEFAULT_WIDTH = math.sqrt(3) / 2 * 64
"""A ``dx`` of exactly this value is calculated from ``dy``. [HexGrid.setAttribute]"""


@frozen
class Hexes(Grid):
    """A grid of hexes on a board or zone of ``size``."""

    component: HexGrid
    numbering: Numbering | None
    size: Size

    EVEN_NEIGHBOURS: ClassVar[tuple[Cell, ...]] = ((-1, -1), (-1, 0), (1, -1), (1, 0))
    ODD_NEIGHBOURS: ClassVar[tuple[Cell, ...]] = ((-1, 0), (-1, 1), (1, 0), (1, 1))

    @cached_property
    def _stagger(self) -> bool:
        numbering = self.numbering.component if self.numbering else None
        return isinstance(numbering, HexGridNumbering) and numbering.stagger

    @cached_property
    def dx(self) -> float:
        """The pixels between columns."""
        if self.component.dx == DEFAULT_WIDTH:
            return math.sqrt(3) / 2 * self.component.dy
        return self.component.dx

    def turn(self, x: int, y: int) -> Point:
        """Swap coordinates into the frame of the columns, and back."""
        return (y, x) if self.component.sideways else (x, y)

    def raw_cell(self, x: int, y: int) -> Cell:
        """The raw column and row of a pixel. [HexGrid.getRawColumn, getRawRow]"""
        grid = self.component
        x, y = self.turn(x, y)
        column = math.floor((x - grid.x0) / self.dx + 0.5)
        if is_odd(nearest((x - grid.x0) / self.dx)):
            return column, nearest((y - grid.y0 - grid.dy / 2) / grid.dy)
        return column, nearest((y - grid.y0) / grid.dy)

    def middle(self, column: int, row: int) -> Point:
        """The centre of a hex, to which pieces snap. [HexGrid.hexPointCenterFromRawIndex]"""
        return self.turn(*self._middle(column, row))

    def _middle(self, column: int, row: int) -> Point:
        grid = self.component
        lower = int(grid.dy / 2) if is_odd(column) else 0
        return int(self.dx * column + grid.x0), int(grid.dy * row + lower + grid.y0)

    @cached_property
    def _flips(self) -> tuple[int | None, int | None]:
        """The numbers from which columns and rows are subtracted if they are counted backwards."""
        if self.numbering is None:
            return None, None
        across, down = self.numbering.component.h_descend, self.numbering.component.v_descend
        max_rows = math.floor(self.size[1] / self.dx + 0.5)
        max_columns = math.floor(self.size[0] / self.component.dy + 0.5)
        if self.component.sideways:
            return (max_rows if down else None), (max_columns if across else None)
        return (max_columns if across else None), (max_rows if down else None)

    def location_name(self, x: int, y: int) -> str | None:
        """[mapgrid.HexGridNumbering.getRow, getColumn]"""
        if self.numbering is None:
            return None
        return self.numbering.name(*self.counted(*self.raw_cell(x, y)))

    def counted(self, raw_column: int, raw_row: int) -> Cell:
        """The column and row of a raw cell in the numbering, before its offsets."""
        column_flip, row_flip = self._flips
        column = raw_column if column_flip is None else column_flip - raw_column
        row = raw_row if row_flip is None else row_flip - raw_row
        if self._stagger and is_odd(raw_column):
            row += 1 if row_flip is None else -1
        if self.numbering is not None and isinstance(self.numbering.component, ObliqueHexGridNumbering):
            slant = quotient(column, 2)
            row = row + slant if self._stagger else row - slant + 1
        return column, row

    def pixel(self, name: str) -> Point | None:
        """[mapgrid.HexGridNumbering.getCenterPoint]

        VASSAL cannot convert slanted rows back, and treats the numbers as those of straight rows.
        """
        cell = self.numbering.cell(name) if self.numbering else None
        if self.numbering is None or cell is None:
            return None
        column, row = cell
        column_flip, row_flip = self._flips
        if self._stagger and is_odd(column):
            row += -1 if row_flip is None else 1
        if column_flip is not None:
            column = column_flip - column
        if row_flip is not None:
            row = row_flip - row
        grid = self.component
        lower = grid.dy / 2 if is_odd(column) else 0
        return self.turn(int(column * self.dx) + grid.x0, int(row * grid.dy + lower) + grid.y0)

    def snap(self, x: int, y: int, *, force: bool = False, only_centres: bool = False) -> Point:
        """[HexGrid.snapTo]"""
        grid = self.component
        if not (grid.snap_to or force):
            return x, y
        x, y = self.turn(x, y)
        centre = self._nearest_middle(x, y)
        if only_centres or not (grid.edges_legal or grid.corners_legal):
            return self.turn(*centre)
        if grid.edges_legal and grid.corners_legal:
            edge, corner = self._edge(x, y), self._corner(x, y)
            other = edge if _square(x, y, edge) < _square(x, y, corner) else corner
        else:
            other = self._edge(x, y) if grid.edges_legal else self._corner(x, y)
        return self.turn(*(centre if _square(*centre, other) <= 2 else other))

    def _nearest_middle(self, x: int, y: int) -> Point:
        """[HexGrid.hexPoint]"""
        grid, dx, dy = self.component, self.dx, self.component.dy
        column = math.floor((x - grid.x0 + dx / 2) / dx)
        odd = is_odd(column)
        row = math.floor((y - grid.y0) / dy) if odd else math.floor((y - grid.y0 + dy / 2) / dy)
        first = self._middle(column, row)
        found = first
        if not self._contains(first, x, y):
            for across, down in self.ODD_NEIGHBOURS if odd else self.EVEN_NEIGHBOURS:
                candidate = self._middle(column + across, row + down)
                if self._contains(candidate, x, y):
                    found = candidate
                    break
        if grid.snap_scale > 0:
            found = (
                found[0] + _within(x - found[0], dx, grid.snap_scale),
                found[1] + _within(y - found[1], dy, grid.snap_scale),
            )
        return found

    def _contains(self, middle: Point, x: int, y: int) -> bool:
        """Whether the hexagon drawn around a centre contains a point. [HexGrid.getSingleHexShape]

        Its corners are whole pixels, the right and lower ones a pixel further out; VASSAL calculates them in
        single precision.
        """
        radius = single(single(2 * single(self.dx)) / 3)
        half = single(0.5 * radius)
        tall = single(0.5 * single(self.component.dy))
        mx, my = middle
        top, bottom = nearest(single(my - tall)), nearest(single(my + tall)) + 1
        if not top <= y < bottom:
            return False
        left, right = nearest(single(mx - radius)), nearest(single(mx + radius)) + 1
        left_in, right_in = nearest(single(mx - half)), nearest(single(mx + half)) + 1
        if y < my:
            return _at(y, top, left_in, my, left) <= x < _at(y, top, right_in, my, right)
        return _at(y, my, left, bottom, left_in) <= x < _at(y, my, right, bottom, right_in)

    def _edge(self, x: int, y: int) -> Point:
        """The nearest centre of a hexside, or of a hex. [HexGrid.snapToHexSide, sideX, sideY]"""
        grid, dx, dy = self.component, self.dx, self.component.dy
        column = math.floor((x - grid.x0 + dx / 4) * 2 / dx)
        across = int(dx / 2 * column + grid.x0)
        if is_odd(column):
            down = int(dy / 2 * math.floor((y - grid.y0) * 2 / dy) + int(dy / 4) + grid.y0)
        else:
            down = int(dy / 2 * math.floor((y - grid.y0 + dy / 4) * 2 / dy) + grid.y0)
        return self._or_middle(x, y, (across, down))

    def _corner(self, x: int, y: int) -> Point:
        """The nearest corner of a hex, or its centre. [HexGrid.snapToHexVertex, vertexX, vertexY]"""
        grid, dx, dy = self.component, self.dx, self.component.dy
        row = math.floor((y - grid.y0 + dy / 4) * 2 / dy)
        down = int(dy / 2 * row + grid.y0)
        third = dx / 3
        if is_odd(row):
            step = int(math.floor(x - grid.x0 + third + third) * 3 / (2 * dx))
            across = int(2 * dx / 3 * step - int(third) + grid.x0)
        else:
            step = int(math.floor(x - grid.x0 + third) * 3 / (2 * dx))
            across = int(2 * dx / 3 * step + grid.x0)
        return self._or_middle(x, y, (across, down))

    def _or_middle(self, x: int, y: int, other: Point) -> Point:
        if self.component.snap_scale > 0:
            middle = self._nearest_middle(x, y)
            if _steps(x, y, middle) <= _steps(x, y, other):
                return middle
        return other

    def distance(self, ax: int, ay: int, bx: int, by: int, snap: Snap | None = None) -> int:
        """[HexGrid.range]"""
        snap = snap or self.snap
        (column, row), (other_column, other_row) = self.raw_cell(*snap(ax, ay)), self.raw_cell(*snap(bx, by))
        across = other_column - column
        down = (other_row - (other_column >> 1)) - (row - (column >> 1))
        return (abs(across) + abs(down) + abs(across + down)) // 2


def _square(x: int, y: int, other: Point) -> int:
    """The square of a distance."""
    return (x - other[0]) ** 2 + (y - other[1]) ** 2


def _steps(x: int, y: int, other: Point) -> int:
    return abs(x - other[0]) + abs(y - other[1])


def _within(delta: int, cell: float, scale: int) -> int:
    """The nearest of the points into which ``snapscale`` divides a cell."""
    step = nearest(delta / (0.5 * cell / scale))
    return nearest(min(max(step, 1 - scale), scale - 1) * 0.5 * cell / scale)


def _at(y: int, top: int, x_top: int, bottom: int, x_bottom: int) -> float:
    """The x of a line at a y between its ends, calculated from the upper end as in Java."""
    if y <= top:
        return x_top
    return x_top + (y - top) * (x_bottom - x_top) / (bottom - top)
