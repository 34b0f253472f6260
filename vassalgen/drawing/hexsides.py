"""Hexsides in their line patterns: rivers, ridges, walls, borders."""

from __future__ import annotations

import math

from vassalgen.drawing.colours import shade
from vassalgen.drawing.paths import Point, ellipse, line, polygon, smooth
from vassalgen.drawing.picture import Filled, Inked, Thing
from vassalgen.game.art import Style


def drawn_line(style: Style, start: Point, end: Point, across: float) -> list[Thing]:
    """Draw a hexside in one of the line patterns."""
    pen = style.width / 100 * across
    straight = line([start, end])
    match style.pattern:
        case "dashed":
            return [Inked(straight, style.line, pen, dash=(pen * 3, pen * 2.5))]
        case "dotted":
            return [Inked(straight, style.line, pen, dash=(pen * 0.1, pen * 2))]
        case "double":
            return [Inked(straight, style.line, pen), Inked(straight, shade(style.line, 1.4), pen * 0.4)]
        case "river" | "stream":
            bent = smooth(wobbled(start, end, across * 0.035))
            return [Inked(bent, style.line, pen), Inked(bent, shade(style.line, 1.25), pen * 0.45)]
        case "ridge":
            return [*_slopes(style, start, end, pen * 1.35), Inked(straight, style.line, pen * 0.55)]
        case "hachures":
            return _slopes(style, start, end, pen * 2.2)
        case "fort":
            return [Inked(straight, style.line, pen), *_merlons(style, start, end, pen)]
        case "bridge":
            return _parapets(style, start, end, across)
        case "ford":
            middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
            return [Filled(ellipse(*middle, across * 0.05), style.line)]
    return [Inked(straight, style.line, pen)]


def reach(style: Style, across: float) -> float:
    """How far the drawing of a hexside extends to either side of it."""
    pen = style.width / 100 * across
    return pen * {"ridge": 1.35, "hachures": 2.2, "fort": 1.0}.get(style.pattern, 0.6)


def _slopes(style: Style, start: Point, end: Point, far: float) -> list[Thing]:
    """Wedges on both sides of a line, as old maps draw slopes; long and short ones alternate."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    ux, uy = dx / length, dy / length
    found: list[Thing] = []
    count = max(5, round(length / (far * 0.62 + 4)))
    for place in range(count):
        part = (place + 0.5) / count
        x, y = start[0] + dx * part, start[1] + dy * part
        wide = length / count * 0.3
        for turn in (-1, 1):
            tall = far * (1.0, 0.72, 0.88, 0.64)[(place + (turn > 0)) % 4] * turn
            foot = [(x - ux * wide, y - uy * wide), (x + ux * wide, y + uy * wide)]
            found.append(Filled(polygon([*foot, (x - uy * tall, y + ux * tall)]), style.line))
    return found


def _parapets(style: Style, start: Point, end: Point, across: float) -> list[Thing]:
    """The parapets of a bridge, splayed at the ends, on both sides of the road."""
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    length = math.dist(start, end)
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    found: list[Thing] = []
    for turn in (-1, 1):
        corners = [(0.1, -0.13), (0.065, -0.085), (0.065, 0.085), (0.1, 0.13)]
        points = [
            (
                middle[0] + (ux * turn * along - uy * over) * across,
                middle[1] + (uy * turn * along + ux * over) * across,
            )
            for along, over in corners
        ]
        found.append(Inked(line(points), style.line, style.width / 100 * across * 0.5))
    return found


def _merlons(style: Style, start: Point, end: Point, pen: float) -> list[Thing]:
    """Square merlons, as fortified lines are drawn."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    ux, uy = dx / length, dy / length
    found: list[Thing] = []
    for place in range(1, 6):
        x, y = start[0] + dx * place / 6, start[1] + dy * place / 6
        corners = [(-pen / 2, -pen), (pen / 2, -pen), (pen / 2, pen), (-pen / 2, pen)]
        found.append(
            Filled(polygon([(x + a * ux - b * uy, y + a * uy + b * ux) for a, b in corners]), style.line)
        )
    return found


def wobbled(start: Point, end: Point, by: float) -> list[Point]:
    """A line with bends that depend only on its position."""
    points = [start]
    dx, dy = end[0] - start[0], end[1] - start[1]
    for place in (0.2, 0.4, 0.6, 0.8):
        bend = by * math.sin((start[0] + end[0]) * 0.37 + (start[1] + end[1]) * 0.53 + place * 9.1)
        length = math.hypot(dx, dy)
        points.append(
            (start[0] + dx * place - dy / length * bend, start[1] + dy * place + dx / length * bend)
        )
    return [*points, end]
