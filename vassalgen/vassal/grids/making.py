"""Grids made from the components of a module."""

from __future__ import annotations

import attrs

from vassalgen.problems import Problem
from vassalgen.vassal import components
from vassalgen.vassal.components import (
    Board,
    GridNumbering,
    HexGrid,
    HexGridNumbering,
    RegionGrid,
    SquareGrid,
    SquareGridNumbering,
    Zone,
    ZonedGrid,
)
from vassalgen.vassal.grids import formats
from vassalgen.vassal.grids.base import Grid, Size
from vassalgen.vassal.grids.hexes import Hexes
from vassalgen.vassal.grids.numbering import Numbering
from vassalgen.vassal.grids.regions import Regions
from vassalgen.vassal.grids.squares import Squares
from vassalgen.vassal.grids.zones import Zones, ZoneShape, bounding_box

SMALLEST_CELL, LARGEST_CELL = 0.1, 1e6
"""In pixels. VASSAL accepts other sizes, but they are useless."""
MOST_LEADING_ZEROS = 20
LARGEST_OFFSET = 1_000_000


def grid_of(board: Board, size: Size | None = None, problems: list[Problem] | None = None) -> Grid | None:
    """The grid of a board, or None if it has none. ``size`` is that of its image; a board without an image
    has a size of its own. Cells without size and numberings that VASSAL would drop are left out; a location
    format that is an expression is replaced by the usual one. Each is reported as a problem.
    """
    return _child_grid(board, size or (board.width, board.height), [] if problems is None else problems)


def _child_grid(around: Board | Zone | ZonedGrid, size: Size, problems: list[Problem]) -> Grid | None:
    """The last grid among the children, which is the one that VASSAL uses."""
    for found in around.children_of(components.Grid)[-1:]:
        match found:
            case HexGrid() | SquareGrid():
                return _regular(found, size, problems)
            case RegionGrid():
                return Regions(found.children_of(components.Region), found.snap_to)
            case ZonedGrid():
                background = _child_grid(found, size, problems)
                zones = tuple(_zone(zone, background, problems) for zone in found.children_of(Zone))
                return Zones(zones, background)
    return None


def _zone(zone: Zone, background: Grid | None, problems: list[Problem]) -> ZoneShape:
    left, top, right, bottom = bounding_box(zone.path)
    own = _child_grid(zone, (right - left, bottom - top), problems)
    if formats.is_expression(zone.location_format):
        problems.append(_not_evaluated("Zone", zone.name, zone.location_format))
        zone = attrs.evolve(zone, location_format="$name$")
    return ZoneShape(zone, background if zone.use_parent_grid else own)


def _regular(grid: HexGrid | SquareGrid, size: Size, problems: list[Problem]) -> Grid | None:
    kind = type(grid).__name__
    if not all(SMALLEST_CELL <= abs(step) <= LARGEST_CELL for step in (grid.dx, grid.dy)):
        wrong = f"cells of {grid.dx} × {grid.dy} pixels"
        problems.append(Problem("", kind, wrong, "dx and dy are the pixels from one cell to the next"))
        return None
    numberings: tuple[GridNumbering, ...]
    if isinstance(grid, HexGrid):
        numberings = grid.children_of(HexGridNumbering)
    else:
        numberings = grid.children_of(SquareGridNumbering)
    numbering = _numbering(numberings[-1], problems) if numberings else None
    return Hexes(grid, numbering, size) if isinstance(grid, HexGrid) else Squares(grid, numbering, size)


def _numbering(numbering: GridNumbering, problems: list[Problem]) -> Numbering | None:
    wrong = ""
    if not (numbering.first and numbering.h_type and numbering.v_type):
        wrong = "first, hType or vType is empty: VASSAL drops such a numbering"
    elif max(numbering.h_leading, numbering.v_leading) > MOST_LEADING_ZEROS:
        wrong = f"more than {MOST_LEADING_ZEROS} leading zeros"
    elif max(abs(numbering.h_off), abs(numbering.v_off)) > LARGEST_OFFSET:
        wrong = f"numbers beyond {LARGEST_OFFSET}"
    elif formats.is_expression(numbering.location_format):
        problems.append(_not_evaluated(type(numbering).__name__, "", numbering.location_format))
        numbering = attrs.evolve(numbering, location_format="$gridLocation$")
    if wrong:
        problems.append(Problem("", type(numbering).__name__, wrong))
        return None
    return Numbering(numbering)


def _not_evaluated(kind: str, name: str, text: str) -> Problem:
    place = f'{kind} "{name}"' if name else kind
    return Problem("", place, f"the location format {text} is an expression, which is not evaluated here")
