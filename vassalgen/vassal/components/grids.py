"""Grids of boards and zones, and how they number their places. All pixels are those of the board."""

from __future__ import annotations

from attrs import frozen

from vassalgen.vassal.components import attribute
from vassalgen.vassal.components.base import Component
from vassalgen.vassal.scalars import Colour, Polygon


@frozen(kw_only=True, repr=False)
class Grid(Component):
    """Base of the ways in which boards and zones can be divided."""


@frozen(kw_only=True, repr=False)
class RegularGrid(Grid):
    """The fields of grids of hexes and of squares.

    ``dx`` and ``dy`` are the pixels between columns and between rows, ``x0`` and ``y0`` the centre of the
    first cell.
    """

    snap_to: bool = attribute.boolean(True, any_case=True)
    edges_legal: bool = attribute.boolean(any_case=True)
    corners_legal: bool = attribute.boolean(any_case=True)
    visible: bool = attribute.boolean(any_case=True)
    dots_visible: bool = attribute.boolean(any_case=True)
    color: Colour | None = attribute.colour((0, 0, 0))


@frozen(kw_only=True, repr=False)
class HexGrid(RegularGrid):
    """A grid of hexes, in columns unless ``sideways``. Odd columns are half a hex lower."""

    JAVA = "VASSAL.build.module.map.boardPicker.board.HexGrid"

    sideways: bool = attribute.boolean(any_case=True)
    x0: int = attribute.integer()
    y0: int = attribute.integer(32)
    dy: float = attribute.double(64.0)
    dx: float = attribute.double(55.42562584220407)
    snap_scale: int = attribute.integer(0, "snapscale", optional=True)


@frozen(kw_only=True, repr=False)
class SquareGrid(RegularGrid):
    """A grid of rectangles."""

    JAVA = "VASSAL.build.module.map.boardPicker.board.SquareGrid"

    x0: int = attribute.integer(24)
    y0: int = attribute.integer(24)
    dx: float = attribute.double(48.0)
    dy: float = attribute.double(48.0)
    range: str = attribute.word("Metric", "Manhattan")


@frozen(kw_only=True, repr=False)
class RegionGrid(Grid):
    """Regions, which are its children; every pixel belongs to the nearest."""

    JAVA = "VASSAL.build.module.map.boardPicker.board.RegionGrid"

    snap_to: bool = attribute.boolean(True, "snapto")
    visible: bool = attribute.boolean()
    font_size: int = attribute.integer(9, "fontsize")


@frozen(kw_only=True, repr=False)
class Region(Component):
    """A region: a name and its point."""

    JAVA = "VASSAL.build.module.map.boardPicker.board.Region"

    name: str = attribute.text()
    x: int = attribute.integer(0, "originx")
    y: int = attribute.integer(0, "originy")


@frozen(kw_only=True, repr=False)
class ZonedGrid(Grid):
    """Zones, which are its children, on a background grid. A pixel belongs to the first zone that contains
    it.
    """

    JAVA = "VASSAL.build.module.map.boardPicker.board.ZonedGrid"


@frozen(kw_only=True, repr=False)
class Zone(Component):
    """A zone, with a grid of its own as child or the grid around it."""

    JAVA = "VASSAL.build.module.map.boardPicker.board.mapgrid.Zone"

    name: str = attribute.text()
    location_format: str = attribute.text("$name$")
    path: Polygon = attribute.polygon()
    use_parent_grid: bool = attribute.boolean()
    use_highlight: bool = attribute.boolean()
    highlight_property: str = attribute.text()


@frozen(kw_only=True, repr=False)
class ZonedGridHighlighter(Component):
    """The highlights of zones, which are its children."""

    JAVA = "VASSAL.build.module.map.boardPicker.board.mapgrid.ZonedGridHighlighter"


@frozen(kw_only=True, repr=False)
class ZoneHighlight(Component):
    """A way of highlighting a zone."""

    JAVA = "VASSAL.build.module.map.boardPicker.board.mapgrid.ZoneHighlight"

    name: str = attribute.text()
    color: Colour | None = attribute.colour()
    coverage: str = attribute.word("Entire Zone", "Zone Border")
    width: int = attribute.integer(1)
    style: str = attribute.word("Plain", "Striped", "Crosshatched", "Tiled Image")
    image: str = attribute.optional_text()
    opacity: int = attribute.integer(100)


@frozen(kw_only=True, repr=False)
class GridNumbering(Component):
    """How cells are named: H is the number of the column, V that of the row. Only the first letter of
    ``first`` and of the types matters: H or V, N (numeric) or A (alphabetic).
    [mapgrid.RegularGridNumbering]
    """

    first: str = attribute.text("H")
    sep: str = attribute.text()
    h_type: str = attribute.text("N")
    h_leading: int = attribute.integer(1)
    h_off: int = attribute.integer(1)
    h_descend: bool = attribute.boolean(any_case=True)
    v_type: str = attribute.text("N")
    v_leading: int = attribute.integer(1)
    v_off: int = attribute.integer(1)
    v_descend: bool = attribute.boolean(any_case=True)
    location_format: str = attribute.text("$gridLocation$")
    visible: bool = attribute.boolean(any_case=True)
    font_size: int = attribute.integer(9)
    color: Colour | None = attribute.colour((0, 0, 0))
    h_draw_off: int = attribute.integer()
    v_draw_off: int = attribute.integer()
    rotate_text: int = attribute.integer()


@frozen(kw_only=True, repr=False)
class SquareGridNumbering(GridNumbering):
    """How rectangles are named."""

    JAVA = "VASSAL.build.module.map.boardPicker.board.mapgrid.SquareGridNumbering"


@frozen(kw_only=True, repr=False)
class HexGridNumbering(GridNumbering):
    """How hexes are named."""

    JAVA = "VASSAL.build.module.map.boardPicker.board.mapgrid.HexGridNumbering"

    stagger: bool = attribute.boolean(True, any_case=True)


@frozen(kw_only=True, repr=False)
class ObliqueHexGridNumbering(HexGridNumbering):
    """How hexes are named in slanted rows; new in VASSAL 3.8."""

    JAVA = "VASSAL.build.module.map.boardPicker.board.mapgrid.ObliqueHexGridNumbering"
