"""The surroundings of the map: land and sea continue, faintly, up to a frame."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence

from attrs import frozen

from vassalgen.drawing.colours import mixed
from vassalgen.drawing.paths import Point, polygon, rectangle
from vassalgen.drawing.picture import Filled, Inked, Thing
from vassalgen.game.game import Game
from vassalgen.game.layout import Layout

_FAINT = 0.58
"""How strongly the colours outside the map fade into the background."""
_LAP = 0.08
"""The distance of the frame from the outermost corners, in hexes."""


@frozen
class Outer:
    """A hex just off the map: its guessed terrain, and the hexes of the map that it touches."""

    corners: tuple[Point, ...]
    centre: Point
    terrain: str
    sides: tuple[tuple[str, Point, Point], ...]


def outer_hexes(game: Game, layout: Layout, sea: str) -> tuple[Outer, ...]:
    """The hexes just off the map, each like most of its neighbours, or sea if these are sea and coast.

    ``sea`` is the terrain of the sea, empty if there is none.
    """
    sides: dict[tuple[int, int], list[tuple[str, Point, Point]]] = {}
    for name in layout.grid.names:
        x, y = layout.centre(name)
        for direction in layout.grid.directions:
            if layout.grid.neighbour(name, direction) is None:
                start, end = layout.edge(name, direction)
                place = round(start[0] + end[0] - x), round(start[1] + end[1] - y)
                sides.setdefault(place, []).append((name, start, end))
    found: list[Outer] = []
    for place, touched in sorted(sides.items()):
        hexes = [game.map.hexes[name] for name, _, _ in touched]
        terrain = _most([one.terrain for one in hexes])
        if sea and all(one.coast or one.terrain == sea for one in hexes):
            terrain = sea
        x, y = layout.centre(hexes[0].name)
        corners = tuple((cx - x + place[0], cy - y + place[1]) for cx, cy in layout.corners(hexes[0].name))
        found.append(Outer(corners, place, terrain, tuple(touched)))
    return tuple(found)


def beyond(game: Game, outer: Sequence[Outer]) -> list[Thing]:
    """The hexes off the map, faintly drawn; each is first drawn larger to fill the corners of the frame."""
    found: list[Thing] = []
    for by in (1.6, 1.006):
        for one in outer:
            style = game.art.terrain.get(one.terrain)
            if style and style.fill:
                colour = mixed(style.fill, game.art.board.background, _FAINT)
                found.append(Filled(polygon(grown(one.corners, one.centre, by)), colour))
    return found


def grown(corners: Sequence[Point], centre: Point, by: float = 1.006) -> list[Point]:
    """Corners moved outwards a little, so that no seam is visible between hexes."""
    return [(centre[0] + (x - centre[0]) * by, centre[1] + (y - centre[1]) * by) for x, y in corners]


def _most(terrains: list[str]) -> str:
    tally = Tally(terrains)
    return max(sorted(tally), key=lambda one: tally[one])


def frame(game: Game, layout: Layout) -> list[Thing]:
    """Cover whatever extends beyond the frame, and draw the frame's two lines."""
    wide, high = layout.size
    ground, ink = game.art.board.background, mixed(game.art.board.grid.ink or "#3b3424", "#000000", 0.2)
    inset = inside(layout)
    found: list[Thing] = [
        Filled(rectangle(0, 0, wide + 1, inset), ground),
        Filled(rectangle(0, high - inset, wide + 1, inset + 1), ground),
        Filled(rectangle(0, 0, inset, high + 1), ground),
        Filled(rectangle(wide - inset, 0, inset + 1, high + 1), ground),
    ]
    for away, pen in ((0.0, 1.6), (5.0, 3.2)):
        edge = inset - away
        found.append(Inked(rectangle(edge, edge, wide - 2 * edge, high - 2 * edge), ink, pen))
    return found


def inside(layout: Layout) -> float:
    """The distance of the frame from the edge of the board."""
    return max(6.0, layout.margin - layout.across * _LAP)
