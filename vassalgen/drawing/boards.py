"""The board: terrain, coast, hexsides, roads, places, hex names, and the boxes' plates.

Everything is placed by the same layout that the module's grid is computed from, so the two cannot disagree.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from io import BytesIO

from attrs import frozen

from vassalgen.drawing.counters import shade
from vassalgen.drawing.lettering import lettered, width
from vassalgen.drawing.paths import Path, Point, ellipse, line, polygon, rectangle, smooth
from vassalgen.drawing.patterns import AREAS
from vassalgen.drawing.picture import Filled, Inked, Picture, Thing
from vassalgen.game.art import Style
from vassalgen.game.game import Game
from vassalgen.game.hexes import Edge
from vassalgen.game.layout import Layout
from vassalgen.game.maps import Hexside, Place, Road

SEA_PATTERN = "sea"


@frozen(slots=False)
class Board:
    """A game's board as a picture. All sizes follow from ``across``, the width of a hex in pixels."""

    game: Game

    @cached_property
    def layout(self) -> Layout:
        """Where the hexes lie on the picture."""
        board = self.game.art.board
        return Layout(self.game.map.grid, float(board.across), float(board.margin))

    @cached_property
    def picture(self) -> Picture:
        """The whole board."""
        across = self.layout.across
        wide, high = (math.ceil(extent) for extent in self.layout.size)
        things: list[Thing] = [Filled(rectangle(0, 0, wide, high), self.game.art.board.background)]
        things += self._terrain()
        things += self._coast()
        things += self._zones()
        things += self._grid()
        for hexside in self.game.map.hexsides.values():
            things += self._hexside(hexside)
        for road in self.game.map.roads.values():
            things += self._road(road)
        things += self._names()
        things += self._regions()
        for place in self.game.map.places.values():
            things += self._place(place)
        things += self._title(across, wide)
        return Picture(wide, high, tuple(things))

    def png(self) -> bytes:
        """The board as a PNG file at 100 %."""
        stream = BytesIO()
        self.picture.raster().convert("RGB").save(stream, "PNG")
        return stream.getvalue()

    def _style(self, terrain: str) -> Style:
        return self.game.art.terrain.get(terrain, Style(fill="#ffffff"))

    def _is_sea(self, name: str) -> bool:
        return self._style(self.game.map.hexes[name].terrain).pattern == SEA_PATTERN

    def _terrain(self) -> list[Thing]:
        found: list[Thing] = []
        signs: list[Thing] = []
        for number, name in enumerate(self.game.map.grid.names):
            style = self._style(self.game.map.hexes[name].terrain)
            found.append(
                Filled(polygon(_grown(self.layout.corners(name), self.layout.centre(name))), style.fill)
            )
            draw = AREAS.get(style.pattern, AREAS["plain"])
            signs += draw(self.layout.centre(name), self.layout.across, style.ink or "#000000", number)
        return found + signs

    def _coast(self) -> list[Thing]:
        """A soft shore line between land and sea, and a shallow strip along it."""
        grid = self.game.map.grid
        found: list[Thing] = []
        sides = [
            self.layout.side(name, other)
            for name in grid.names
            for other in grid.neighbours(name)
            if grid.index[name] < grid.index[other] and self._is_sea(name) != self._is_sea(other)
        ]
        wobbled = [_wobbled(start, end, self.layout.across * 0.05) for start, end in sides]
        shore = Style(line="#5c7f93")
        for points in wobbled:
            found.append(Inked(smooth(points), "#d7e6ec", self.layout.across * 0.1, 0.55))
        for points in wobbled:
            found.append(Inked(smooth(points), shore.line, self.layout.across * 0.02))
        return found

    def _zones(self) -> list[Thing]:
        """Marks of zones: a coloured rim in each hex, and a word at its foot."""
        found: list[Thing] = []
        across = self.layout.across
        words: dict[str, int] = {}
        for zone_id, style in self.game.art.zones.items():
            zone = self.game.map.zones.get(zone_id)
            for name in zone.hexes if zone else ():
                if name not in self.game.map.grid:
                    continue
                colour = style.fill or style.line or "#000000"
                centre, inset = self.layout.centre(name), 0.94 - 0.05 * words.get(name, 0)
                rim = polygon(_grown(self.layout.corners(name), centre, inset))
                found.append(Inked(rim, colour, across * (0.035 if style.fill else 0.02), 0.75))
                if style.text:
                    base = centre[1] + across * (0.42 - 0.08 * words.get(name, 0))
                    word = lettered(
                        style.text, centre[0], base, across * 0.075, weight="Semibold", room=across / 2
                    )
                    found.append(Filled(word, colour))
                    words[name] = words.get(name, 0) + 1
        return found

    def _grid(self) -> list[Thing]:
        style = self.game.art.board.grid
        pen = style.width / 100 * self.layout.across
        return [
            Inked(polygon(self.layout.corners(name)), style.line or "#000000", pen, 0.6)
            for name in self.game.map.grid.names
        ]

    def _hexside(self, hexside: Hexside) -> list[Thing]:
        found: list[Thing] = []
        for feature in sorted(hexside.features):
            style = self.game.art.hexsides.get(feature)
            if style is not None:
                start, end = self.layout.side(*hexside.hexes)
                found += _drawn_line(
                    style, start, end, self.layout.centre(hexside.hexes[0]), self.layout.across
                )
        return found

    def _road(self, road: Road) -> list[Thing]:
        style = self.game.art.roads.get(road.kind, Style(line="#000000", fill="#ffffff", width=3))
        points = [self._road_point(name) for name in road.path if name in self.game.map.grid]
        for name, edge in road.exits.items():
            out = self._beyond(name, edge)
            points = [out, *points] if name == road.path[0] else [*points, out]
        if len(points) < 2:
            return []
        path, pen = smooth(points), style.width / 100 * self.layout.across
        if style.pattern == "dashed":
            return [Inked(path, style.line, pen, dash=(pen * 3, pen * 2.5))]
        casing = Inked(path, style.line, pen)
        return [casing, Inked(path, style.fill, pen * 0.5)] if style.fill else [casing]

    def _beyond(self, name: str, edge: Edge) -> Point:
        """Where a road that leaves the map crosses the outline of its hex."""
        dx, dy = {"north": (0, -1), "south": (0, 1), "west": (-1, 0), "east": (1, 0)}[edge]
        corners = self.layout.corners(name)
        reach = max((x * dx + y * dy) for x, y in corners)
        x, y = self._road_point(name)
        return (reach * dx if dx else x, reach * dy if dy else y)

    def _road_point(self, name: str) -> Point:
        """Roads run through the places of a hex, else through its middle."""
        x, y = self.layout.centre(name)
        for place in self.game.map.places_of(name):
            return x + place.offset[0] * self.layout.across, y + place.offset[1] * self.layout.across
        return x, y

    def _names(self) -> list[Thing]:
        style, across = self.game.art.board.grid, self.layout.across
        found: list[Thing] = []
        for name in self.game.map.grid.names:
            x, y = self.layout.centre(name)
            written = lettered(name, x, y - across * 0.385, across * 0.085, weight="Semibold")
            found.append(Filled(written, style.ink or style.line or "#000000", 0.85))
        return found

    def _regions(self) -> list[Thing]:
        """Names written wide over several hexes."""
        found: list[Thing] = []
        across = self.layout.across
        for title, names in self.game.map.regions.items():
            known = [self.layout.centre(name) for name in names if name in self.game.map.grid]
            if known:
                x, y = (sum(point[axis] for point in known) / len(known) for axis in (0, 1))
                spread = " ".join(title.upper())
                path = lettered(
                    spread, x, y + across * 0.3, across * 0.1, weight="Regular", room=across * len(known)
                )
                found.append(Filled(path, "#3b3424", 0.5))
        return found

    def _place(self, place: Place) -> list[Thing]:
        across = self.layout.across
        style = self.game.art.places.get(
            place.kind, Style(fill="#000000", ink="#000000", width=6, pattern="dot")
        )
        x, y = self.layout.centre(place.hex)
        x, y = x + place.offset[0] * across, y + place.offset[1] * across
        radius = style.width / 100 * across
        size = across * 0.105
        long = width(place.name, size, "Semibold")
        base = y + radius + size * 0.95
        written = lettered(place.name, x, base, size, weight="Semibold", room=across * 0.95)
        halo = rectangle(
            x - min(long, across * 0.95) / 2 - 3,
            base - size * 0.8,
            min(long, across * 0.95) + 6,
            size * 1.05,
            size * 0.3,
        )
        return [
            Filled(halo, "#fffaf0", 0.6),
            *_sign(style, x, y, radius),
            Filled(written, style.ink or "#000000"),
        ]

    def _title(self, across: float, wide: float) -> list[Thing]:
        title = self.game.art.board.title
        if not title:
            return []
        size = min(across * 0.3, self.layout.margin * 0.55)
        return [
            Filled(lettered(title, wide / 2, self.layout.margin * 0.68, size, room=wide * 0.8), "#3b3424")
        ]


def _grown(corners: Sequence[Point], centre: Point, by: float = 1.006) -> list[Point]:
    """Corners a little farther out, so that no seam shows between hexes."""
    return [(centre[0] + (x - centre[0]) * by, centre[1] + (y - centre[1]) * by) for x, y in corners]


def _wobbled(start: Point, end: Point, by: float) -> list[Point]:
    """A line with bends that depend on nothing but where it lies."""
    points = [start]
    dx, dy = end[0] - start[0], end[1] - start[1]
    for place in (0.2, 0.4, 0.6, 0.8):
        bend = by * math.sin((start[0] + end[0]) * 0.37 + (start[1] + end[1]) * 0.53 + place * 9.1)
        length = math.hypot(dx, dy)
        points.append(
            (start[0] + dx * place - dy / length * bend, start[1] + dy * place + dx / length * bend)
        )
    return [*points, end]


def _drawn_line(style: Style, start: Point, end: Point, inside: Point, across: float) -> list[Thing]:
    """A hexside in one of the line patterns."""
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
            bent = smooth(_wobbled(start, end, across * 0.035))
            return [Inked(bent, style.line, pen), Inked(bent, shade(style.line, 1.25), pen * 0.45)]
        case "ridge":
            return [Inked(straight, style.line, pen, 0.9), *_teeth(style, start, end, inside, pen)]
        case "hachures":
            return _teeth(style, start, end, inside, pen * 2)
        case "fort":
            return [Inked(straight, style.line, pen), *_merlons(style, start, end, pen)]
        case "bridge" | "ford":
            middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
            return [Filled(ellipse(*middle, across * 0.05), style.line)]
    return [Inked(straight, style.line, pen)]


def _teeth(style: Style, start: Point, end: Point, inside: Point, pen: float) -> list[Thing]:
    """Short strokes to both sides of a line, as slopes are drawn."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    nx, ny = -dy / length, dx / length
    found: list[Thing] = []
    for place in range(1, 8):
        x, y = start[0] + dx * place / 8, start[1] + dy * place / 8
        reach = pen * (1.3 if place % 2 else 0.9)
        found.append(
            Inked(
                line([(x - nx * reach, y - ny * reach), (x + nx * reach, y + ny * reach)]),
                style.line,
                max(1.2, pen * 0.2),
                0.8,
            )
        )
    return found


def _merlons(style: Style, start: Point, end: Point, pen: float) -> list[Thing]:
    """Square teeth, as fortified lines are drawn."""
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


def _sign(style: Style, x: float, y: float, radius: float) -> list[Thing]:
    """The mark of a place."""
    colour = style.fill or "#000000"
    match style.pattern:
        case "ring":
            return [Inked(ellipse(x, y, radius), colour, radius * 0.4)]
        case "square":
            return [Filled(rectangle(x - radius, y - radius, 2 * radius, 2 * radius), colour)]
        case "triangle":
            return [
                Filled(
                    polygon(
                        [(x, y - radius), (x + radius, y + radius * 0.8), (x - radius, y + radius * 0.8)]
                    ),
                    colour,
                )
            ]
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
            return [
                Inked(
                    line([(x - radius, y - radius * 0.4), (x + radius, y - radius * 0.4)]),
                    colour,
                    radius * 0.3,
                ),
                Inked(
                    line([(x - radius, y + radius * 0.4), (x + radius, y + radius * 0.4)]),
                    colour,
                    radius * 0.3,
                ),
            ]
    return [Filled(ellipse(x, y, radius), colour)]


def _spoke(x: float, y: float, radius: float, degrees: float) -> Point:
    angle = math.radians(degrees - 90)
    return x + radius * math.cos(angle), y + radius * math.sin(angle)
