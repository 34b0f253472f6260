"""The paths of units that retreat, rout or pursue: through which hexes, how far, away from which enemies."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import TypeAlias

from referee.engine import combat
from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.supply import spread
from referee.games.vitoria1813.battle import Fight, party
from referee.games.vitoria1813.facts import destroyed, occupied, other, the_field

Paths: TypeAlias = tuple[tuple[str, ...], ...]
IsOpen: TypeAlias = Callable[[int, int], bool]


def steps_of(position: Position, piece: Piece) -> IsOpen:
    """Return whether a piece can step between two hexes: not over closed hexsides, nor onto enemies."""
    links = the_field(position).links(destroyed(position), piece.counter.kind)
    shut = occupied(position, other(piece.side))
    return lambda here, there: bool(links[here] >> there & 1) and not shut >> there & 1


def barred(position: Position, piece: Piece, path: tuple[str, ...]) -> str:
    """Return the first hex of a path that a piece cannot step into, empty if there is none."""
    index, is_open = position.game.map.grid.index, steps_of(position, piece)
    return next((there for here, there in pairwise(path) if not is_open(index[here], index[there])), "")


def walks(position: Position, piece: Piece, length: int) -> Paths:
    """Return all paths of a number of hexes, none of them twice."""
    is_open = steps_of(position, piece)
    return _paths(position, piece, length, lambda here, there, after: is_open(here, there))


def open_paths(position: Position, piece: Piece, length: int) -> Paths:
    """Return the paths of a retreat, each step of which leads farther from its start."""
    grid, is_open = position.game.map.grid, steps_of(position, piece)

    def is_farther(here: int, there: int, after: int) -> bool:
        return is_open(here, there) and grid.distance(piece.where, grid.names[there]) == length - after

    return _paths(position, piece, length, is_farther)


def away(position: Position, fight: Fight, piece: Piece) -> Paths:
    """Return the paths of a rout: each step leads farther from an enemy that caused it, nearer to none."""
    is_open, names = steps_of(position, piece), position.game.map.grid.names
    enemies = causes(position, fight, piece)

    @cache  # many paths share a step
    def leads_away(here: int, there: int) -> bool:
        if not is_open(here, there):
            return False
        gaps = growth(position, enemies, names[here], names[there])
        return not gaps or (min(gaps) >= 0 and max(gaps) > 0)

    return _paths(position, piece, rout_length(position), lambda here, there, after: leads_away(here, there))


def may_be_hemmed_in(position: Position, fight: Fight, piece: Piece) -> bool:
    """Return whether a rout may come to a hex out of which a step away from the enemy is closed."""
    grid, is_open = position.game.map.grid, steps_of(position, piece)
    enemies, edge = causes(position, fight, piece), {piece.where}
    for _ in range(rout_length(position)):
        onward = set()
        for here in edge:
            for there in grid.neighbours(here):
                gaps = growth(position, enemies, here, there)
                if min(gaps, default=0) < 0 or max(gaps, default=1) <= 0:
                    continue
                if not is_open(grid.index[here], grid.index[there]):
                    return True
                onward.add(there)
            if grid.edges(here):
                return True
        edge = onward
    return not edge


def causes(position: Position, fight: Fight, piece: Piece) -> tuple[str, ...]:
    """Return the hexes of the enemies that caused the rout of a unit [7.8b]."""
    enemies, grid = party(fight, other(piece.side)), position.game.map.grid
    return tuple(fight.stood[name] for name in enemies if fight.stood.get(name, "") in grid)


def growth(position: Position, enemies: tuple[str, ...], here: str, there: str) -> tuple[int, ...]:
    """Return by how much a step leads farther from each of some hexes."""
    grid = position.game.map.grid
    return tuple(grid.distance(there, enemy) - grid.distance(here, enemy) for enemy in enemies)


def rout_length(position: Position) -> int:
    """Return how many hexes a rout leads [7.4c]."""
    return position.game.values["rout"].values.integer("hexes")


def is_short_of_straight(position: Position, action: Action, due: int, paths: Paths) -> bool:
    """Return whether a drag ends nearer than a number of hexes, and one of the paths does not."""
    grid = position.game.map.grid
    ends = (action.end, *(path[-1] for path in paths))
    short, *others = (grid.distance(action.path[0], end) < due for end in ends)
    return action.dragged and short and not all(others)


def length_of(position: Position, path: tuple[str, ...]) -> int:
    """Return how many hexes a path has; for a drag, the distance between its ends."""
    grid = position.game.map.grid
    is_walk = all(grid.are_neighbours(here, there) for here, there in pairwise(path))
    return len(path) - 1 if is_walk else grid.distance(path[0], path[-1])


def reaches(position: Position, piece: Piece, end: str, steps: int) -> bool:
    """Return whether a piece gets to a hex in so many steps; if that is too far even without obstacles, in
    any number.
    """
    grid = position.game.map.grid
    if piece.where not in grid or end not in grid:
        return False
    links = the_field(position).links(destroyed(position), piece.counter.kind)
    shut, start = occupied(position, other(piece.side)), 1 << grid.index[piece.where]
    most = steps if grid.distance(piece.where, end) <= steps else -1
    return bool(spread(links, start, shut, most) >> grid.index[end] & 1)


def _paths(position: Position, piece: Piece, length: int, is_open: Callable[[int, int, int], bool]) -> Paths:
    grid = position.game.map.grid
    if piece.where not in grid:
        return ()
    found = combat.paths(grid.adjacent, grid.index[piece.where], length, is_open)
    return tuple(tuple(grid.names[at] for at in path) for path in found)
