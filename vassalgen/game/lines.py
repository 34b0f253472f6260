"""Lines of sight: the hexes that the straight line between two hex centres crosses, and the hexsides it runs
along.
"""

from __future__ import annotations

from fractions import Fraction

from attrs import frozen

from vassalgen.game.hexes import Cube, Grid

_AROUND = ((0, 0, 0), (1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1))


@frozen
class Crossing:
    """A stretch of the line: through the inside of one hex, or along the hexside between two.

    For a hexside at the map's edge only the hex on the map is named.
    """

    hexes: tuple[str, ...]
    along: bool = False


def line(grid: Grid, name: str, other: str) -> tuple[Crossing, ...]:
    """Return the stretches of the line from centre to centre in order, both ends included.

    The calculation uses exact fractions. A hex that the line touches only in a corner is not crossed;
    stretches off the map are left out.
    """
    start, end = grid.cubes[grid.index[name]], grid.cubes[grid.index[other]]
    way = _less(end, start)
    crossed: dict[tuple[Fraction, Fraction], list[str]] = {}
    seen = set()
    for cell in _candidates(start, way):
        index = grid.by_cube.get(cell[:2])
        if index is None or cell in seen:
            continue
        seen.add(cell)
        stretch = _inside(_less(start, cell), way)
        if stretch is not None:
            crossed.setdefault(stretch, []).append(grid.names[index])
    return tuple(
        Crossing(tuple(sorted(hexes, key=grid.index.__getitem__)), _along(grid, hexes[0], start, way))
        for _, hexes in sorted(crossed.items())
    )


def _less(cube: Cube, other: Cube) -> Cube:
    return cube[0] - other[0], cube[1] - other[1], cube[2] - other[2]


def _candidates(start: Cube, way: Cube) -> list[Cube]:
    """All cells near the line: those at unit distances along it, with their neighbours."""
    steps = max(abs(part) for part in way)
    cells = []
    for step in range(steps + 1):
        middle = _rounded(start, way, step, max(steps, 1))
        cells += [(middle[0] + u, middle[1] + v, middle[2] + w) for u, v, w in _AROUND]
    return cells


def _rounded(start: Cube, way: Cube, step: int, steps: int) -> Cube:
    exact = [Fraction(start[i] * steps + way[i] * step, steps) for i in range(3)]
    near = [round(part) for part in exact]
    worst = max(range(3), key=lambda i: abs(exact[i] - near[i]))
    near[worst] -= sum(near)
    return near[0], near[1], near[2]


def _inside(offset: Cube, way: Cube) -> tuple[Fraction, Fraction] | None:
    """The part of the line (from 0 to 1) within a cell, including its sides; None if it has no length. In a
    cell, the three differences of the cube coordinates are between -1 and 1.
    """
    low, high = Fraction(0), Fraction(1)
    for i in range(3):
        at, slope = offset[i] - offset[i - 1], way[i] - way[i - 1]
        if slope == 0:
            if abs(at) > 1:
                return None
            continue
        ends = sorted((Fraction(-1 - at, slope), Fraction(1 - at, slope)))
        low, high = max(low, ends[0]), min(high, ends[1])
    if way == (0, 0, 0):
        return (low, high) if offset == (0, 0, 0) else None
    return (low, high) if low < high else None


def _along(grid: Grid, name: str, start: Cube, way: Cube) -> bool:
    """Return whether the line runs along the border of the hex and not through its inside."""
    if not any(way):
        return False
    offset = _less(start, grid.cubes[grid.index[name]])
    return any(way[i] == way[i - 1] and abs(offset[i] - offset[i - 1]) == 1 for i in range(3))
