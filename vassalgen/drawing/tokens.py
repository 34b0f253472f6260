"""Pictures that every module has of its own: the status plate, the turn marker, the sign of having moved."""

from __future__ import annotations

from vassalgen.drawing.counters import shade
from vassalgen.drawing.paths import polygon, rectangle
from vassalgen.drawing.picture import Filled, Picture

PLATE = (640.0, 80.0)
"""The size of the status plate in pixels."""
MARKER = (32.0, 64.0)
"""The size of the turn marker in pixels."""
SIGN = 18.0
"""The side of the sign of having moved."""


def status_plate(background: str) -> Picture:
    """The ground on which a module writes its status."""
    wide, high = PLATE
    things = (
        Filled(rectangle(0, 0, wide, high, 8), shade(background, 0.5)),
        Filled(rectangle(2, 2, wide - 4, high - 4, 6), shade(background, 1.25)),
    )
    return Picture(wide, high, things)


def turn_marker() -> Picture:
    """The arrow that stands on the turn track."""
    wide, high = MARKER
    arrow = [(0.5, 0.08), (0.9, 0.42), (0.66, 0.42), (0.66, 0.92), (0.34, 0.92), (0.34, 0.42), (0.1, 0.42)]
    things = (
        Filled(rectangle(0, 0, wide, high, 5), "#5b1f14"),
        Filled(rectangle(1.5, 1.5, wide - 3, high - 3, 4), "#b5402a"),
        Filled(polygon([(x * wide, y * high) for x, y in arrow]), "#ffffff"),
    )
    return Picture(wide, high, things)


def moved_sign() -> Picture:
    """A small arrow."""
    side = SIGN
    arrow = [(0.22, 0.38), (0.5, 0.38), (0.5, 0.18), (0.84, 0.5), (0.5, 0.82), (0.5, 0.62), (0.22, 0.62)]
    things = (
        Filled(rectangle(0, 0, side, side, side / 2), "#2e7d4f"),
        Filled(polygon([(x * side, y * side) for x, y in arrow]), "#ffffff"),
    )
    return Picture(side, side, things)
