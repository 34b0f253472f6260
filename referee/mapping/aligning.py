"""Lays the game's hexes over a map of the module, whatever the map's scale, offset and rotation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import frozen

from vassalgen.game.hexes import Grid
from vassalgen.game.layout import Layout, Point

Known = Iterable[tuple[str, float, float]]
"""Hexes of the game with the pixels of their centres."""


@frozen
class Alignment:
    """Converts pixels of a map to the plane of the game's hexes: x' = ax + by + c, and likewise y'."""

    layout: Layout
    across: tuple[float, float, float]
    down: tuple[float, float, float]

    def hex_at(self, x: float, y: float) -> str | None:
        """The hex at a pixel, None off the hexes."""
        return self.layout.hex_at(*(a * x + b * y + c for a, b, c in (self.across, self.down)))

    def pixel_of(self, point: Point) -> Point:
        """The pixel of the map at a point of the plane."""
        (a, b, c), (d, e, f) = self.across, self.down
        u, v = point[0] - c, point[1] - f
        return (e * u - b * v) / (a * e - b * d), (a * v - d * u) / (a * e - b * d)


def align(grid: Grid, known: Known) -> Alignment | None:
    """The best fit for the hexes; None if fewer than three are known, or all are in one line."""
    layout = Layout(grid, 1.0)
    pairs = [(x, y, *layout.centre(name)) for name, x, y in known if name in grid]
    if len(pairs) < 3:
        return None
    count = len(pairs)
    mx, my = sum(one[0] for one in pairs) / count, sum(one[1] for one in pairs) / count
    xx = sum((x - mx) ** 2 for x, _, _, _ in pairs)
    yy = sum((y - my) ** 2 for _, y, _, _ in pairs)
    xy = sum((x - mx) * (y - my) for x, y, _, _ in pairs)
    determinant = xx * yy - xy * xy
    if determinant <= 1e-6 * xx * yy:
        return None
    found = []
    for place in (2, 3):
        mean = sum(one[place] for one in pairs) / count
        xv = sum((one[0] - mx) * (one[place] - mean) for one in pairs)
        yv = sum((one[1] - my) * (one[place] - mean) for one in pairs)
        a, b = (xv * yy - yv * xy) / determinant, (yv * xx - xv * xy) / determinant
        found.append((a, b, mean - a * mx - b * my))
    return Alignment(layout, found[0], found[1])


def agreeing(laid: Alignment, known: Mapping[str, tuple[float, float]]) -> int:
    """The number of hexes that are where they should be."""
    return sum(laid.hex_at(x, y) == name for name, (x, y) in known.items())
