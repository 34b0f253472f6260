"""Where the game's hexes and boxes are in a module, and how certain that is."""

from __future__ import annotations

import math
import re
from collections import Counter as Count
from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from referee.mapping.aligning import Alignment, agreeing, align
from referee.mapping.likeness import Likeness, Names
from referee.mapping.survey import HexesSeen, PieceSeen, Survey, place_of
from vassalgen.game.game import Game
from vassalgen.game.layout import Layout

AGREE, PURE = 3, 0.8
"""The position of the hexes is certain if at least so many counters are where they are set up, and this share
of all.
"""
MOST_SHIFTS, LIKELIEST, SAMPLE = 600, 8, 12
"""The number of positions of the hexes that are tried, of those derived from known hexes, and of hexes that
are looked up.
"""
HALF_ROOT_3 = math.sqrt(3) / 2


@frozen
class Hexes:
    """The position of the hexes: the map, three hexes with their pixels, whether it is certain, and why."""

    map: str
    points: Mapping[str, tuple[int, int]]
    laid: Alignment
    is_sure: bool
    why: str


@frozen
class Box:
    """A place of the module with the boxes that it may be."""

    name: str
    boxes: tuple[str, ...]
    is_sure: bool


def find_hexes(game: Game, seen: Survey, starts: Mapping[str, PieceSeen]) -> Hexes | None:
    """Find the game's hexes on the grid of the module that fits best.

    ``starts`` are the pieces by the counters that they certainly are: their positions in a new game count
    most, then names of hexes, then whether the hexes fill the grid. Without a grid, the hexes are fitted to
    regions with their names, or else to the positions of the counters.
    """
    expected = _expected(game, starts)
    ranked = []
    for grid in seen.hexes:
        facts = seen.plan.map(grid.map)
        stand_at = {hex_: (x, y) for hex_, where, x, y in expected if where == grid.map}
        named_at = {name: facts.plan.centre(name) for name in _sample(game)} if facts else {}
        known = {**{name: spot for name, spot in named_at.items() if spot}, **stand_at}
        for turned, points in _tries(game, grid, known):
            laid = align(game.map.grid, ((name, *spot) for name, spot in points.items()))
            if laid is None:
                continue
            stand = agreeing(laid, stand_at)
            named = facts is not None and all(
                facts.plan.location_name(*spot) == name for name, spot in points.items()
            )
            clearly = stand if stand >= AGREE else 0
            fits = -_beyond(grid, points), not turned, stand, -_aside(grid, points)
            ranked.append((clearly, named, *fits, grid, points, laid))
    if not ranked:
        return _hexes_of_points(game, seen) or _hexes_of_starts(game, expected)
    ranked.sort(key=lambda one: one[:6], reverse=True)
    clearly, named, beyond, upright, stand, _, grid, points, laid = ranked[0]
    why = (
        f"{stand} counters are where the set-up puts them"
        if stand
        else "the hexes have the same numbers"
        if named
        else "it has as many hexes"
    )
    rivals = [one[:4] for one in ranked[1:]]
    stands_alone = clearly and not any(one[:2] == (clearly, named) for one in rivals)
    fits_alone = beyond == 0 and (clearly, named, beyond, upright) not in rivals
    others = sum(where == grid.map for _, where, _, _ in expected)
    contradicted = others >= AGREE and not stand
    is_sure = bool(named or stands_alone or fits_alone) and not contradicted
    return Hexes(grid.map, _corners(points), laid, is_sure, why)


def _hexes_of_points(game: Game, seen: Survey) -> Hexes | None:
    """The hexes on a map whose regions have the names of hexes, such as ``7607``, ``76.07`` or
    ``Hex 7607``.
    """
    for map_name, points in seen.points.items():
        called = {_plain_name(name): spot for name, spot in points.items()}
        known = {
            name: called[plain] for name in game.map.grid.names if (plain := _plain_name(name)) in called
        }
        laid = align(game.map.grid, ((name, *spot) for name, spot in known.items()))
        enough = len(known) > AGREE and len(known) >= len(game.map.grid.names) / 2
        if enough and laid is not None and agreeing(laid, known) >= PURE * len(known):
            why = f"{len(known)} regions have their names"
            return Hexes(map_name, _corners(known), laid, is_sure=True, why=why)
    return None


def _plain_name(text: str) -> str:
    """The letters and digits of the name of a hex, without a preceding word."""
    return re.sub(r"[^A-Z0-9]", "", re.sub(r"^[a-z]{3,}\W+", "", text, flags=re.IGNORECASE).upper())


def _hexes_of_starts(game: Game, expected: Sequence[tuple[str, str, int, int]]) -> Hexes | None:
    """The hexes on a map without any grid, according to the positions of identified counters."""
    for map_name, _ in Count(where for _, where, _, _ in expected).most_common(1):
        known = {hex_: (x, y) for hex_, where, x, y in expected if where == map_name}
        laid = align(game.map.grid, ((name, *spot) for name, spot in known.items()))
        if laid is not None:
            kept = {name: spot for name, spot in known.items() if laid.hex_at(*spot) == name}
            laid = align(game.map.grid, ((name, *spot) for name, spot in kept.items()))
        if laid is None or (count := agreeing(laid, known)) <= AGREE:
            return None
        centres = {name: laid.pixel_of(laid.layout.centre(name)) for name in game.map.grid.names}
        points = {name: (round(x), round(y)) for name, (x, y) in centres.items()}
        why = f"{count} of {len(known)} counters are where the set-up puts them; there is no grid"
        return Hexes(map_name, _corners(points), laid, count >= PURE * len(known), why)
    return None


def _sample(game: Game) -> list[str]:
    """Some hexes from all over the map."""
    names = game.map.grid.names
    return [*names[:: max(1, len(names) // SAMPLE)]]


def _expected(game: Game, starts: Mapping[str, PieceSeen]) -> list[tuple[str, str, int, int]]:
    """Hexes of set-ups with the spots of the pieces of their counters."""
    found = []
    for scenario in game.scenarios.values():
        for one in scenario.setup:
            for name in one.counters:
                spot = starts[name].start if name in starts else None
                if one.at in game.map.grid and spot is not None and spot.map is not None:
                    found.append((one.at, spot.map, spot.x, spot.y))
    return found


def _tries(
    game: Game, seen: HexesSeen, known: Mapping[str, tuple[int, int]]
) -> Iterator[tuple[int, dict[str, tuple[int, int]]]]:
    """Positions of the game's hexes on the cells of a grid: the number of quarter turns, and the pixels of
    all hexes. On a large board only positions are tried in which one of the ``known`` hexes is where it
    should be.
    """
    grid, field = game.map.grid, seen.grid
    if field.dx <= 0 or field.dy <= 0:
        return
    along, across = (seen.height, seen.width) if field.sideways else (seen.width, seen.height)
    lines, cells = int((along - field.x0) / field.dx + 1.4), int((across - field.y0) / field.dy + 1.4)
    for turned in range(4):
        stands_in_columns = (grid.orientation == "flat") == (turned % 2 == 0)
        if stands_in_columns == field.sideways:
            continue
        places = _lattice(game, turned, sideways=field.sideways)
        spare_lines = max(lines - 1 - max(i for i, _ in places.values()), 0)
        spare_halves = max(2 * (cells - 1) - max(h for _, h in places.values()), 0)
        shifts = [(i, h) for i in range(-1, spare_lines + 2) for h in range(-2, spare_halves + 3)]
        if len(shifts) > MOST_SHIFTS:
            shifts = list(_shifts_by(seen, places, known))
        i0, h0 = next(iter(places.values()))
        for line, half in shifts:
            if (i0 + line + h0 + half) % 2:
                continue
            points = {}
            for name, (i, h) in places.items():
                u, v = field.x0 + (i + line) * field.dx, field.y0 + (h + half) * field.dy / 2
                x, y = (v, u) if field.sideways else (u, v)
                points[name] = (round(seen.left + x), round(seen.top + y))
            yield turned, points


def _lattice(game: Game, turned: int, *, sideways: bool) -> dict[str, tuple[int, int]]:
    """Line and half cell of each hex on a grid, if the map was rotated by so many quarter turns."""
    layout = Layout(game.map.grid, 1.0)
    found = {}
    for name in game.map.grid.names:
        x, y = layout.centre(name)
        for _ in range(turned):
            x, y = -y, x
        u, v = (y, x) if sideways else (x, y)
        found[name] = (u / HALF_ROOT_3, 2 * v)
    least = [min(one[axis] for one in found.values()) for axis in (0, 1)]
    return {name: (round(u - least[0]), round(v - least[1])) for name, (u, v) in found.items()}


def _shifts_by(
    seen: HexesSeen, places: Mapping[str, tuple[int, int]], known: Mapping[str, tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """The shifts by which most of the known hexes are where they should be."""
    field = seen.grid
    votes: Count[tuple[int, int]] = Count()
    for name, (x, y) in known.items():
        u, v = (y - seen.top, x - seen.left) if field.sideways else (x - seen.left, y - seen.top)
        i, h = places[name]
        votes[round((u - field.x0) / field.dx) - i, round(2 * (v - field.y0) / field.dy) - h] += 1
    yield from (shift for shift, _ in votes.most_common(LIKELIEST))


def _beyond(seen: HexesSeen, points: Mapping[str, tuple[int, int]]) -> int:
    """The number of hexes whose centres would be off the board."""
    right, down = seen.left + seen.width, seen.top + seen.height
    return sum(not (seen.left <= x < right and seen.top <= y < down) for x, y in points.values())


def _aside(seen: HexesSeen, points: Mapping[str, tuple[int, int]]) -> int:
    """The distance of the hexes from the middle of the board."""
    xs, ys = [x for x, _ in points.values()], [y for _, y in points.values()]
    across = abs(min(xs) + max(xs) - 2 * seen.left - seen.width)
    return across + abs(min(ys) + max(ys) - 2 * seen.top - seen.height)


def _corners(points: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Three hexes far from each other."""
    names = sorted(points, key=lambda name: (points[name][0] + points[name][1], name))
    first, last = names[0], names[-1]
    ax, ay = points[first]
    bx, by = points[last]

    def aside(name: str) -> float:
        x, y = points[name]
        return abs((bx - ax) * (y - ay) - (by - ay) * (x - ax))

    return {name: points[name] for name in (first, max(points, key=aside), last)}


def find_boxes(
    game: Game, seen: Survey, contents: Mapping[str, Sequence[str]], hexes: Hexes | None
) -> tuple[Box, ...]:
    """Match the module's places with the game's boxes: by their contents in a new game, then by name.

    ``contents`` are the counters that are certainly in each place. Places on the hexes, such as towns, are
    left out: pieces there are in a hex.
    """
    boxes = game.map.boxes
    sides = game.sides
    names = {
        name: Names.of(
            [box.title, name.replace("-", " "), *(["dead eliminated"] if box.losses else [])],
            [sides[box.side].title, sides[box.side].adjective] if box.side else [],
        )
        for name, box in boxes.items()
    }
    likeness = Likeness(tuple(names.values()))
    due = _due(game)
    found = []
    everywhere = Count(due[name] for there in contents.values() for name in there if name in due)
    for place in seen.places:
        if hexes is not None and is_on_hexes(seen, place, {hexes.map: hexes.laid}):
            continue
        votes = Count(due[name] for name in contents.get(place, ()) if name in due)
        score = {
            name: likeness.of(place, one)
            + 2.0 * votes[name] / max(1, sum(votes.values())) * votes[name] / max(1, everywhere[name])
            for name, one in names.items()
        }
        ranked = sorted(score, key=lambda name: -score[name])
        lost = [name for name in boxes if boxes[name].losses]
        if lost and "eliminated" in _words(place) and score[ranked[0]] < 2:
            mine = [name for name in lost if score[name] > max(score[other] for other in lost) - 0.05]
            found.append(Box(place, tuple(mine), True))
        elif ranked and score[ranked[0]] > 0.3:
            rival = score[ranked[1]] if len(ranked) > 1 else 0.0
            sure = score[ranked[0]] > 0.5 and score[ranked[0]] - rival > 0.15
            kept = [name for name in ranked[:3] if score[name] > 0.3]
            found.append(Box(place, tuple(kept[:1] if sure else kept), sure))
        else:
            found.append(Box(place, (), False))
    return tuple(found)


def is_on_hexes(seen: Survey, place: str, laid: Mapping[str, Alignment]) -> bool:
    """Whether a place is a map with hexes, or a region on one of them."""
    return place in laid or any(
        place in points and map_name in laid and laid[map_name].hex_at(*points[place]) is not None
        for map_name, points in seen.points.items()
    )


def _words(text: str) -> tuple[str, ...]:
    return next(iter(Names.of([text]).own), ())


def _due(game: Game) -> dict[str, str]:
    """The box in which each counter starts, in the first scenario in which it starts in one."""
    found: dict[str, str] = {}
    for scenario in game.scenarios.values():
        for one in scenario.setup:
            for name in one.counters if one.at in game.map.boxes else ():
                found.setdefault(name, one.at)
        for other in scenario.arrivals:
            for name in other.counters if other.waiting in game.map.boxes else ():
                found.setdefault(name, other.waiting)
    return found


def in_places(pieces: Mapping[str, PieceSeen]) -> dict[str, list[str]]:
    """The counters in each place of the module in a new game."""
    found: dict[str, list[str]] = {}
    for name, piece in pieces.items():
        if piece.start is not None:
            found.setdefault(place_of(piece.start), []).append(name)
    return found
