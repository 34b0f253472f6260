"""Grids of regions: named points; a pixel belongs to the nearest one. [boardPicker.board.RegionGrid]"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from functools import cached_property

from attrs import frozen

from vassalgen.vassal.components import Region
from vassalgen.vassal.grids.base import Grid, Point

_LONG = 2**64
_DOUBLE = struct.Struct(">d")
_MOST_CHAINED = 8
_TREES_FROM = 64


@frozen
class Regions(Grid):
    """A grid of regions. If two are equally near, the pixel belongs to the first in VASSAL's own order."""

    regions: tuple[Region, ...]
    snaps: bool = True

    @cached_property
    def _points(self) -> dict[Point, Region]:
        return _in_vassals_order(self.regions)

    @cached_property
    def _by_name(self) -> dict[str, Point]:
        found: dict[str, Point] = {}
        for point, region in self._points.items():
            found.setdefault(region.name, point)
        return found

    def _nearest(self, x: int, y: int) -> Point:
        return min(self._points, key=lambda point: (x - point[0]) ** 2 + (y - point[1]) ** 2, default=(x, y))

    def location_name(self, x: int, y: int) -> str | None:
        """[RegionGrid.locationName]"""
        region = self._points.get(self._nearest(x, y))
        return region.name if region else None

    def pixel(self, name: str) -> Point | None:
        """[RegionGrid.getLocation, findRegion]"""
        return self._by_name.get(name)

    def snap(self, x: int, y: int, *, force: bool = False, only_centres: bool = False) -> Point:
        """[RegionGrid.snapTo]"""
        return self._nearest(x, y) if self.snaps or force else (x, y)


def _in_vassals_order(regions: Iterable[Region]) -> dict[Point, Region]:
    """The regions by their points, in the order in which VASSAL iterates over them.

    VASSAL keeps them in a Java hash map: later regions replace earlier ones at the same point, and the order
    is that of the hash table. (If a table of 64 or more has very many regions in one bucket, Java keeps those
    in a tree, whose order is not reproduced here.)
    """
    points: dict[Point, Region] = {}
    chains: dict[int, int] = {}
    table = 16
    for region in regions:
        point = (region.x, region.y)
        if point not in points:
            slot = _hash(point) & (table - 1)
            crowded = chains.get(slot, 0) >= _MOST_CHAINED and table < _TREES_FROM
            grown = 2 * table if crowded else table
            if len(points) + 1 > grown * 3 // 4:
                grown *= 2
            points[point] = region
            if grown != table:
                table = grown
                chains = {}
                for one in points:
                    chains[_hash(one) & (table - 1)] = chains.get(_hash(one) & (table - 1), 0) + 1
            else:
                chains[slot] = chains.get(slot, 0) + 1
        else:
            points[point] = region
    return dict(sorted(points.items(), key=lambda item: _hash(item[0]) & (table - 1)))


def _hash(point: Point) -> int:
    """The hash of a ``java.awt.Point`` in a Java hash map."""
    x, y = (int.from_bytes(_DOUBLE.pack(value), "big") for value in point)
    bits = (x ^ (y * 31)) % _LONG
    folded = (bits ^ (bits >> 32)) & 0xFFFFFFFF
    return folded ^ (folded >> 16)
