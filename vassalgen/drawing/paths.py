"""Outlines: everything is drawn as outlines, written as SVG or filled as pixels.

A path is a list of pieces, each a letter and its points as in SVG: ``M`` start, ``L`` line, ``Q`` and ``C``
curves, ``Z`` close. Co-ordinates are units of the drawing, y downwards.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TypeAlias

from attrs import frozen

Point: TypeAlias = tuple[float, float]
Piece: TypeAlias = tuple[str, tuple[Point, ...]]

CIRCLE = 0.5522847498
"""How far the handles of a cubic curve extend for a quarter of a circle of radius 1."""


@frozen
class Path:
    """An outline: closed contours, or open lines to be stroked."""

    pieces: tuple[Piece, ...] = ()

    def __add__(self, other: Path) -> Path:
        return Path(self.pieces + other.pieces)

    def moved(self, x: float, y: float) -> Path:
        """The path moved."""
        return self.mapped(1, 0, 0, 1, x, y)

    def scaled(self, by: float, by_y: float | None = None) -> Path:
        """The path scaled around the origin."""
        return self.mapped(by, 0, 0, by if by_y is None else by_y, 0, 0)

    def turned(self, degrees: float) -> Path:
        """The path turned clockwise around the origin."""
        angle = math.radians(degrees)
        cos, sin = math.cos(angle), math.sin(angle)
        return self.mapped(cos, sin, -sin, cos, 0, 0)

    def mapped(self, a: float, b: float, c: float, d: float, e: float, f: float) -> Path:
        """The path under the matrix of SVG's ``matrix(a b c d e f)``."""
        return Path(
            tuple(
                [
                    (letter, tuple([(a * x + c * y + e, b * x + d * y + f) for x, y in points]))
                    for letter, points in self.pieces
                ]
            )
        )

    def svg(self) -> str:
        """The text of SVG's ``d``, rounded to hundredths of a unit."""
        return _shortened(
            "".join(
                letter + " ".join([f"{x:.2f} {y:.2f}" for x, y in points]) for letter, points in self.pieces
            )
        )

    def contours(self, tolerance: float = 0.2, scale: float = 1.0) -> list[list[Point]]:
        """The path as polygons at a scale; curves become lines that deviate by at most the tolerance."""
        found: list[list[Point]] = []
        for letter, points in self.pieces:
            if letter == "Z":
                continue
            at = [(x * scale, y * scale) for x, y in points]
            if letter == "M":
                found.append(at)
            elif letter == "L":
                found[-1] += at
            else:
                found[-1] += _flattened(found[-1][-1], at, tolerance)
        return found

    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of all points, including the handles of curves."""
        xs, ys = zip(*(point for _, points in self.pieces for point in points), strict=True)
        return min(xs), min(ys), max(xs), max(ys)


def number(value: float) -> str:
    """A coordinate as a short number."""
    return _shortened(f"{value:.2f}")


def _shortened(text: str) -> str:
    """A text in which all numbers have two decimals, without trailing zeros."""
    text = text.replace("-0.00", "0").replace(".00", "")
    for tenth in "123456789":
        text = text.replace(f".{tenth}0", f".{tenth}")
    return text


def _flattened(start: Point, handles: Sequence[Point], tolerance: float) -> list[Point]:
    """A curve as points after its start; the number of points follows from its curvature. [Wang]"""
    (ax, ay), (bx, by) = start, handles[0]
    if len(handles) == 2:
        cx, cy = handles[1]
        bend = math.hypot(ax - 2 * bx + cx, ay - 2 * by + cy) / 4
        if bend <= tolerance:  # as of nearly all curves of small letters
            return [(cx, cy)]
        return [
            (a * ax + b * bx + c * cx, a * ay + b * by + c * cy)
            for a, b, c in _weights(3, math.ceil(math.sqrt(bend / tolerance)) or 1)
        ]
    (cx, cy), (dx, dy) = handles[1:]
    bend = 0.75 * max(
        math.hypot(ax - 2 * bx + cx, ay - 2 * by + cy), math.hypot(bx - 2 * cx + dx, by - 2 * cy + dy)
    )
    return [
        (a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy)
        for a, b, c, d in _weights(4, math.ceil(math.sqrt(bend / tolerance)) or 1)
    ]


@cache
def _weights(points: int, count: int) -> tuple[tuple[float, ...], ...]:
    """The weight of each control point of a Bézier curve at each of so many steps. [Bernstein]"""
    return tuple(
        tuple(
            math.comb(points - 1, place) * t**place * (1 - t) ** (points - 1 - place)
            for place in range(points)
        )
        for t in (step / count for step in range(1, count + 1))
    )


def outline(text: str) -> Path:
    """The path of a text as in SVG: letters before their points, ``L`` may be omitted, points ``x,y``."""
    pieces: list[Piece] = []
    words = re.findall(r"[MLQCZ]|[-\d.]+,[-\d.]+", text)
    letter, waiting = "M", list[Point]()
    for word in words:
        if word == "Z":
            pieces.append(("Z", ()))
        elif word in _POINTS:
            letter = word
        else:
            x, y = word.split(",")
            waiting.append((float(x), float(y)))
            if len(waiting) == _POINTS[letter]:
                pieces.append((letter, tuple(waiting)))
                letter, waiting = "L", []
    return Path(tuple(pieces))


_POINTS = {"M": 1, "L": 1, "Q": 2, "C": 3}


def polygon(points: Iterable[Point]) -> Path:
    """A closed outline through the points."""
    first, *rest = points
    return Path((("M", (first,)), *(("L", (point,)) for point in rest), ("Z", ())))


def line(points: Iterable[Point]) -> Path:
    """An open line through the points."""
    first, *rest = points
    return Path((("M", (first,)), *(("L", (point,)) for point in rest)))


def rectangle(x: float, y: float, width: float, height: float, radius: float = 0) -> Path:
    """A rectangle, optionally with rounded corners."""
    right, bottom = x + width, y + height
    if not radius:
        return polygon([(x, y), (right, y), (right, bottom), (x, bottom)])
    k = radius * (1 - CIRCLE)
    return Path(
        (
            ("M", ((x + radius, y),)),
            ("L", ((right - radius, y),)),
            ("C", ((right - k, y), (right, y + k), (right, y + radius))),
            ("L", ((right, bottom - radius),)),
            ("C", ((right, bottom - k), (right - k, bottom), (right - radius, bottom))),
            ("L", ((x + radius, bottom),)),
            ("C", ((x + k, bottom), (x, bottom - k), (x, bottom - radius))),
            ("L", ((x, y + radius),)),
            ("C", ((x, y + k), (x + k, y), (x + radius, y))),
            ("Z", ()),
        )
    )


def ellipse(x: float, y: float, across: float, down: float | None = None) -> Path:
    """An ellipse by its centre and half axes."""
    rx, ry = across, across if down is None else down
    kx, ky = rx * CIRCLE, ry * CIRCLE
    return Path(
        (
            ("M", ((x + rx, y),)),
            ("C", ((x + rx, y + ky), (x + kx, y + ry), (x, y + ry))),
            ("C", ((x - kx, y + ry), (x - rx, y + ky), (x - rx, y))),
            ("C", ((x - rx, y - ky), (x - kx, y - ry), (x, y - ry))),
            ("C", ((x + kx, y - ry), (x + rx, y - ky), (x + rx, y))),
            ("Z", ()),
        )
    )


def smooth(points: Sequence[Point], tension: float = 0.5) -> Path:
    """A smooth line through the points. [Catmull-Rom]"""
    if len(points) < 3:
        return line(points)
    pieces: list[Piece] = [("M", (points[0],))]
    padded = [points[0], *points, points[-1]]
    for before, start, end, after in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        k = tension / 3 * 2
        first = (start[0] + (end[0] - before[0]) * k / 2, start[1] + (end[1] - before[1]) * k / 2)
        second = (end[0] - (after[0] - start[0]) * k / 2, end[1] - (after[1] - start[1]) * k / 2)
        pieces.append(("C", (first, second, end)))
    return Path(tuple(pieces))
