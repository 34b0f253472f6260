"""The hex grid: names, neighbours, distance, hexsides.

Other code uses hex names; searches that must be fast use indices, the positions of the hexes in
``Grid.names``, and the arrays next to it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Literal

from attrs import field, frozen

Orientation = Literal["flat", "pointy"]
Parity = Literal["odd", "even"]
Edge = Literal["north", "east", "south", "west"]

DIRECTIONS: dict[Orientation, tuple[str, ...]] = {
    "flat": ("N", "NE", "SE", "S", "SW", "NW"),
    "pointy": ("NE", "E", "SE", "SW", "W", "NW"),
}
# steps in cube coordinates, in the order of DIRECTIONS; the opposite of direction d is (d + 3) % 6
_STEPS: dict[Orientation, tuple[tuple[int, int], ...]] = {
    "flat": ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)),
    "pointy": ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)),
}
NOWHERE = -1

Cube = tuple[int, int, int]


@frozen
class Numbering:
    """How hexes are named, as a pattern.

    A run of ``C`` or ``R`` is the number of the column or row, padded with zeros to the length of the run; a
    lower-case ``c`` or ``r`` is its letter (1 = A, 27 = AA, 28 = BB); any other character stands for itself.
    ``CCRR`` gives 0712, ``rC`` gives B4, ``cR`` gives Q10.
    """

    pattern: str

    @cached_property
    def _parts(self) -> tuple[str, ...]:
        return tuple(re.findall(r"C+|R+|c|r|[^CRcr]+", self.pattern))

    def problem(self) -> str:
        """Return what is wrong with the pattern, or an empty text."""
        for letter, what in (("c", "column"), ("r", "row")):
            count = sum(part[0].lower() == letter for part in self._parts)
            if count != 1:
                return f"{self.pattern!r} names the {what} {count} times"
        return ""

    def name(self, column: int, row: int) -> str:
        """Return the name of the hex in this column and row."""
        number = {"c": column, "r": row}
        return "".join(
            _letters(number[part])
            if part in number
            else f"{number[part[0].lower()]:0{len(part)}d}"
            if part[0] in "CR"
            else part
            for part in self._parts
        )


def _numbering(pattern: str | Numbering) -> Numbering:
    return pattern if isinstance(pattern, Numbering) else Numbering(pattern)


def _letters(number: int) -> str:
    repeats, letter = divmod(number - 1, 26)
    return chr(ord("A") + letter) * (repeats + 1)


def _counted(span: tuple[int, int]) -> range:
    """All numbers from the first to the last, ascending or descending."""
    first, last = span
    return range(first, last + 1) if first <= last else range(first, last - 1, -1)


@frozen
class Grid:
    """A rectangle of hexes, without those that are missing. ``flat`` hexes form straight columns, ``pointy``
    ones straight rows. ``shifted`` are the columns (flat) or rows (pointy) that are half a hex farther down
    or to the right. ``columns`` and ``rows`` are the first and last numbers, from the left and from the top;
    if a map is numbered in the other direction, the greater number is first.
    """

    orientation: Orientation
    shifted: Parity
    columns: tuple[int, int]
    rows: tuple[int, int]
    numbering: Numbering = field(converter=_numbering)
    missing: frozenset[str] = frozenset()
    _by_distance: dict[str, tuple[str, ...]] = field(factory=dict, init=False, eq=False, repr=False)
    """Cache of all hexes by distance from one."""

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Column and row of every hex, by index."""
        return tuple(
            (column, row)
            for column in _counted(self.columns)
            for row in _counted(self.rows)
            if not self.missing or self.numbering.name(column, row) not in self.missing
        )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of all hexes, column by column; the position of a name is the hex's index."""
        return tuple(self.numbering.name(column, row) for column, row in self.places)

    @cached_property
    def index(self) -> dict[str, int]:
        """The index of each hex name."""
        return {name: index for index, name in enumerate(self.names)}

    @cached_property
    def bits(self) -> dict[str, int]:
        """Each hex as a set of one bit, by name: 2 to the power of its index."""
        return {name: 1 << index for index, name in enumerate(self.names)}

    @cached_property
    def cubes(self) -> tuple[Cube, ...]:
        """Cube coordinates by index: three numbers with sum 0; from hex to hex one goes up and one down."""
        return tuple(self._cube(column, row) for column, row in self.places)

    def _cube(self, column: int, row: int) -> Cube:
        column, row = column * self.across_step, row * self.down_step
        along, across = (column, row) if self.orientation == "flat" else (row, column)
        doubled = 2 * across + self.is_shifted(along)
        slanted = (doubled - along - (self.shifted == "even")) // 2
        first, second = (along, slanted) if self.orientation == "flat" else (slanted, along)
        return first, second, -first - second

    @property
    def across_step(self) -> int:
        """What is added to the number of a column to get the next one to the right: 1 or -1."""
        return 1 if self.columns[0] <= self.columns[1] else -1

    @property
    def down_step(self) -> int:
        """What is added to the number of a row to get the next one below: 1 or -1."""
        return 1 if self.rows[0] <= self.rows[1] else -1

    def is_shifted(self, line: int) -> bool:
        """Return whether this column (flat) or row (pointy) is half a hex farther down or to the right."""
        return (line % 2 == 1) == (self.shifted == "odd")

    @cached_property
    def by_cube(self) -> dict[tuple[int, int], int]:
        """The index by the first two cube coordinates."""
        return {(first, second): index for index, (first, second, _) in enumerate(self.cubes)}

    @cached_property
    def adjacent(self) -> tuple[tuple[int, ...], ...]:
        """The indices of the six neighbours of each index, in the order of ``directions``, NOWHERE (-1) off
        the map.
        """
        find, steps = self.by_cube.get, _STEPS[self.orientation]
        return tuple(
            tuple(find((first + u, second + v), NOWHERE) for u, v in steps) for first, second, _ in self.cubes
        )

    @property
    def directions(self) -> tuple[str, ...]:
        """Names of the six directions, clockwise from the north."""
        return DIRECTIONS[self.orientation]

    def __contains__(self, name: object) -> bool:
        return name in self.index

    @cached_property
    def _around(self) -> dict[str, tuple[str, ...]]:
        names = self.names
        return {
            name: tuple(names[other] for other in around if other != NOWHERE)
            for name, around in zip(names, self.adjacent, strict=True)
        }

    def neighbours(self, name: str) -> tuple[str, ...]:
        """Return the neighbours that are on the map, clockwise from the north."""
        return self._around[name]

    def neighbour(self, name: str, direction: str) -> str | None:
        """Return the neighbour in a direction such as ``NE``; None off the map."""
        other = self.adjacent[self.index[name]][self.directions.index(direction)]
        return None if other == NOWHERE else self.names[other]

    def direction(self, name: str, other: str) -> str | None:
        """Return the direction of a neighbour; None for a hex that is not a neighbour."""
        around = self.adjacent[self.index[name]]
        at = self.index[other]
        return self.directions[around.index(at)] if at in around else None

    def are_neighbours(self, name: str, other: str) -> bool:
        """Return whether two hexes share a hexside; boxes and other places have no neighbours."""
        index = self.index
        return name in index and other in index and index[other] in self.adjacent[index[name]]

    def side(self, name: str, other: str) -> tuple[str, str]:
        """Return the canonical name of the hexside between two neighbours; ValueError if they are not
        neighbours.
        """
        if not self.are_neighbours(name, other):
            raise ValueError(f"{name} and {other} are not neighbours")
        return (name, other) if self.index[name] < self.index[other] else (other, name)

    def distance(self, name: str, other: str) -> int:
        """Return the distance between two hexes in hexes, 0 for the hex itself."""
        return self.gap(self.index[name], self.index[other])

    def gap(self, index: int, other: int) -> int:
        """Return the distance of two hexes given by index."""
        (first, second, third), there = self.cubes[index], self.cubes[other]
        return (abs(first - there[0]) + abs(second - there[1]) + abs(third - there[2])) >> 1

    def within(self, name: str, distance: int) -> tuple[str, ...]:
        """Return all hexes up to a distance, the hex itself included, in the order of ``names``."""
        at = self.index[name]
        return tuple(other for index, other in enumerate(self.names) if self.gap(at, index) <= distance)

    def nearest(self, name: str) -> tuple[str, ...]:
        """Return all hexes by distance from one, those at equal distance by name."""
        if name not in self._by_distance:
            at = self.index[name]
            gaps = {other: self.gap(at, index) for other, index in self.index.items()}
            self._by_distance[name] = tuple(sorted(sorted(gaps), key=gaps.__getitem__))
        return self._by_distance[name]

    @cached_property
    def rim(self) -> Mapping[str, frozenset[Edge]]:
        """The hexes at the edge of the map with their edges, in the order of ``names``."""
        found: dict[str, frozenset[Edge]] = {}
        for name, (column, row) in zip(self.names, self.places, strict=True):
            edges: list[tuple[Edge, bool]] = [
                ("north", row == self.rows[0]),
                ("east", column == self.columns[1]),
                ("south", row == self.rows[1]),
                ("west", column == self.columns[0]),
            ]
            if lies := frozenset(edge for edge, is_on in edges if is_on):
                found[name] = lies
        return found

    def edges(self, name: str) -> frozenset[Edge]:
        """Return the edges of the map on which a hex is."""
        return self.rim.get(name, frozenset())
