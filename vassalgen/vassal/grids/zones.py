"""Zones on a board. [boardPicker.board.ZonedGrid, mapgrid.Zone]"""

from __future__ import annotations

import re
from functools import cached_property

from attrs import frozen

from vassalgen.vassal.components import Zone
from vassalgen.vassal.grids import formats
from vassalgen.vassal.grids.base import Grid, Point, Snap, pixel_distance
from vassalgen.vassal.grids.regions import Regions
from vassalgen.vassal.grids.rounding import quotient
from vassalgen.vassal.scalars import Polygon


@frozen
class ZoneShape:
    """A zone: its name, its corners, and the grid inside it, which may be that of the board around it."""

    component: Zone
    grid: Grid | None

    @property
    def name(self) -> str:
        """The zone's name."""
        return self.component.name

    @cached_property
    def _box(self) -> tuple[int, int, int, int]:
        return bounding_box(self.component.path)

    def contains(self, x: int, y: int) -> bool:
        """Whether a pixel is in the zone; its left and upper borders belong to it. [java.awt.Polygon]"""
        left, top, right, bottom = self._box
        return left <= x < right and top <= y < bottom and inside(self.component.path, x, y)

    def location_name(self, x: int, y: int) -> str:
        """[mapgrid.Zone.locationName]"""
        located = self.grid.location_name(x, y) if self.grid else None
        properties = {"name": self.name, "gridLocation": located}
        return formats.fill(self.component.location_format, properties, keep_unknown=True)

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        properties = {"name": re.escape(self.name)}
        if self.grid is not None:
            properties["gridLocation"] = "(.*)"
        return formats.pattern(self.component.location_format, properties)

    def pixel(self, name: str) -> Point | None:
        """[mapgrid.Zone.getLocation]

        For a name without a place in the zone's grid it is the mean of the corners, or the first corner if
        that is outside.
        """
        match = self._pattern.fullmatch(name) if self._pattern else None
        if match is None:
            return None
        if match.re.groups and self.grid is not None:
            return self.within(self.grid.pixel(match[match.re.groups]))
        return self._mean

    @cached_property
    def _mean(self) -> Point:
        corners = self.component.path
        if not corners:
            return 0, 0
        mean = tuple(quotient(sum(values), len(corners)) for values in zip(*corners, strict=True))
        return (mean[0], mean[1]) if self.contains(*mean) else corners[0]

    def region_pixel(self, name: str) -> Point | None:
        """The point of a region of the zone, whatever the zone's format. [mapgrid.Zone.getRegionLocation]"""
        return self.within(self.grid.pixel(name)) if isinstance(self.grid, Regions) else None

    def within(self, point: Point | None) -> Point | None:
        """The point, if it is in the zone."""
        return point if point and self.contains(*point) else None


@frozen
class Zones(Grid):
    """Zones on a background. A pixel belongs to the first zone that contains it."""

    zones: tuple[ZoneShape, ...]
    background: Grid | None

    def zone_at(self, x: int, y: int) -> ZoneShape | None:
        """The zone to which a pixel belongs."""
        for zone in self.zones:
            if zone.contains(x, y):
                return zone
        return None

    def location_name(self, x: int, y: int) -> str | None:
        """[ZonedGrid.locationName]"""
        zone = self.zone_at(x, y)
        if zone is not None:
            return zone.location_name(x, y)
        return self.background.location_name(x, y) if self.background else None

    def pixel(self, name: str) -> Point | None:
        """[ZonedGrid.getLocation]"""
        for zone in self.zones:
            point = zone.within(zone.pixel(name))
            if point is not None:
                return point
        return self.background.pixel(name) if self.background else None

    def region_pixel(self, name: str) -> Point | None:
        """The point of a region of any zone, whatever the zone's format. [ZonedGrid.getRegionLocation]"""
        points = (zone.region_pixel(name) for zone in self.zones)
        return next((point for point in points if point is not None), None)

    def snap(self, x: int, y: int, *, force: bool = False, only_centres: bool = False) -> Point:
        """[ZonedGrid.snapTo]"""
        zone = self.zone_at(x, y)
        grid = zone.grid if zone else self.background
        return grid.snap(x, y, force=force, only_centres=only_centres) if grid else (x, y)

    def distance(self, ax: int, ay: int, bx: int, by: int, snap: Snap | None = None) -> int:
        """[ZonedGrid.range]"""
        zone = self.zone_at(ax, ay)
        grid = self.background
        if zone is not None and zone is self.zone_at(bx, by) and zone.grid is not None:
            grid = zone.grid
        return grid.distance(ax, ay, bx, by, snap or self.snap) if grid else pixel_distance(ax, ay, bx, by)


def bounding_box(path: Polygon) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of a polygon."""
    if not path:
        return 0, 0, 0, 0
    across, down = zip(*path, strict=True)
    return min(across), min(down), max(across), max(down)


def inside(path: Polygon, x: int, y: int) -> bool:
    """Whether an odd number of the polygon's sides are to the right of a point."""
    if len(path) < 3:
        return False
    hit = False
    last_x, last_y = path[-1]
    for corner_x, corner_y in path:
        if (corner_y <= y) != (last_y <= y):
            (low_x, low_y), (high_x, high_y) = sorted(
                ((corner_x, corner_y), (last_x, last_y)), key=lambda corner: corner[1]
            )
            if x - low_x < (y - low_y) / (high_y - low_y) * (high_x - low_x):
                hit = not hit
        last_x, last_y = corner_x, corner_y
    return hit
