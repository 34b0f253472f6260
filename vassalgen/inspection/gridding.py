"""How boards and zones are divided, according to the grids that apply to them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice

from vassalgen.inspection.facts import Gridding, Size, ZoneFacts
from vassalgen.vassal.grids import Grid, Hexes, Point, Regions, Squares, Zones, ZoneShape
from vassalgen.vassal.grids.zones import bounding_box

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels of the board; right and bottom are exclusive."""

_MOST_TRIED = 20_000
"""How many cells are tried to find the first one inside a zone."""


def gridding(grid: Grid | None, size: Size | None) -> Gridding | None:
    """The grid of a board; None if the board is not divided.

    Without the board's ``size`` in pixels, cells can be neither counted nor named.
    """
    match grid:
        case Hexes() | Squares():
            return _regular(grid, (0, 0, *(size or (0, 0))), None)
        case Regions():
            return Gridding("regions", regions=tuple(region.name for region in grid.regions))
        case Zones():
            zones = tuple(map(_zone, grid.zones))
            return Gridding("zones", zones=zones, background=gridding(grid.background, size))
    return None


def _zone(zone: ZoneShape) -> ZoneFacts:
    if zone.component.use_parent_grid:
        return ZoneFacts(zone.name, shares_grid=True)
    if isinstance(zone.grid, Hexes | Squares):
        return ZoneFacts(zone.name, _regular(zone.grid, bounding_box(zone.component.path), zone))
    return ZoneFacts(zone.name, gridding(zone.grid, None))


def _regular(grid: Hexes | Squares, box: Box, zone: ZoneShape | None) -> Gridding:
    """A grid of cells, limited to the cells whose centres are in a box and in a zone."""
    component = grid.component
    cell = (grid.dx if isinstance(grid, Hexes) else component.dx, component.dy)
    sideways = isinstance(grid, Hexes) and grid.component.sideways
    left, top, right, bottom = (box[1], box[0], box[3], box[2]) if sideways else box
    columns = _inside(component.x0, cell[0], left, right)
    rows = _inside(component.y0, cell[1], top, bottom)
    counts = (len(rows), len(columns)) if sideways else (len(columns), len(rows))
    return Gridding(
        "hexes" if isinstance(grid, Hexes) else "squares",
        *counts,
        cell=cell,
        sideways=sideways,
        first=_first_name(grid, box, zone, columns, rows),
        last=_first_name(grid, box, zone, columns[::-1], rows[::-1]),
    )


def _inside(origin: int, step: float, start: int, end: int) -> range:
    """The numbers of the cells along an axis whose centres are between two pixels."""
    bounds = ((start - origin) / step, (end - 1 - origin) / step)
    return range(math.ceil(min(bounds)), math.floor(max(bounds)) + 1)


def _first_name(
    grid: Hexes | Squares, box: Box, zone: ZoneShape | None, columns: range, rows: range
) -> str | None:
    """The name of the first cell inside, column by column; None without a numbering."""
    if grid.numbering is None:
        return None
    left, top, right, bottom = box
    for column, row in islice(_cells(columns, rows), _MOST_TRIED):
        x, y = _middle(grid, column, row)
        if left <= x < right and top <= y < bottom and (zone is None or zone.contains(x, y)):
            return zone.location_name(x, y) if zone else grid.location_name(x, y)
    return None


def _cells(columns: range, rows: range) -> Iterator[tuple[int, int]]:
    """All cells, column by column; with one extra row, because every second column of hexes is half a hex
    lower.
    """
    for column in columns:
        if rows:
            yield column, rows[0] - rows.step
        for row in rows:
            yield column, row


def _middle(grid: Hexes | Squares, column: int, row: int) -> Point:
    if isinstance(grid, Hexes):
        return grid.middle(column, row)
    component = grid.component
    return int(component.x0 + column * component.dx), int(component.y0 + row * component.dy)
