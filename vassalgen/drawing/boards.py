"""The board: terrain, coast, hexsides, roads, places, hex names, and the boxes' plates.

The module's grid is computed from the same layout, so drawing and grid always agree.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from attrs import frozen

from vassalgen.drawing import surroundings
from vassalgen.drawing.colours import mixed
from vassalgen.drawing.hexsides import drawn_line, reach, wobbled
from vassalgen.drawing.labels import (
    COUNTER,
    LINE,
    NUMBER,
    ROAD,
    SIGN,
    TAKEN,
    Box,
    Labels,
    Lettering,
    Option,
    Spot,
    along,
    around,
    broken,
)
from vassalgen.drawing.lettering import capital_height, lettered
from vassalgen.drawing.paths import Path, Piece, Point, line, polygon, rectangle, smooth
from vassalgen.drawing.patterns import AREAS, Inks
from vassalgen.drawing.picture import Filled, Inked, Picture, Thing
from vassalgen.drawing.place_symbols import place_symbol
from vassalgen.game.art import Style
from vassalgen.game.game import Game
from vassalgen.game.hexes import NOWHERE, Edge
from vassalgen.game.layout import Layout
from vassalgen.game.maps import Place, Road

SEA_PATTERN = "sea"
CROSSINGS = ("bridge", "ford")
"""Patterns of hexsides that cross others, such as bridges."""
ZOOMS = (0.25, 0.35, 0.5, 0.65, 0.75, 1.0, 1.5, 2.0)
"""The zoom levels of a map."""
_WINDOW = 1500
"""The width in pixels that a board should fill when it opens."""
FAN = (5, 7)
"""The offset of each counter in a stack from the one below it, to the right and upwards, in pixels."""
_SMALL_WINDOW = 1280
"""The width of a window on a small screen."""
_BREAK = 0.2
"""The penalty for breaking a name, for each further line."""
_LONG = 8
"""Names with more letters than this may be written in two lines."""
_NUMBERS = tuple(
    (up, side, abs(side) * 3 + (0.385 - up) * 6)
    for up in (0.385, 0.345)
    for side in (0, -0.1, 0.1, -0.16, 0.16)
)
"""Positions for the number of a hex (above its centre, beside it), each with a penalty."""


@frozen(slots=False)
class Board:
    """A game's board as a picture. All sizes follow from ``across``, the width of a hex in pixels."""

    game: Game

    @cached_property
    def layout(self) -> Layout:
        """Where the hexes are on the picture."""
        board = self.game.art.board
        return Layout(self.game.map.grid, float(board.across), float(board.margin))

    @cached_property
    def opening(self) -> float:
        """The zoom level at which the board fills a window, at most 100%."""
        return next((zoom for zoom in ZOOMS if zoom == 1 or zoom * self.layout.size[0] >= _WINDOW), 1.0)

    def _size(self, usual: float, pixels: float, most: float) -> float:
        """The size of lettering that has this many pixels when the board opens, as a fraction of a hex."""
        return self.layout.across * min(max(usual, pixels / self.opening / self.layout.across), most)

    @cached_property
    def picture(self) -> Picture:
        """The whole board."""
        wide, high = (math.ceil(extent) for extent in self.layout.size)
        things: list[Thing] = [Filled(rectangle(0, 0, wide, high), self.game.art.board.background)]
        things += surroundings.beyond(self.game, self._outer)
        things += self._terrain()
        things += self._coast()
        things += self._rims()
        things += self._grid()
        things += self._hexsides()
        for road in self.game.map.roads.values():
            things += self._road(road)
        things += surroundings.frame(self.game, self.layout)
        for place in self.game.map.places.values():
            things += place_symbol(self._place_style(place), *self._at(place), self._radius(place))
        things += [thing for one in self.written for thing in one.drawn()]
        things += self._title(self.layout.across, wide)
        return Picture(wide, high, tuple(things))

    def _style(self, terrain: str) -> Style:
        return self.game.art.terrain.get(terrain, Style(fill="#ffffff"))

    def _is_sea(self, name: str) -> bool:
        return self._style(self.game.map.hexes[name].terrain).pattern == SEA_PATTERN

    @cached_property
    def _outer(self) -> tuple[surroundings.Outer, ...]:
        looks = self.game.art.terrain.items()
        sea = next((terrain for terrain, style in looks if style.pattern == SEA_PATTERN), "")
        return surroundings.outer_hexes(self.game, self.layout, sea)

    def _terrain(self) -> list[Thing]:
        found: list[Thing] = []
        signs: list[Thing] = []
        for number, name in enumerate(self.game.map.grid.names):
            style = self._style(self.game.map.hexes[name].terrain)
            found.append(
                Filled(
                    polygon(surroundings.grown(self.layout.corners(name), self.layout.centre(name))),
                    style.fill,
                )
            )
            draw = AREAS.get(style.pattern, AREAS["plain"])
            inks = Inks(style.ink or "#000000", style.fill)
            signs += draw(self.layout.centre(name), self.layout.across, inks, number)
        return found + signs

    def _coast(self) -> list[Thing]:
        """A soft shoreline between land and sea, with a shallow strip along it."""
        grid = self.game.map.grid
        found: list[Thing] = []
        sides = [
            self.layout.side(name, other)
            for name in grid.names
            for other in grid.neighbours(name)
            if grid.index[name] < grid.index[other] and self._is_sea(name) != self._is_sea(other)
        ]
        sides += [
            (start, end)
            for one in self._outer
            for name, start, end in one.sides
            if self._style(one.terrain).pattern == SEA_PATTERN and not self._is_sea(name)
        ]
        bent = [wobbled(start, end, self.layout.across * 0.05) for start, end in sides]
        shore = Style(line="#5c7f93")
        for points in bent:
            found.append(Inked(smooth(points), "#d7e6ec", self.layout.across * 0.1, 0.55))
        for points in bent:
            found.append(Inked(smooth(points), shore.line, self.layout.across * 0.02))
        return found

    def _rims(self) -> list[Thing]:
        """The coloured rims that mark the hexes of zones."""
        found: list[Thing] = []
        inner: dict[str, int] = {}
        for style, name in self._marked():
            inset = 0.94 - 0.05 * inner.get(name, 0)
            rim = polygon(surroundings.grown(self.layout.corners(name), self.layout.centre(name), inset))
            pen = self.layout.across * (0.035 if style.fill else 0.02)
            found.append(Inked(rim, style.fill or style.line or "#000000", pen, 0.75))
            if style.text:
                inner[name] = inner.get(name, 0) + 1
        return found

    def _marked(self) -> Iterator[tuple[Style, str]]:
        """The hexes of marked zones, each with the zone's look."""
        for zone_id, style in self.game.art.zones.items():
            zone = self.game.map.zones.get(zone_id)
            for name in zone.hexes if zone else ():
                if name in self.game.map.grid:
                    yield style, name

    def _grid(self) -> list[Thing]:
        """All hexsides, each drawn once, in a single stroke."""
        style = self.game.art.board.grid
        pen = style.width / 100 * self.layout.across
        pieces: list[Piece] = []
        for index, others in enumerate(self.game.map.grid.adjacent):
            corners = self.layout.corners(self.game.map.grid.names[index])
            for side, other in enumerate(others):
                if other == NOWHERE or index < other:
                    pieces += line((corners[side], corners[(side + 1) % 6])).pieces
        light = mixed(style.line or "#000000", "#ffffff", 0.2)
        return [Inked(Path(tuple(pieces)), light, pen)]

    def _hexsides(self) -> list[Thing]:
        """All hexside features; bridges and fords are drawn over the features that they cross."""
        styles, beneath, above = self.game.art.hexsides, list[Thing](), list[Thing]()
        for hexside in self.game.map.hexsides.values():
            for feature in sorted(hexside.features & styles.keys()):
                style, (start, end) = styles[feature], self.layout.side(*hexside.hexes)
                drawn = above if style.pattern in CROSSINGS else beneath
                drawn += drawn_line(style, start, end, self.layout.across)
        return [*beneath, *above]

    def _road(self, road: Road) -> list[Thing]:
        style = self.game.art.roads.get(road.kind, Style(line="#000000", fill="#ffffff", width=3))
        points = self._way(road)
        if len(points) < 2:
            return []
        path, pen = smooth(points), style.width / 100 * self.layout.across
        if style.pattern == "dashed":
            return [Inked(path, style.line, pen, dash=(pen * 3, pen * 2.5))]
        casing = Inked(path, style.line, pen)
        return [casing, Inked(path, style.fill, pen * 0.5)] if style.fill else [casing]

    def _way(self, road: Road) -> list[Point]:
        points = [self._road_point(name) for name in road.path if name in self.game.map.grid]
        for name, edge in road.exits.items():
            out = self._beyond(name, edge)
            points = [out, *points] if name == road.path[0] else [*points, out]
        return points

    def _beyond(self, name: str, edge: Edge) -> Point:
        """The point behind the frame where a road that leaves the map ends."""
        dx, dy = {"north": (0, -1), "south": (0, 1), "west": (-1, 0), "east": (1, 0)}[edge]
        corners = self.layout.corners(name)
        reach = max((x * dx + y * dy) for x, y in corners) + self.layout.across * 0.2
        x, y = self._road_point(name)
        return (reach * dx if dx else x, reach * dy if dy else y)

    def _road_point(self, name: str) -> Point:
        """Roads run through the places of a hex, or else through its centre."""
        x, y = self.layout.centre(name)
        for place in self.game.map.places_of(name):
            return x + place.offset[0] * self.layout.across, y + place.offset[1] * self.layout.across
        return x, y

    @cached_property
    def written(self) -> tuple[Option, ...]:
        """How the names of hexes, places, regions and zones are placed."""
        wide, high = (math.ceil(extent) for extent in self.layout.size)
        inset = surroundings.inside(self.layout)
        labels = Labels(Box(inset, inset, wide - inset, high - inset))
        self.keep_clear(labels)
        found = labels.arrange([*self._names(), *self._places(), *self._words()])
        return (*found, *(labels.set(options) for options in self._regions()))

    def keep_clear(self, labels: Labels) -> None:
        """Note what names should not cover."""
        self._keep_lines_clear(labels)
        for name in self.game.map.grid.names:
            labels.keep_clear(Box.around(*self.layout.centre(name), self.game.art.board.counter / 2), COUNTER)
        for box in self.taken:
            labels.keep_clear(box, TAKEN)
        for place in self.game.map.places.values():
            labels.keep_clear(Box.around(*self._at(place), self._radius(place)), SIGN)

    @cached_property
    def taken(self) -> tuple[Box, ...]:
        """The ground covered by the stacks that scenarios set up."""
        most: Counter[str] = Counter()
        for scenario in self.game.scenarios.values():
            here: Counter[str] = Counter()
            for placement in scenario.setup:
                here[placement.at] += len(placement.counters)
            most |= here
        half = self.game.art.board.counter / 2
        found = []
        for name in sorted(most.keys() & set(self.game.map.grid.names)):
            x, y = self.layout.centre(name)
            right, up = ((most[name] - 1) * step for step in FAN)
            found.append(Box(x - half, y - half - up, x + half + right, y + half))
        return tuple(found)

    def _keep_lines_clear(self, labels: Labels) -> None:
        step = self.layout.across * 0.06
        for hexside in self.game.map.hexsides.values():
            looks = [self.game.art.hexsides[one] for one in hexside.features if one in self.game.art.hexsides]
            if looks:
                half = max(reach(style, self.layout.across) for style in looks)
                labels.keep_line_clear(along(self.layout.side(*hexside.hexes), max(step, half)), LINE, half)
        for road in self.game.map.roads.values():
            points = self._way(road)
            if len(points) > 1:
                labels.keep_line_clear(along(smooth(points).contours(0.05)[0], step), ROAD, step / 2)

    def _names(self) -> Iterator[list[Option]]:
        style, across = self.game.art.board.grid, self.layout.across
        ink = style.ink or style.line or "#000000"
        for name in self.game.map.grid.names:
            x, y = self.layout.centre(name)
            lettering = Lettering(name, self._size(0.085, 8.5, 0.13), ink, opacity=0.9, price=NUMBER)
            yield [
                Option(lettering, Spot(x + across * side, y - across * up), dislike)
                for up, side, dislike in _NUMBERS
            ]

    def _regions(self) -> Iterator[list[Option]]:
        """The names of regions, written wide over several hexes, in one or more lines."""
        for title, names in self.game.map.regions.items():
            known = [self.layout.centre(name) for name in names if name in self.game.map.grid]
            if known:
                over = self._over(known)
                room = self.layout.across * 0.85 + max(x for x, _ in known) - min(x for x, _ in known)
                yield [
                    Option(name, Spot(x, y, rise=0.5), narrow + away)
                    for name in self._region_letterings(title)
                    for narrow in (max(0.0, max(name.widths) / room - 1) + _BREAK * (len(name.lines) - 1),)
                    for x, y, away in over
                ]

    def _region_letterings(self, title: str) -> Iterator[Lettering]:
        for text in dict.fromkeys(broken(title.upper(), lines) for lines in (1, 2, 3)):
            wide = "\n".join(" ".join(one) for one in text.split("\n"))
            yield Lettering(wide, self._size(0.1, 8.5, 0.13), "#3b3424", weight="Regular", opacity=0.75)

    def _over(self, known: list[Point]) -> list[tuple[float, float, float]]:
        """Positions over a region, each with a penalty that grows with the distance from its centre."""
        step = self.layout.across * 0.3
        x, y = (sum(point[axis] for point in known) / len(known) for axis in (0, 1))
        (left, right), (top, bottom) = (
            [round((edge(point[axis] for point in known) - middle) / step) for edge in (min, max)]
            for axis, middle in ((0, x), (1, y))
        )
        places = [
            (x + side * step, y + down * step / 2)
            for down in range(2 * top - 6, 2 * bottom + 7)
            for side in range(left - 2, right + 3)
        ]
        found = []
        for here in places:
            off = min(math.dist(here, centre) for centre in known) / self.layout.across
            if off < 0.75:
                away = math.dist(here, (x, y)) / self.layout.across
                found.append((*here, away * 0.8 + max(0.0, off - 0.5) * 4))
        return found

    def _words(self) -> Iterator[list[Option]]:
        """The words of marked zones, at the bottom of their hexes if nothing is in the way."""
        across = self.layout.across
        for style, name in self._marked():
            if style.text:
                x, y = self.layout.centre(name)
                colour = style.fill or style.line or "#000000"
                lettering = Lettering(
                    style.text, self._size(0.075, 8, 0.11), colour, room=across / 2, halo="#fbf4e2"
                )
                free = (across - lettering.widths[0]) / 2
                yield [
                    Option(lettering, Spot(x + free * side, y + across * by), number * 0.06 + abs(side))
                    for number, by in enumerate((0.42, 0.34, 0.26, -0.27, 0.18, -0.19, 0.1))
                    for side in (0.0, -0.4, 0.4, -0.8, 0.8, -0.95, 0.95)
                ]

    def _place_style(self, place: Place) -> Style:
        usual = Style(fill="#000000", ink="#000000", width=6, pattern="dot")
        return self.game.art.places.get(place.kind, usual)

    def _at(self, place: Place) -> Point:
        x, y = self.layout.centre(place.hex)
        return x + place.offset[0] * self.layout.across, y + place.offset[1] * self.layout.across

    def _radius(self, place: Place) -> float:
        return self._place_style(place).width / 100 * self.layout.across

    def _places(self) -> Iterator[list[Option]]:
        """The names of places at their symbols, unless a region with the same name is written out."""
        for place in self.game.map.places.values():
            if place.name not in self.game.map.regions:
                yield list(self._place(place))

    def _place(self, place: Place) -> Iterator[Option]:
        across, ink = self.layout.across, self._place_style(place).ink or "#000000"
        size, radius, at = self._size(0.105, 11, 0.16), self._radius(place), self._at(place)
        sign = Box.around(*at, radius)
        x, y = self.layout.centre(place.hex)
        for text in dict.fromkeys((place.name, broken(place.name, 1 + (len(place.name) > _LONG)))):
            name = Lettering(text, size, ink, room=across * 1.05, halo="#fbf4e2")
            more = _BREAK * (len(name.lines) - 1)
            for number, spot in enumerate(around(*at, radius, size)):
                yield Option(name, spot, number * 0.06 + more, sign)
            for base, rise in ((y + across * 0.5 - size * 0.25, 0.0), (y - across * 0.5 + size * 0.95, 1.0)):
                for side in (0, -0.2, 0.2, -0.4, 0.4):
                    spot = Spot(x + across * side, base, rise=rise)
                    if (away := math.dist(at, (spot.x, base - size * 0.35)) / across) < 0.45:
                        yield Option(name, spot, away * 4 + more, sign)
            for part in (0.12, 0.25, 0.4):
                for spot in around(*at, radius + across * part, size):
                    yield Option(name, spot, 1.5 + part * 10 + more, sign)

    def _title(self, across: float, wide: float) -> list[Thing]:
        title = self.game.art.board.title
        if not title:
            return []
        room = surroundings.inside(self.layout) - 8
        size = min(across * 0.3, room * 0.66)
        base = (room + capital_height(size)) / 2 + 1
        left = surroundings.inside(self.layout)
        room = self.seen * 0.28
        return [Filled(lettered(title, left, base, size, align="left", room=room), "#3b3424")]

    @property
    def seen(self) -> float:
        """How much of the board's width is visible in a small window when it opens."""
        return min(self.layout.size[0], _SMALL_WINDOW / self.opening)

    @property
    def status(self) -> tuple[int, int, int]:
        """Where a status line can be placed beside the title (up to 42 times as wide as high): its centre and
        size.
        """
        wide, room = self.seen, surroundings.inside(self.layout) - 8
        return round(wide * 0.65), round(room / 2), round(min(room * 0.6, wide * 0.65 / 42))
