"""Plain facts of a position, read from the map and the counters."""

from __future__ import annotations

from referee.engine.position import Piece, Position
from referee.games.tunisia1943.notes import TRAIL

UNIT, EM, GARRISON = "unit", "em", "garrison"


def units(position: Position, side: str = "", kind: str = UNIT) -> list[Piece]:
    """Return the counters of a kind on the map."""
    grid = position.game.map.grid
    return [
        piece
        for piece in position.pieces.values()
        if piece.counter.kind == kind and piece.where in grid and side in ("", piece.side)
    ]


def enemy(side: str) -> str:
    """Return the other side."""
    return "axis" if side == "allied" else "allied"


def is_sea(position: Position, where: str) -> bool:
    """Return whether no unit can enter a hex."""
    return position.game.terrain[position.game.map.hexes[where].terrain].closed


def is_free(position: Position, where: str) -> bool:
    """Return whether a hex can be entered and contains no counter."""
    return not is_sea(position, where) and not position.at(where)


def free_around(position: Position, where: str) -> list[str]:
    """Return the hexes next to one that can be entered and contain no counter."""
    return [there for there in position.game.map.grid.neighbours(where) if is_free(position, there)]


def led_by(position: Position, em: Piece) -> list[Piece]:
    """Return the units of an EM's division on the map."""
    return [one for one in units(position) if one.counter.formation == em.counter.formation]


def is_plain(position: Position, where: str) -> bool:
    """Return whether a hex is plain, with nothing on its hexsides except a frontier."""
    map_ = position.game.map
    sides = (map_.hexside(where, beside).features for beside in map_.grid.neighbours(where))
    return map_.hexes[where].terrain == "plain" and not frozenset().union(*sides) - {"border"}


def is_held(position: Position, where: str, side: str) -> bool:
    """Return whether units or garrisons of a side are in a hex."""
    return any(piece.side == side and piece.counter.kind in (UNIT, GARRISON) for piece in position.at(where))


def is_controlled(position: Position, where: str, side: str) -> bool:
    """Return whether a unit of a side controls a hex by its zone: it is adjacent, with no crest between."""
    map_ = position.game.map
    return any(
        piece.side == side
        and piece.counter.kind == UNIT
        and "crest" not in map_.hexside(beside, where).features
        for beside in map_.grid.neighbours(where)
        for piece in position.at(beside)
    )


def is_fresh(position: Position, piece: Piece) -> bool:
    """Return whether a piece has not moved in this step, and is in supply according to its marker."""
    return (TRAIL, piece.id) not in position.notes and "out-of-supply" not in piece.states


def has_lost_its_em(position: Position, unit: Piece) -> bool:
    """Return whether the EM of a unit's division is destroyed, so that the unit has no supply."""
    return any(
        one.counter.kind == EM
        and one.counter.formation == unit.counter.formation
        and one.where.endswith("-lost")
        for one in position.pieces.values()
    )


def is_armour(piece: Piece) -> bool:
    """Return whether a unit is armour."""
    return piece.counter.extra.flag("armour", False)
