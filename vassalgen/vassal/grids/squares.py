"""Grids of rectangles. [boardPicker.board.SquareGrid, mapgrid.SquareGridNumbering]"""

from __future__ import annotations

import math
from functools import cached_property

from attrs import frozen

from vassalgen.vassal.components import SquareGrid
from vassalgen.vassal.grids.base import Grid, Point, Size, Snap
from vassalgen.vassal.grids.numbering import Numbering
from vassalgen.vassal.grids.rounding import is_odd, nearest

MANHATTAN = "Manhattan"


@frozen
class Squares(Grid):
    """A grid of rectangles on a board or zone of ``size``."""

    component: SquareGrid
    numbering: Numbering | None
    size: Size

    @cached_property
    def _flips(self) -> tuple[int | None, int | None]:
        """The numbers from which columns and rows are subtracted if they are counted backwards."""
        if self.numbering is None:
            return None, None
        numbering, grid = self.numbering.component, self.component
        max_columns = int(self.size[0] / grid.dx + 0.5)
        max_rows = int(self.size[1] / grid.dy + 0.5)
        return (max_columns if numbering.h_descend else None), (max_rows if numbering.v_descend else None)

    def location_name(self, x: int, y: int) -> str | None:
        """[mapgrid.SquareGridNumbering.getColumn, getRow]"""
        if self.numbering is None:
            return None
        grid = self.component
        column = math.floor((x - grid.x0) / grid.dx + 0.5)
        row = int((y - grid.y0) / grid.dy + 0.5)
        column_flip, row_flip = self._flips
        return self.numbering.name(
            column if column_flip is None else column_flip - column,
            row if row_flip is None else row_flip - row,
        )

    def pixel(self, name: str) -> Point | None:
        """[mapgrid.SquareGridNumbering.getCenterPoint]"""
        cell = self.numbering.cell(name) if self.numbering else None
        if cell is None:
            return None
        column, row = cell
        column_flip, row_flip = self._flips
        if column_flip is not None:
            column = column_flip - column
        if row_flip is not None:
            row = row_flip - row
        grid = self.component
        return int(column * grid.dx + grid.x0), int(row * grid.dy + grid.y0)

    def snap(self, x: int, y: int, *, force: bool = False, only_centres: bool = False) -> Point:
        """[SquareGrid.snapTo] It counts half cells: even ones are centres, odd ones edges or corners."""
        grid = self.component
        if not (grid.snap_to or force):
            return x, y
        across, down = x - grid.x0, y - grid.y0
        column, row = nearest(across / (0.5 * grid.dx)), nearest(down / (0.5 * grid.dy))
        whole = 2 * nearest(across / grid.dx)
        if grid.edges_legal and grid.corners_legal:
            pass
        elif grid.corners_legal and not only_centres:
            column = 1 + 2 * nearest(across / grid.dx - 0.5) if is_odd(row) else whole
        elif grid.edges_legal and not only_centres:
            if is_odd(row) or not is_odd(column):
                column = whole
        else:
            column, row = whole, 2 * nearest(down / grid.dy)
        return grid.x0 + nearest(column * grid.dx / 2), grid.y0 + nearest(row * grid.dy / 2)

    def distance(self, ax: int, ay: int, bx: int, by: int, snap: Snap | None = None) -> int:
        """[SquareGrid.range]"""
        grid = self.component
        across = abs(math.floor((bx - ax) / grid.dx + 0.5))
        down = abs(math.floor((by - ay) / grid.dy + 0.5))
        return across + down if grid.range == MANHATTAN else max(across, down)
