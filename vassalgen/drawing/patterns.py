"""Patterns that fill the hexes of a terrain: hummocks, reeds, waves, trees; no two hexes look alike.

The positions come from a fixed sequence for each hex and not from random numbers, so a map is drawn
identically on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from attrs import frozen

from vassalgen.drawing.colours import mixed
from vassalgen.drawing.paths import Path, Piece, Point, ellipse, line, polygon
from vassalgen.drawing.picture import Filled, Inked, Thing


@frozen
class Inks:
    """The inks of a hex: the ink of its signs, and the colour of its ground."""

    ink: str
    ground: str

    def thin(self, strength: float) -> str:
        """The ink at a strength from 0 to 1, mixed with the ground: an opaque colour, which is drawn much
        faster.
        """
        return mixed(self.ground, self.ink, strength)


Signs = Callable[[Point, float, Inks, int], list[Thing]]
"""Draws a pattern into a hex: its centre, its width from flat to flat, the inks, the number of the hex."""


def scattered(centre: Point, radius: float, count: int, seed: int) -> Iterator[tuple[Point, float]]:
    """Points spread evenly over a circle, each with a number from 0 to 1. [R2 sequence, M. Roberts]"""
    golden = 1.32471795724474602596
    start = (seed * 0.618033988749895) % 1.0
    for place in range(count):
        u = (start + (place + 1) / golden) % 1.0
        v = (start * 1.7 + (place + 1) / golden**2) % 1.0
        distance, angle = radius * math.sqrt(u), 2 * math.pi * v
        yield (centre[0] + distance * math.cos(angle), centre[1] + distance * math.sin(angle)), (u + v) % 1.0


def _hills(centre: Point, across: float, inks: Inks, seed: int) -> list[Thing]:
    """Hachured hummocks."""
    found: list[Thing] = []
    spots = sorted(scattered(centre, across * 0.4, 9, seed), key=lambda spot: spot[0][1])
    for (x, y), size in spots:
        half = across * (0.07 + 0.04 * size)
        brow = Path(
            (
                ("M", ((x - half, y),)),
                ("C", ((x - half * 0.5, y - half), (x + half * 0.5, y - half), (x + half, y))),
            )
        )
        shadow = polygon([(x + half * 0.1, y - half * 0.72), (x + half, y), (x + half * 0.25, y)])
        found.append(Filled(brow, inks.thin(0.13)))
        found.append(Filled(shadow, inks.thin(0.27)))
        found.append(Inked(brow, inks.thin(0.75), across * 0.012))
        strokes: list[Piece] = []
        for step in (0.25, 0.5, 0.75):
            sx = x - half + 2 * half * step + half * 0.12
            sy = y - half * 0.75 * math.sin(math.pi * step)
            strokes += line([(sx, sy), (sx + half * 0.22, sy + half * 0.42)]).pieces
        found.append(Inked(Path(tuple(strokes)), inks.thin(0.6), across * 0.008))
    return found


def _mountains(centre: Point, across: float, inks: Inks, seed: int) -> list[Thing]:
    """Peaks with a dark side."""
    found: list[Thing] = []
    spots = sorted(scattered(centre, across * 0.36, 6, seed), key=lambda spot: spot[0][1])
    for (x, y), size in spots:
        half = across * (0.09 + 0.05 * size)
        top = (x + half * 0.1, y - half * 1.3)
        found.append(Filled(polygon([top, (x + half, y), (x + half * 0.1, y)]), inks.thin(0.55)))
        found.append(Inked(line([(x - half, y), top, (x + half, y)]), inks.thin(0.85), across * 0.012))
    return found


def _marsh(centre: Point, across: float, inks: Inks, seed: int) -> list[Thing]:
    """Tufts of reed over short lines of water."""
    water: list[Piece] = []
    reeds: list[Piece] = []
    for (x, y), size in scattered(centre, across * 0.41, 14, seed):
        half = across * (0.035 + 0.025 * size)
        water += line([(x - half * 1.6, y), (x + half * 1.6, y)]).pieces
        for lean in (-0.7, 0.0, 0.7):
            reeds += line([(x, y), (x + lean * half, y - half * 1.3)]).pieces
    return [
        Inked(Path(tuple(water)), inks.thin(0.8), across * 0.009),
        Inked(Path(tuple(reeds)), inks.thin(0.8), across * 0.008),
    ]


def _sea(centre: Point, across: float, inks: Inks, seed: int) -> list[Thing]:
    """Short waves."""
    waves: list[Piece] = []
    for (x, y), size in scattered(centre, across * 0.42, 7, seed):
        half = across * (0.05 + 0.03 * size)
        waves += (
            ("M", ((x - half, y),)),
            ("C", ((x - half * 0.5, y - half * 0.5), (x - half * 0.5, y - half * 0.5), (x, y))),
            ("C", ((x + half * 0.5, y + half * 0.5), (x + half * 0.5, y + half * 0.5), (x + half, y))),
        )
    return [Inked(Path(tuple(waves)), inks.thin(0.55), across * 0.009)]


def _dots(centre: Point, across: float, inks: Inks, seed: int) -> list[Thing]:
    """Sand."""
    return [
        Filled(ellipse(x, y, across * 0.006), inks.thin(0.7))
        for (x, y), _ in scattered(centre, across * 0.46, 42, seed)
    ]


def _salt(centre: Point, across: float, inks: Inks, seed: int) -> list[Thing]:
    """Broken level lines."""
    lines: list[Piece] = []
    for (x, y), _ in scattered(centre, across * 0.41, 16, seed):
        lines += line([(x - across * 0.06, y), (x + across * 0.06, y)]).pieces
    return [Inked(Path(tuple(lines)), inks.thin(0.6), across * 0.009)]


def _woods(centre: Point, across: float, inks: Inks, seed: int) -> list[Thing]:
    """Tree tops."""
    found: list[Thing] = []
    spots = sorted(scattered(centre, across * 0.4, 18, seed), key=lambda spot: spot[0][1])
    for (x, y), size in spots:
        radius = across * (0.045 + 0.02 * size)
        found.append(Filled(ellipse(x + radius * 0.25, y + radius * 0.3, radius), "#000000", 0.15))
        found.append(Filled(ellipse(x, y, radius), inks.ink, 0.9))
    return found


def _fields(centre: Point, across: float, inks: Inks, seed: int) -> list[Thing]:
    """Furrows in patches."""
    furrows: list[Piece] = []
    for (x, y), size in scattered(centre, across * 0.36, 5, seed):
        lean = (size - 0.5) * 1.2
        for row in range(-2, 3):
            start = (x - across * 0.07, y + row * across * 0.022 - lean * across * 0.05)
            end = (x + across * 0.07, y + row * across * 0.022 + lean * across * 0.05)
            furrows += line([start, end]).pieces
    return [Inked(Path(tuple(furrows)), inks.thin(0.6), across * 0.007)]


def _town(centre: Point, across: float, inks: Inks, seed: int) -> list[Thing]:
    """Houses."""
    found: list[Thing] = []
    for (x, y), size in scattered(centre, across * 0.3, 12, seed):
        half = across * (0.025 + 0.02 * size)
        found.append(
            Filled(
                polygon(
                    [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
                ),
                inks.ink,
            )
        )
    return found


def _nothing(centre: Point, across: float, inks: Inks, seed: int) -> list[Thing]:
    return []


AREAS: dict[str, Signs] = {
    "plain": _nothing,
    "hills": _hills,
    "mountains": _mountains,
    "marsh": _marsh,
    "sea": _sea,
    "desert": _dots,
    "salt": _salt,
    "woods": _woods,
    "fields": _fields,
    "town": _town,
    "rough": _dots,
}
