"""Where the game's hexes and boxes are in a module, and how sure that is."""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from referee.mapping.laying import Laid, agreeing, lay
from referee.mapping.likeness import Likeness, Names
from referee.mapping.survey import HexesSeen, PieceSeen, Survey, place_of
from vassalgen.game.game import Game

AGREE = 3
"""So many counters that stand where they are set up make the place of the hexes sure."""


@frozen
class Hexes:
    """Where the hexes are: the map, three of them with their pixels, and whether that is sure, and why."""

    map: str
    points: Mapping[str, tuple[int, int]]
    laid: Laid
    is_sure: bool
    why: str


@frozen
class Box:
    """A place of the module with the boxes that it may be."""

    name: str
    boxes: tuple[str, ...]
    is_sure: bool


def find_hexes(game: Game, seen: Survey, starts: Mapping[str, PieceSeen]) -> Hexes | None:
    """Lay the game's hexes over the grid of the module on which most speaks for it.

    ``starts`` are the pieces by the counters that they surely are: where they stand in a new game is asked
    first, then names of hexes, then whether the hexes fill the grid.
    """
    tried = [one for grid in seen.hexes for one in _tries(game, grid)]
    if not tried:
        return None
    expected = _expected(game, starts)
    ranked = []
    for grid, points in tried:
        laid = lay(game.map.grid, ((name, *spot) for name, spot in points.items()))
        if laid is None:
            continue
        facts = seen.plan.map(grid.map)
        stand = agreeing(laid, {hex_: (x, y) for hex_, where, x, y in expected if where == grid.map})
        named = sum(facts.plan.location_name(*spot) == name for name, spot in points.items()) if facts else 0
        fits = -_beyond(grid, points), -_aside(grid, points)
        ranked.append((stand, named == len(points), *fits, grid, points, laid))
    if not ranked:
        return None
    ranked.sort(key=lambda one: one[:4], reverse=True)
    stand, named, beyond, _, grid, points, laid = ranked[0]
    rivals = [one for one in ranked[1:] if one[:2] == (stand, named)]
    why = (
        f"{stand} counters stand where they are set up"
        if stand
        else "the hexes have the same numbers"
        if named
        else "it has as many hexes"
    )
    sure = named or (stand >= AGREE and (len(rivals) == 0)) or (beyond == 0 and len(tried) == 1)
    corners = _corners(game, points)
    return Hexes(grid.map, corners, laid, sure and not (rivals and not named and rivals[0][2] == beyond), why)


def _expected(game: Game, starts: Mapping[str, PieceSeen]) -> list[tuple[str, str, int, int]]:
    """Hexes of set-ups with the spots where the pieces of their counters stand."""
    found = []
    for scenario in game.scenarios.values():
        for one in scenario.setup:
            for name in one.counters:
                spot = starts[name].start if name in starts else None
                if one.at in game.map.grid and spot is not None and spot.map is not None:
                    found.append((one.at, spot.map, spot.x, spot.y))
    return found


def _tries(game: Game, seen: HexesSeen) -> Iterator[tuple[HexesSeen, dict[str, tuple[int, int]]]]:
    """Every way to lay the game's hexes on the cells of a grid, as the pixels of all of them."""
    grid, field = game.map.grid, seen.grid
    flat = grid.orientation == "flat"
    if flat == field.sideways or field.dx <= 0 or field.dy <= 0:
        return
    along, across = (seen.width, seen.height) if flat else (seen.height, seen.width)
    lines = int((along - field.x0) / field.dx + 1.4)
    cells = int((across - field.y0) / field.dy + 1.4)
    spans = (grid.columns, grid.rows) if flat else (grid.rows, grid.columns)
    (first_line, last_line), (first_cell, last_cell) = spans
    for line in range(-1, max(lines - (last_line - first_line), 0) + 1):
        if grid.is_shifted(first_line) != bool(line % 2):
            continue
        for cell in range(-1, max(cells - (last_cell - first_cell), 0) + 1):
            points = {}
            for name, (column, row) in zip(grid.names, grid.places, strict=True):
                i, j = (column, row) if flat else (row, column)
                i, j = i - first_line + line, j - first_cell + cell
                u = field.x0 + i * field.dx
                v = field.y0 + j * field.dy + (i % 2) * field.dy / 2
                x, y = (u, v) if flat else (v, u)
                points[name] = (round(seen.left + x), round(seen.top + y))
            yield seen, points


def _beyond(seen: HexesSeen, points: Mapping[str, tuple[int, int]]) -> int:
    """How many hexes would have their centres off the board."""
    right, down = seen.left + seen.width, seen.top + seen.height
    return sum(not (seen.left <= x < right and seen.top <= y < down) for x, y in points.values())


def _aside(seen: HexesSeen, points: Mapping[str, tuple[int, int]]) -> int:
    """How far from the middle of the board the hexes would be."""
    xs, ys = [x for x, _ in points.values()], [y for _, y in points.values()]
    across = abs(min(xs) + max(xs) - 2 * seen.left - seen.width)
    return across + abs(min(ys) + max(ys) - 2 * seen.top - seen.height)


def _corners(game: Game, points: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Three hexes far from each other."""
    names = sorted(points, key=lambda name: (points[name][0] + points[name][1], name))
    first, last = names[0], names[-1]
    ax, ay = points[first]
    bx, by = points[last]

    def aside(name: str) -> float:
        x, y = points[name]
        return abs((bx - ax) * (y - ay) - (by - ay) * (x - ax))

    return {name: points[name] for name in (first, max(points, key=aside), last)}


def find_boxes(game: Game, seen: Survey, contents: Mapping[str, Sequence[str]]) -> tuple[Box, ...]:
    """Match the module's places with the game's boxes: by what stands in them in a new game, then by name.

    ``contents`` are the counters that surely stand in each place.
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
    for place in seen.places:
        votes = Count(due[name] for name in contents.get(place, ()) if name in due)
        score = {
            name: likeness.of(place, one) + 2.0 * votes[name] / max(1, sum(votes.values()))
            for name, one in names.items()
        }
        ranked = sorted(score, key=lambda name: -score[name])
        lost = [name for name in boxes if boxes[name].losses]
        if lost and any(word in ("eliminated",) for word in _words(place)) and score[ranked[0]] < 2:
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


def _words(text: str) -> tuple[str, ...]:
    return next(iter(Names.of([text]).own), ())


def _due(game: Game) -> dict[str, str]:
    """The box in which each counter begins, by the first scenario that has it in one."""
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
    """The counters that stand in each place of the module in a new game."""
    found: dict[str, list[str]] = {}
    for name, piece in pieces.items():
        if piece.start is not None:
            found.setdefault(place_of(piece.start), []).append(name)
    return found
