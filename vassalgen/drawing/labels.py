"""Where names stand on a board: each takes, of several places, the one where it covers least.

Everything that must stay readable is noted as a box with a weight; the boxes are kept by squares of the
board, so that only those near by are looked at.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import attrs
from attrs import frozen

from vassalgen.drawing.lettering import Align, Weight, lettered, width
from vassalgen.drawing.paths import Path, Point
from vassalgen.drawing.picture import Filled, Inked, Thing

FRAME, TAKEN, NAME, SIGN, COUNTER, LINE, ROAD = 100.0, 30.0, 10.0, 8.0, 6.0, 4.0, 3.0
"""What it costs to run over the frame, the ground of a counter that a set-up puts there; to cover a name, the
sign of a place, the ground of any other counter, a river or ridge, a road."""
_SQUARE = 64
_PREFERRED = 0.06  # how much a name may cover, in parts of its box, before it moves to the next place


@frozen
class Box:
    """A rectangle on the board."""

    left: float
    top: float
    right: float
    bottom: float

    def shared(self, other: Box) -> float:
        """The area that both cover."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide * high if wide > 0 and high > 0 else 0.0

    @property
    def area(self) -> float:
        """Width times height."""
        return (self.right - self.left) * (self.bottom - self.top)

    @classmethod
    def around(cls, x: float, y: float, radius: float) -> Box:
        """A square around a point."""
        return cls(x - radius, y - radius, x + radius, y + radius)


@frozen
class Spot:
    """A place for a name: where its base line is, and whether x is its middle or one of its ends."""

    x: float
    y: float
    align: Align = "centre"


@frozen
class Lettering:
    """How a name is written. ``room`` is the width it must not exceed."""

    text: str
    size: float
    colour: str
    weight: Weight = "Semibold"
    room: float | None = None
    opacity: float = 1.0
    halo: str = ""

    def box(self, spot: Spot) -> Box:
        """What the name covers at a place."""
        wide = width(self.text, self.size, self.weight)
        wide = min(wide, self.room) if self.room else wide
        left = spot.x - {"left": 0.0, "centre": wide / 2, "right": wide}[spot.align]
        return Box(left, spot.y - self.size * 0.72, left + wide, spot.y + self.size * 0.2)

    def drawn(self, spot: Spot) -> list[Thing]:
        """The name, on a rim of light if it has one."""
        path: Path = lettered(
            self.text, spot.x, spot.y, self.size, weight=self.weight, align=spot.align, room=self.room
        )
        rim = [Inked(path, self.halo, self.size * 0.3, 0.8)] if self.halo else []
        return [*rim, Filled(path, self.colour, self.opacity)]


@attrs.define
class Labels:
    """What is on a board of this size already, and the names that were set."""

    whole: Box
    _squares: dict[tuple[int, int], list[tuple[Box, float]]] = attrs.Factory(dict)

    def keep_clear(self, box: Box, weight: float) -> None:
        """Note something that names should not cover."""
        for square in _squares(box):
            self._squares.setdefault(square, []).append((box, weight))

    def keep_line_clear(self, points: Sequence[Point], weight: float, half: float) -> None:
        """Note a line, given by points that lie close together."""
        for x, y in points:
            self.keep_clear(Box.around(x, y, half), weight)

    def set(self, name: Lettering, spots: Sequence[Spot]) -> list[Thing]:
        """Write a name where it covers least; of equal places the first."""
        best, least = spots[0], math.inf
        for number, spot in enumerate(spots):
            box = name.box(spot)
            least_here = number * _PREFERRED * box.area
            if least_here >= least:  # as it is for all that follow
                break
            if (cost := self._cost(box, least_here, least)) < least:
                best, least = spot, cost
        self.keep_clear(name.box(best), NAME)
        return name.drawn(best)

    def _cost(self, box: Box, beforehand: float, most: float) -> float:
        """What a name costs in a box; it is not added up to the end where that is too much already."""
        near = {id(noted): noted for square in _squares(box) for noted in self._squares.get(square, ())}
        cost = beforehand + (box.area - box.shared(self.whole)) * FRAME
        for other, weight in near.values():
            if cost >= most:
                break
            # most of what is near is beside the name: calling for the shared area would take twice as long
            if other.left < box.right and box.left < other.right and other.top < box.bottom:
                cost += box.shared(other) * weight
        return cost


def _squares(box: Box) -> Iterator[tuple[int, int]]:
    for column in range(math.floor(box.left / _SQUARE), math.floor(box.right / _SQUARE) + 1):
        for row in range(math.floor(box.top / _SQUARE), math.floor(box.bottom / _SQUARE) + 1):
            yield column, row


def around(x: float, y: float, radius: float, size: float) -> tuple[Spot, ...]:
    """The places around a sign, those first where people look for its name."""
    gap = size * 0.28
    below, above = y + radius + size * 0.95, y - radius - gap
    level, far = y + size * 0.33, radius + gap
    slant = radius * 0.75 + gap * 0.5
    return (
        Spot(x, below),
        Spot(x + far, level, "left"),
        Spot(x - far, level, "right"),
        Spot(x, above),
        Spot(x + slant, y + radius + size * 0.6, "left"),
        Spot(x - slant, y + radius + size * 0.6, "right"),
        Spot(x + slant, y - radius, "left"),
        Spot(x - slant, y - radius, "right"),
    )


def along(points: Sequence[Point], step: float) -> list[Point]:
    """Points on a line, no farther apart than a step."""
    found = list(points[:1])
    for (ax, ay), (bx, by) in pairwise(points):
        count = max(1, math.ceil(math.dist((ax, ay), (bx, by)) / step))
        found += [
            (ax + (bx - ax) * part / count, ay + (by - ay) * part / count) for part in range(1, count + 1)
        ]
    return found
