"""The marks of places: dots, rings, anchors, stars."""

from __future__ import annotations

import math

from vassalgen.drawing.paths import Path, Point, ellipse, line, polygon, rectangle
from vassalgen.drawing.picture import Filled, Inked, Thing
from vassalgen.game.art import Style


def place_symbol(style: Style, x: float, y: float, radius: float) -> list[Thing]:
    """The mark of a place."""
    colour = style.fill or "#000000"
    match style.pattern:
        case "ring":
            return [Inked(ellipse(x, y, radius), colour, radius * 0.4)]
        case "square":
            return [Filled(rectangle(x - radius, y - radius, 2 * radius, 2 * radius), colour)]
        case "triangle":
            foot = y + radius * 0.8
            return [Filled(polygon([(x, y - radius), (x + radius, foot), (x - radius, foot)]), colour)]
        case "star":
            points = [
                _spoke(x, y, radius if place % 2 == 0 else radius * 0.42, place * 36) for place in range(10)
            ]
            return [Filled(polygon(points), colour)]
        case "cross":
            return [
                Inked(line([(x - radius, y), (x + radius, y)]), colour, radius * 0.5),
                Inked(line([(x, y - radius), (x, y + radius)]), colour, radius * 0.5),
            ]
        case "anchor":
            ring = ellipse(x, y - radius * 0.75, radius * 0.22)
            flukes = Path(
                (
                    ("M", ((x - radius * 0.8, y + radius * 0.2),)),
                    (
                        "C",
                        (
                            (x - radius * 0.6, y + radius),
                            (x + radius * 0.6, y + radius),
                            (x + radius * 0.8, y + radius * 0.2),
                        ),
                    ),
                )
            )
            shaft, stock = (
                line([(x, y - radius * 0.5), (x, y + radius * 0.85)]),
                line([(x - radius * 0.45, y - radius * 0.25), (x + radius * 0.45, y - radius * 0.25)]),
            )
            return [Inked(part, colour, radius * 0.24) for part in (ring, flukes, shaft, stock)]
        case "wheel":
            spokes = [
                line([_spoke(x, y, radius, angle), _spoke(x, y, radius, angle + 180)])
                for angle in (0, 60, 120)
            ]
            return [Inked(part, colour, radius * 0.22) for part in (ellipse(x, y, radius), *spokes)]
        case "bridge":
            banks = (y - radius * 0.4, y + radius * 0.4)
            return [
                Inked(line([(x - radius, bank), (x + radius, bank)]), colour, radius * 0.3) for bank in banks
            ]
    return [Filled(ellipse(x, y, radius), colour)]


def _spoke(x: float, y: float, radius: float, degrees: float) -> Point:
    angle = math.radians(degrees - 90)
    return x + radius * math.cos(angle), y + radius * math.sin(angle)
