"""The hex map of a module, and the place of the game at any pixel of it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from attrs import Factory, field, frozen

from vassalgen.adopting.drawn import drawn_cells
from vassalgen.adopting.source import Module, Placed
from vassalgen.adopting.words import Ids
from vassalgen.game.art import Board as Look
from vassalgen.game.hexes import Grid, Numbering, Orientation, Parity
from vassalgen.game.layout import Layout
from vassalgen.vassal.components import HexGridNumbering, ObliqueHexGridNumbering
from vassalgen.vassal.grids import Hexes, Regions, Squares, Zones
from vassalgen.vassal.grids.plan import BoardInPlay, MapPlan
from vassalgen.vassal.grids.zones import ZoneShape, bounding_box

Cell = tuple[int, int]
Point = tuple[int, int]
Box = tuple[int, int, int, int]

ACROSS = 110
"""The width of a hex in pixels on boards that vassalgen draws."""
_MOST_HEXES = 60_000
_MOST_SQUARES = 100
"""Up to this many squares of a zone become places of their own."""
_MARGIN = 200
"""Margin in pixels around the pieces of all set-ups, for a board without a picture."""


@frozen
class Area:
    """A field of hexes: on a whole board, or in one of its zones."""

    map: str
    board: BoardInPlay
    hexes: Hexes
    zone: ZoneShape | None
    box: Box

    def cells(self) -> Iterator[tuple[Cell, Point]]:
        """The raw cells whose centres are in the field, with those centres in pixels of the board."""
        grid, (left, top, right, bottom) = self.hexes.component, self.box
        if grid.sideways:
            left, top, right, bottom = top, left, bottom, right
        columns = range(*_between(grid.x0, self.hexes.dx, left, right))
        rows = range(*_between(grid.y0 - grid.dy, grid.dy, top, bottom))
        count = 0
        for column in columns:
            for row in range(rows.start - 1, rows.stop + 1):
                x, y = self.hexes.middle(column, row)
                if self.holds(x, y):
                    count += 1
                    if count > _MOST_HEXES:
                        return
                    yield (column, row), (x, y)

    def holds(self, x: int, y: int) -> bool:
        """Whether a pixel of the board is in the field and not in a zone that has places of its own."""
        left, top, right, bottom = self.box
        if not (left <= x < right and top <= y < bottom):
            return False
        over = self.board.grid.zone_at(x, y) if isinstance(self.board.grid, Zones) else None
        if self.zone is not None:
            return over is self.zone
        return over is None or over.component.use_parent_grid


def _between(origin: float, step: float, start: int, end: int) -> tuple[int, int]:
    bounds = sorted(((start - origin) / step, (end - origin) / step))
    return math.floor(bounds[0]), math.ceil(bounds[1]) + 1


@frozen
class Place:
    """A box: its id, and its title in the module."""

    id: str
    title: str


@frozen(slots=False)
class Field:
    """The hexes of the game, and the other places on the module's maps.

    ``names`` has the hex of each raw cell. ``own_numbers``: the hexes get new numbers, because the module has
    none or its numbers do not fit a game's grid.
    """

    area: Area
    grid: Grid
    names: Mapping[Cell, str] = field(repr=False)
    own_numbers: bool
    reason: str

    @cached_property
    def across(self) -> int:
        """The width of a hex from flat to flat on the module's board, in pixels, within sensible limits."""
        return min(max(round(self.area.hexes.component.dy), 40), 240)

    @cached_property
    def layout(self) -> Layout:
        """Where the hexes are on a board of that size."""
        return Layout(self.grid, float(self.across), float(Look().margin))

    def hex_at(self, x: int, y: int) -> str | None:
        """The hex at a pixel of the map."""
        x, y = x - self.area.board.x, y - self.area.board.y
        if not self.area.holds(x, y):
            return None
        return self.names.get(
            self.area.hexes.raw_cell(*self.area.hexes.snap(x, y, force=True, only_centres=True))
        )

    @cached_property
    def zones(self) -> dict[str, tuple[str, ...]]:
        """The hexes of zones that use the grid of the board, by the zone's name."""
        grid = self.area.board.grid
        if not isinstance(grid, Zones):
            return {}
        found: dict[str, list[str]] = {}
        for cell, name in self.names.items():
            zone = grid.zone_at(*self.area.hexes.middle(*cell))
            if zone is not None and zone.component.use_parent_grid and zone.name:
                found.setdefault(zone.name, []).append(name)
        return {zone: tuple(names) for zone, names in found.items()}


def field_of(module: Module) -> Field | None:
    """The largest field of hexes of a module; None if it has no hexes."""
    areas = [area for name, (_, plan, _) in module.maps.items() for area in _areas(module, name, plan)]
    counted = [(sum(1 for _ in area.cells()), -number, area) for number, area in enumerate(areas)]
    best = max(counted, key=lambda one: one[:2], default=None)
    return _fitted(module, best[2]) if best is not None and best[0] > 1 else None


def _areas(module: Module, name: str, plan: MapPlan) -> Iterator[Area]:
    """The fields of hexes of a map, without grids whose hexes have no size or a negative one."""
    found = _all_areas(module, name, plan)
    return (area for area in found if _has_size(area.hexes.dx, area.hexes.component.dy))


def _has_size(across: float, down: float) -> bool:
    """Whether a hex or square is at least one pixel wide and high."""
    return 1 <= across < math.inf and 1 <= down < math.inf


def _all_areas(module: Module, name: str, plan: MapPlan) -> Iterator[Area]:
    for board in plan.boards:
        size = (board.width, board.height) if board.width and board.height else _extent(module, name, board)
        whole = (0, 0, *size)
        grid = board.grid
        if isinstance(grid, Hexes):
            yield Area(name, board, grid, None, whole)
        elif isinstance(grid, Zones):
            if isinstance(grid.background, Hexes):
                yield Area(name, board, grid.background, None, whole)
            for zone in grid.zones:
                if isinstance(zone.grid, Hexes) and not zone.component.use_parent_grid:
                    yield Area(name, board, zone.grid, zone, bounding_box(zone.component.path))


def _extent(module: Module, name: str, board: BoardInPlay) -> tuple[int, int]:
    """The size that a board without a picture needs for the pieces of all set-ups."""
    spots = [(one.x, one.y) for position in module.positions for one in position.placed if one.map == name]
    if not spots:
        return 0, 0
    return max(x for x, _ in spots) - board.x + _MARGIN, max(y for _, y in spots) - board.y + _MARGIN


def _fitted(module: Module, area: Area) -> Field:
    cells = [cell for cell, _ in area.cells()]
    by_module = _by_module(area, cells)
    if isinstance(by_module, Field):
        return by_module
    if area.hexes.numbering is not None:
        return _by_order(area, cells, by_module)
    printed = _printed(module, area, cells)
    cut = len(printed) < len(cells)
    reason = f"{by_module}; those drawn on the board are used" if cut else by_module
    return _by_order(area, printed, reason)


def _printed(module: Module, area: Area, cells: list[Cell]) -> list[Cell]:
    """The cells drawn on the picture of the board, and those with pieces; all cells if few are drawn."""
    content = module.picture_of(area.map, area.board.name)
    drawn = drawn_cells(content, area.hexes, cells) if content else frozenset()
    if 2 * len(drawn) < len(cells):
        return cells
    taken: set[Cell] = set()
    for position in module.positions:
        for one in position.placed:
            x, y = one.x - area.board.x, one.y - area.board.y
            if one.map == area.map and area.holds(x, y):
                taken.add(area.hexes.raw_cell(*area.hexes.snap(x, y, force=True, only_centres=True)))
    return [cell for cell in cells if cell in drawn or cell in taken]


def _by_module(area: Area, cells: list[Cell]) -> Field | str:
    """The hexes with the module's numbers, or the reason why these cannot be used."""
    hexes = area.hexes
    if hexes.numbering is None:
        return "the module does not number them"
    component = hexes.numbering.component
    if isinstance(component, ObliqueHexGridNumbering) or not isinstance(component, HexGridNumbering):
        return "the module numbers them along slanted rows"
    lines = {cell: _numbers(hexes, cell) for cell in cells}
    letters = {"h": component.h_type[:1] == "A", "v": component.v_type[:1] == "A"}
    if letters["h"]:
        lines = {cell: (line + 1, place) for cell, (line, place) in lines.items()}
    if letters["v"]:
        lines = {cell: (line, place + 1) for cell, (line, place) in lines.items()}
    if min(min(pair) for pair in lines.values()) < 0:
        return "the module has hexes with numbers below 0"
    sample = cells[0]
    x, y = hexes.middle(*sample)
    shown = area.zone.location_name(x, y) if area.zone else hexes.location_name(x, y)
    h, v = ("R", "C") if hexes.component.sideways else ("C", "R")
    letter_h, letter_v = (h.lower() if letters["h"] else h), (v.lower() if letters["v"] else v)
    pattern = _pattern(shown or "", hexes, sample, letter_h, letter_v)
    if pattern is None:
        return "the names of the module's hexes are no pattern of column and row"
    places = {cell: (line, place) if h == "C" else (place, line) for cell, (line, place) in lines.items()}
    grid = _grid(area, places, pattern)
    if grid is None:
        return "the module's numbers run along other lines than its hexes"
    names = {cell: grid.numbering.name(*place) for cell, place in places.items()}
    return Field(area, grid, names, own_numbers=False, reason="")


def _numbers(hexes: Hexes, cell: Cell) -> Cell:
    """The module's numbers of a cell: its line, and its place in the line."""
    assert hexes.numbering is not None
    component = hexes.numbering.component
    line, place = hexes.counted(*cell)
    return line + component.h_off, place + component.v_off


def _pattern(shown: str, hexes: Hexes, cell: Cell, h: str, v: str) -> str | None:
    """The pattern for the name of a hex: ``0712`` gives ``CCRR``, ``Hex B4`` gives ``Hex rC``."""
    assert hexes.numbering is not None
    component = hexes.numbering.component
    across = h if h.islower() else h * (component.h_leading + 1)
    down = v if v.islower() else v * (component.v_leading + 1)
    together = across + component.sep + down if component.first[:1] == "H" else down + component.sep + across
    line, place = hexes.counted(*cell)
    named = hexes.numbering.plain_name(line, place)
    if named not in shown:
        return None
    before, _, after = shown.partition(named)
    pattern = before + together + after
    whole = Numbering(pattern)
    safe = not whole.problem() and not set(re.sub(r"[CRcr]", "", pattern)) & set("CRcr")
    return pattern if safe and not (set(before + component.sep + after) & set("CRcr")) else None


def _by_order(area: Area, cells: list[Cell], reason: str) -> Field:
    """The hexes numbered by their columns and rows on the board, from 0101."""
    sideways = area.hexes.component.sideways
    first_line = min(line for line, _ in cells)
    first_place = min(place for _, place in cells)
    counted = {cell: (cell[0] - first_line + 1, cell[1] - first_place + 1) for cell in cells}
    places = {cell: (place, line) if sideways else (line, place) for cell, (line, place) in counted.items()}
    digits = 3 if max(max(pair) for pair in places.values()) > 99 else 2
    grid = _grid(area, places, "C" * digits + "R" * digits)
    assert grid is not None  # raw cells are regular
    names = {cell: grid.numbering.name(*place) for cell, place in places.items()}
    return Field(area, grid, names, own_numbers=True, reason=reason)


def _grid(area: Area, places: Mapping[Cell, Cell], pattern: str) -> Grid | None:
    """The grid that has each cell where it is on the board; None if there is none."""
    sideways = area.hexes.component.sideways
    orientation: Orientation = "pointy" if sideways else "flat"
    spans = []
    for axis in (0, 1):
        numbers = [place[axis] for place in places.values()]
        by_number = sorted(places, key=lambda cell: places[cell][axis])
        ends = [area.hexes.middle(*cell)[axis] for cell in (by_number[0], by_number[-1])]
        low, high = min(numbers), max(numbers)
        spans.append((low, high) if ends[0] <= ends[1] else (high, low))
    parities: tuple[Parity, ...] = ("odd", "even")
    for shifted in parities:
        grid = Grid(orientation, shifted, spans[0], spans[1], pattern)
        if _agrees(grid, places):
            kept = {grid.numbering.name(*place) for place in places.values()}
            missing = frozenset(name for name in grid.names if name not in kept)
            return Grid(
                orientation=orientation,
                shifted=shifted,
                columns=spans[0],
                rows=spans[1],
                numbering=pattern,
                missing=missing,
            )
    return None


def _agrees(grid: Grid, places: Mapping[Cell, Cell]) -> bool:
    """Whether each hex has the same offset from the first one in the grid as on the board, in lines and half
    places.
    """
    flat = grid.orientation == "flat"

    def of_grid(place: Cell) -> Cell:
        column, row = place[0] * grid.across_step, place[1] * grid.down_step
        line, along = (column, row) if flat else (row, column)
        return line, 2 * along + grid.is_shifted(line)

    def of_board(cell: Cell) -> Cell:
        return cell[0], 2 * cell[1] + cell[0] % 2

    first = next(iter(places))
    (line0, along0), (raw0, half0) = of_grid(places[first]), of_board(first)
    for cell, place in places.items():
        (line, along), (raw, half) = of_grid(place), of_board(cell)
        if (line - line0, along - along0) != (raw - raw0, half - half0):
            return False
    return True


@frozen(slots=False)
class Places:
    """Hexes and boxes of a game, and which of them a piece of the module is in."""

    module: Module
    field: Field
    ids: Ids = Factory(Ids)
    boxes: dict[str, Place] = Factory(dict)
    """The boxes, by the module's name for the place."""

    def __attrs_post_init__(self) -> None:
        for name, (_, plan, _) in self.module.maps.items():
            for place in _named(plan, name, self.field):
                self._box(place)

    def at(self, one: Placed) -> str:
        """The hex or box that a piece is in."""
        known = self.module.maps.get(one.map)
        if one.map == self.field.area.map:
            found = self.field.hex_at(one.x, one.y)
            if found is not None:
                return found
        if known is None:
            return self._box(one.map)
        _, plan, _ = known
        board, zone = plan.board_at(one.x, one.y), plan.zone_at(one.x, one.y)
        if board is not None and isinstance(board.grid, Regions):
            return self._box(plan.location_name(one.x, one.y))
        if zone is not None and isinstance(zone.grid, Regions):
            return self._box(zone.grid.location_name(one.x - board.x, one.y - board.y) if board else None)
        if zone is not None and board is not None and not zone.component.use_parent_grid:
            cells = _cells_of(zone)
            named = zone.location_name(one.x - board.x, one.y - board.y)
            return self._box(named if named in cells else zone.name)
        return self._box(f"{one.map}, off the hexes" if one.map == self.field.area.map else one.map)

    def _box(self, name: str | None) -> str:
        title = name or "unnamed place"
        if title not in self.boxes:
            self.boxes[title] = Place(self.ids.new(title), title)
        return self.boxes[title].id


def _cells_of(zone: ZoneShape) -> list[str]:
    """The names of the squares of a track, such as a turn track; empty if they have no names."""
    grid = zone.grid
    if not isinstance(grid, Squares) or grid.numbering is None:
        return []
    left, top, right, bottom = bounding_box(zone.component.path)
    component = grid.component
    if not _has_size(component.dx, component.dy):
        return []
    columns = range(*_between(component.x0, component.dx, left, right))
    rows = range(*_between(component.y0, component.dy, top, bottom))
    if len(columns) * len(rows) > 4 * _MOST_SQUARES:
        return []
    found: dict[str, None] = {}
    for row in rows:
        for column in columns:
            x, y = int(component.x0 + column * component.dx), int(component.y0 + row * component.dy)
            if zone.contains(x, y):
                found[zone.location_name(x, y)] = None
    return list(found) if 1 < len(found) <= _MOST_SQUARES else []


def _named(plan: MapPlan, name: str, field_: Field) -> Iterable[str]:
    """The places of a map other than hexes: its zones and regions, or the whole map if it has none."""
    found: list[str] = []
    for board in plan.boards:
        grid = board.grid
        zones = grid.zones if isinstance(grid, Zones) else ()
        below = grid.background if isinstance(grid, Zones) else grid
        for one in (below, *(zone.grid for zone in zones if not zone.component.use_parent_grid)):
            if isinstance(one, Regions):
                found += [region.name for region in one.regions]
        for zone in zones:
            own = not zone.component.use_parent_grid and not isinstance(zone.grid, Regions)
            if own and zone is not field_.area.zone:
                found += _cells_of(zone) or [zone.name]
    if not found and name != field_.area.map:
        return [name]
    return [one for one in found if one]
