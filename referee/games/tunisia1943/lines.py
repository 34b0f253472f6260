"""Lines of supply: what reaches whom, and by which clause it does not."""

from __future__ import annotations

from referee.engine.position import Piece, Position
from referee.engine.supply import spread
from referee.games.tunisia1943.facts import (
    AXIS,
    OUT_OF_SUPPLY,
    controlled,
    em_of,
    held,
    held_by_ems,
    is_em,
    is_on_map,
    other,
    the_field,
    with_friends,
)

NOTHING: frozenset[str] = frozenset()
FRIENDS, LINE = "9.1a-2", "9.1a-1"


def blocked(position: Position, side: str, lifted: frozenset[str] = NOTHING) -> int:
    """Return the hexes through which no line of a side runs, as bits [9.1a-1, 9.1a-2].

    Clauses in ``lifted`` are taken as not written.
    """
    if LINE in lifted:
        return 0
    enemy, zone = other(side), controlled(position, side)
    if FRIENDS not in lifted:
        zone &= ~with_friends(position, side)
    return zone | held(position, enemy) | held_by_ems(position, enemy)


def reached(position: Position, side: str, sources: int, lifted: frozenset[str] = NOTHING) -> int:
    """Return the hexes that a line from some sources reaches, as bits."""
    key = ("reached", side, sources, lifted)
    if key not in position.memory:
        prepared, closed = the_field(position), blocked(position, side, lifted)
        position.memory[key] = _spread(position, prepared.links, sources & prepared.land & ~closed, closed)
    found: int = position.memory[key]
    return found


def _spread(position: Position, links: tuple[int, ...], start: int, closed: int) -> int:
    """Lines depend on few things and are asked for often: the answers are kept with the prepared map."""
    kept = the_field(position).nets
    key = start, closed
    if key not in kept:
        kept[key] = spread(links, start, closed)
    return kept[key]


def is_supplied(position: Position, piece: Piece, lifted: frozenset[str] = NOTHING) -> bool:
    """Tell whether a unit or EM on the map can trace its supply now [9.1, 9.1b-4, 9.1b-5]."""
    index, prepared = position.game.map.grid.index, the_field(position)
    if piece.where not in index:
        return False
    em = None if is_em(piece) else em_of(position, piece.id)
    if em is None:
        sources = prepared.source(piece.counter)
        return bool(reached(position, piece.side, sources, lifted) >> index[piece.where] & 1)
    if not is_on_map(position, em) or not is_supplied(position, em, lifted):
        return False
    line = reached(position, piece.side, 1 << index[em.where], lifted)
    return bool(line >> index[piece.where] & 1)


def source_clause(position: Position, piece: Piece) -> str:
    """Return the clause that tells the source of an EM or a unit without one [9.1b-1 to 9.1b-3]."""
    if piece.side == AXIS:
        return "9.1b-3"
    prepared, index = the_field(position), position.game.map.grid.index
    south = position.game.map.zones["south-edge"].hexes
    sources = prepared.source(piece.counter)
    return "9.1b-2" if any(sources >> index[name] & 1 for name in south) else "9.1b-1"


def reason(position: Position, piece: Piece) -> str:
    """Return the clause by which a piece that cannot trace supply is out of it."""
    em = None if is_em(piece) else em_of(position, piece.id)
    if em is not None:
        if not is_on_map(position, em):
            return "9.1"
        if em.is_(OUT_OF_SUPPLY) or not is_supplied(position, em):
            return "9.1b-4"
        return "9.1" if _reaches_source(position, piece) else LINE
    if not is_em(piece):
        return "9.1b-5"
    sources = the_field(position).source(piece.counter) & ~blocked(position, piece.side)
    if not sources or _reaches_other_source(position, piece):
        return source_clause(position, piece)
    return LINE


def _reaches_source(position: Position, piece: Piece) -> bool:
    sources = the_field(position).source(piece.counter)
    at = position.game.map.grid.index[piece.where]
    return bool(reached(position, piece.side, sources) >> at & 1)


def _reaches_other_source(position: Position, piece: Piece) -> bool:
    """Whether a line leads to the source of another army of the side."""
    at, index = position.game.map.grid.index[piece.where], position.game.map.grid.index
    for zone in position.game.map.zones.values():
        sides = {
            position.game.formations[name].side if name in position.game.formations else name
            for name in zone.supplies
        }
        if piece.side in sides:
            sources = sum(1 << index[name] for name in zone.hexes)
            if reached(position, piece.side, sources) >> at & 1:
                return True
    return False
