"""Places the names on a board: each gets the one of several positions where it covers least.

Everything that must stay readable is a box with a weight; the boxes are indexed by squares of the board, so
that only those nearby are examined.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

import attrs
from attrs import frozen

from vassalgen.drawing.lettering import Align, Weight, lettered, width
from vassalgen.drawing.paths import Path, Point, line
from vassalgen.drawing.picture import Filled, Inked, Thing

FRAME, TAKEN, NAME, NUMBER, SIGN, COUNTER, LINE, ROAD = 100.0, 30.0, 30.0, 40.0, 25.0, 3.0, 7.0, 4.0
"""What it costs to run over the frame, the ground of a counter that a set-up puts there; to cover a name, the
number of a hex, the sign of a place, the ground of any other counter, a river or ridge, a road."""
_SQUARE = 64
_LEAD = 0.95  # from one line of a name to the next, in parts of its size
_UP, _DOWN = 0.72, 0.2  # how far letters stand above their base line and below it, in parts of their size
_AWAY = 0.5  # how far a name may stand from its sign without a line between them, in parts of its size
_KEPT = 12  # so many of the places for a name are weighed against the places of others
_ROUNDS = 3  # so often names may make way for each other


@frozen
class Box:
    """A rectangle on the board."""

    left: float
    top: float
    right: float
    bottom: float

    def shared(self, other: Box) -> float:
        """The area of the overlap."""
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
    """A position for a name: its baseline, and whether x is its centre, its start or its end."""

    x: float
    y: float
    align: Align = "centre"
    rise: float = 0.0
    """The fraction of the lines after the first by which a name is raised: 1 if the last line is here."""


@frozen(slots=False)
class Lettering:
    """How a name is written, in one or more lines. ``room`` is the maximum width of a line."""

    text: str
    size: float
    colour: str
    weight: Weight = "Semibold"
    room: float | None = None
    opacity: float = 1.0
    halo: str = ""
    price: float = NAME
    """What it costs other names to cover this one."""

    @cached_property
    def lines(self) -> list[str]:
        """The lines, from the top."""
        return self.text.split("\n")

    @cached_property
    def widths(self) -> list[float]:
        """The width of each line."""
        wide = [width(text, self.size, self.weight) for text in self.lines]
        return [min(one, self.room) for one in wide] if self.room else wide

    @cached_property
    def area(self) -> float:
        """The area that the name covers at any position."""
        return sum(self.widths) * self.size * (_UP + _DOWN)

    def boxes(self, spot: Spot) -> tuple[Box, ...]:
        """The boxes that the lines of the name cover at a position, with a small margin."""
        found = []
        air = self.size * 0.12
        for number, wide in enumerate(self.widths):
            left = spot.x - {"left": 0.0, "centre": wide / 2, "right": wide}[spot.align]
            base = self._base(spot, number)
            top, bottom = base - self.size * _UP, base + self.size * _DOWN
            found.append(Box(left - air, top, left + wide + air, bottom))
        return tuple(found)

    def _base(self, spot: Spot, number: int) -> float:
        return spot.y + self.size * _LEAD * (number - (len(self.lines) - 1) * spot.rise)

    def drawn(self, spot: Spot) -> list[Thing]:
        """The name, with a light outline if it has one."""
        rims: list[Thing] = []
        letters: list[Thing] = []
        for number, text in enumerate(self.lines):
            base = self._base(spot, number)
            path: Path = lettered(
                text, spot.x, base, self.size, weight=self.weight, align=spot.align, room=self.room
            )
            if self.halo:
                rims.append(Inked(path, self.halo, self.size * 0.3, 0.8))
            letters.append(Filled(path, self.colour, self.opacity))
        return [*rims, *letters]


@frozen(slots=False)
class Option:
    """A way to place a name. ``dislike`` is a penalty for each pixel of the name, whatever it covers."""

    name: Lettering
    spot: Spot
    dislike: float = 0.0
    sign: Box | None = None
    """The symbol to which a thin line leads if the name is away from it."""

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """The boxes that it covers."""
        return self.name.boxes(self.spot)

    @property
    def penalty(self) -> float:
        """The cost of the dislike."""
        return self.dislike * self.name.area

    def shared(self, other: Option) -> float:
        """The area of the overlap."""
        return sum(mine.shared(theirs) for mine in self.boxes for theirs in other.boxes)

    def drawn(self) -> list[Thing]:
        """The name, and the line that leads to it."""
        things = self.name.drawn(self.spot)
        leader = self.leader
        return [Inked(line(leader), self.name.colour, self.name.size * 0.08), *things] if leader else things

    @cached_property
    def leader(self) -> tuple[Point, Point] | None:
        """The ends of the line to a symbol, if one is needed to see which symbol the name belongs to."""
        if self.sign is None:
            return None
        x, y = (self.sign.left + self.sign.right) / 2, (self.sign.top + self.sign.bottom) / 2
        ends = [(min(max(x, box.left), box.right), min(max(y, box.top), box.bottom)) for box in self.boxes]
        end = min(ends, key=lambda point: math.dist((x, y), point))
        away = math.dist((x, y), end) - (x - self.sign.left)
        return ((x, y), end) if away > self.name.size * _AWAY else None


@attrs.define
class Labels:
    """What is already on a board of this size, and the names placed so far."""

    whole: Box
    _squares: dict[tuple[int, int], list[tuple[Box, float]]] = attrs.Factory(dict)

    def keep_clear(self, box: Box, weight: float) -> None:
        """Note something that names should not cover."""
        for square in _squares(box):
            self._squares.setdefault(square, []).append((box, weight))

    def keep_line_clear(self, points: Sequence[Point], weight: float, half: float) -> None:
        """Note a line, given by closely spaced points."""
        for x, y in points:
            self.keep_clear(Box.around(x, y, half), weight)

    def set(self, options: Sequence[Option]) -> Option:
        """Place a name with the option that covers least; later names then avoid it."""
        ((_, best),) = self._weighed(options, 1)
        for box in best.boxes:
            self.keep_clear(box, best.name.price)
        return best

    def arrange(self, names: Sequence[Sequence[Option]]) -> list[Option]:
        """Like ``set``, for names that may be moved for each other."""
        ways = [self._weighed(options, _KEPT) for options in names]
        chosen: list[Option | None] = [None] * len(names)
        written: dict[tuple[int, int], dict[int, Option]] = {}
        for _ in range(_ROUNDS):
            for number, options in enumerate(ways):
                if (last := chosen[number]) is not None:
                    if len(options) == 1:
                        continue
                    for square in _all_squares(last):
                        del written[square][number]
                best = min(options, key=lambda way: way[0] + _covered(way[1], written))[1]
                for square in _all_squares(best):
                    written.setdefault(square, {})[number] = best
                chosen[number] = best
        found = [one for one in chosen if one is not None]
        for one in found:
            for box in one.boxes:
                self.keep_clear(box, one.name.price)
        return found

    def _weighed(self, options: Sequence[Option], kept: int) -> list[tuple[float, Option]]:
        """The best options for a name, ignoring other names, with their costs."""
        found: list[tuple[float, Option]] = []
        most = math.inf
        for option in sorted(options, key=lambda one: one.penalty):
            cost = option.penalty
            if cost >= most:  # as it is for all that follow
                break
            for box in option.boxes:
                if cost < most:
                    cost = self._cost(box, cost, most)
            if cost < most:
                found = sorted([*found, (cost, option)], key=lambda way: way[0])[:kept]
                most = found[-1][0] if len(found) == kept else math.inf
        return found

    def _cost(self, box: Box, beforehand: float, most: float) -> float:
        """The cost of a name in a box; the sum stops early once it is too high."""
        cost = beforehand + (box.area - box.shared(self.whole)) * FRAME
        for column, row in _squares(box):
            if cost >= most:
                break
            # a loop over bare numbers, each square for itself: most of the time for a board goes here
            left, right = max(box.left, column * _SQUARE), min(box.right, (column + 1) * _SQUARE)
            top, bottom = max(box.top, row * _SQUARE), min(box.bottom, (row + 1) * _SQUARE)
            for other, weight in self._squares.get((column, row), ()):
                if other.left < right and left < other.right and other.top < bottom and top < other.bottom:
                    wide = (other.right if other.right < right else right) - (
                        other.left if other.left > left else left
                    )
                    high = (other.bottom if other.bottom < bottom else bottom) - (
                        other.top if other.top > top else top
                    )
                    cost += wide * high * weight
        return cost


def _all_squares(option: Option) -> set[tuple[int, int]]:
    return {square for box in option.boxes for square in _squares(box)}


def _covered(option: Option, written: dict[tuple[int, int], dict[int, Option]]) -> float:
    """The cost of covering the names placed so far."""
    near: dict[int, Option] = {}
    for square in _all_squares(option):
        near |= written.get(square, {})
    return sum(option.shared(other) * other.name.price for other in near.values())


def _squares(box: Box) -> Iterator[tuple[int, int]]:
    for column in range(math.floor(box.left / _SQUARE), math.floor(box.right / _SQUARE) + 1):
        for row in range(math.floor(box.top / _SQUARE), math.floor(box.bottom / _SQUARE) + 1):
            yield column, row


def around(x: float, y: float, radius: float, size: float) -> tuple[Spot, ...]:
    """The positions around a symbol, the usual ones first."""
    gap = size * 0.28
    below, above = y + radius + size * 0.95, y - radius - gap
    level, far = y + size * 0.33, radius + gap
    slant = radius * 0.75 + gap * 0.5
    return (
        Spot(x, below),
        Spot(x + far, level, "left", 0.5),
        Spot(x - far, level, "right", 0.5),
        Spot(x, above, rise=1.0),
        Spot(x + slant, y + radius + size * 0.6, "left"),
        Spot(x - slant, y + radius + size * 0.6, "right"),
        Spot(x + slant, y - radius, "left", 1.0),
        Spot(x - slant, y - radius, "right", 1.0),
    )


def broken(text: str, lines: int) -> str:
    """A name broken into so many lines, as even as its words allow; unchanged if it has too few words."""
    words = text.split(" ")
    if lines < 2 or len(words) < lines:
        return text
    firsts = (
        (" ".join(words[:count]), " ".join(words[count:])) for count in range(1, len(words) - lines + 2)
    )
    ways = (f"{first}\n{broken(rest, lines - 1)}" for first, rest in firsts)
    return min(ways, key=lambda way: max(map(len, way.split("\n"))))


def along(points: Sequence[Point], step: float) -> list[Point]:
    """Points on a line, no farther apart than a step."""
    found = list(points[:1])
    for (ax, ay), (bx, by) in pairwise(points):
        count = max(1, math.ceil(math.dist((ax, ay), (bx, by)) / step))
        found += [
            (ax + (bx - ax) * part / count, ay + (by - ay) * part / count) for part in range(1, count + 1)
        ]
    return found
