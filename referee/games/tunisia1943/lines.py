"""Lines of supply: which units they reach, and by which clause they do not."""

from __future__ import annotations

from referee.engine.position import Piece, Position
from referee.engine.supply import spread
from referee.engine.zones import bits
from referee.games.tunisia1943.facts import (
    AXIS,
    OUT_OF_SUPPLY,
    controlled,
    em_of,
    held,
    held_by_ems,
    held_by_units,
    is_em,
    is_on_map,
    is_out_of_supply,
    other,
    the_field,
    with_friends,
)

NOTHING: frozenset[str] = frozenset()
FRIENDS, LINE = "9.1a-2", "9.1a-1"


def blocked(position: Position, side: str, waived: frozenset[str] = NOTHING) -> int:
    """Return the hexes closed to lines of a side, as bits [9.1a-1, 9.1a-2].

    Clauses in ``waived`` are ignored.
    """
    if LINE in waived:
        return 0
    key = ("blocked", side, waived)
    if key not in position.memory:
        position.memory[key] = _blocked(position, side, waived)
    found: int = position.memory[key]
    return found


def _blocked(position: Position, side: str, waived: frozenset[str]) -> int:
    enemy, zone = other(side), controlled(position, side)
    if FRIENDS not in waived:
        units = position.game.adopted("friends-cancel-zoc") == "combat-units"
        zone &= ~(held_by_units(position, side) if units else with_friends(position, side))
    return zone | held(position, enemy) | held_by_ems(position, enemy)


def reached(
    position: Position, side: str, sources: int, waived: frozenset[str] = NOTHING, by_road: bool = False
) -> int:
    """Return the hexes that a line from some sources reaches, as bits.

    Lines depend on few things and are needed often: the answers are kept with the prepared map.
    """
    prepared, closed = the_field(position), blocked(position, side, waived)
    key = sources & prepared.land & ~closed, closed, by_road
    if key not in prepared.nets:
        prepared.nets[key] = spread(prepared.roads if by_road else prepared.links, key[0], closed)
    return prepared.nets[key]


def is_supplied(position: Position, piece: Piece, waived: frozenset[str] = NOTHING) -> bool:
    """Return whether a unit or EM on the map can trace its supply now [9.1, 9.1b-4, 9.1b-5]."""
    index = position.game.map.grid.index
    if piece.where not in index:
        return False
    em = None if is_em(piece) else em_of(position, piece.id)
    if em is None:
        line = reached(position, piece.side, sources_of(position, piece), waived, _by_road(position))
        return bool(line >> index[piece.where] & 1)
    if not _is_em_supplied(position, em, waived):
        return False
    line = reached(position, piece.side, 1 << index[em.where], waived)
    return bool(line >> index[piece.where] & 1)


def _is_em_supplied(position: Position, em: Piece, waived: frozenset[str]) -> bool:
    """Whether an EM can trace its supply; needed by all units of its division."""
    key = ("supplied", em.id, waived)
    if key not in position.memory:
        position.memory[key] = is_supplied(position, em, waived)
    found: bool = position.memory[key]
    return found


def fights_out_of_supply(position: Position, piece: Piece) -> bool:
    """Return whether a unit fights as out of supply: marked, or in another interpretation cut
    off now [9.3b].
    """
    if is_out_of_supply(position, piece):
        return True
    at_once = position.game.adopted("cut-off-defence") == "reduced"
    return at_once and piece.counter.kind == "unit" and not is_supplied(position, piece)


def _by_road(position: Position) -> bool:
    """Whether in another interpretation the line of an EM runs on roads [9.1a-1]."""
    return position.game.adopted("terrain-of-line") == "roads"


def sources_of(position: Position, piece: Piece) -> int:
    """Return the hexes from which an EM or a unit without one draws supply, as bits [9.1b-1 to 9.1b-3]."""
    game, map_ = position.game, position.game.map
    sources = the_field(position).source(piece.counter)
    if game.adopted("western-sources") == "tebessa" and sources & _zone(position, "tebessa"):
        sources &= ~_zone(position, "west-roads")
    if game.adopted("southern-source") == "roads" and sources & _zone(position, "south-edge"):
        exits = {where for road in map_.roads.values() for where in road.exits}
        sources &= bits(map_.grid.index[name] for name in exits)
    if game.adopted("harbours-as-sources") == "garrisoned" and piece.side == AXIS:
        sources &= held(position, AXIS)
    return sources


def _zone(position: Position, name: str) -> int:
    map_ = position.game.map
    return bits(map_.grid.index[where] for where in map_.zones[name].hexes)


def source_clause(position: Position, piece: Piece) -> str:
    """Return the clause that names the source of an EM or a unit without one [9.1b-1 to 9.1b-3]."""
    if piece.side == AXIS:
        return "9.1b-3"
    south = the_field(position).source(piece.counter) & _zone(position, "south-edge")
    return "9.1b-2" if south else "9.1b-1"


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
    sources = sources_of(position, piece) & ~blocked(position, piece.side)
    if not sources or _reaches_other_source(position, piece):
        return source_clause(position, piece)
    return LINE


def _reaches_source(position: Position, piece: Piece) -> bool:
    sources = sources_of(position, piece)
    at = position.game.map.grid.index[piece.where]
    return bool(reached(position, piece.side, sources) >> at & 1)


def _reaches_other_source(position: Position, piece: Piece) -> bool:
    """Whether a line leads to the source of another army of the side."""
    at, index = position.game.map.grid.index[piece.where], position.game.map.grid.index
    own = the_field(position).source(piece.counter)
    for zone in position.game.map.zones.values():
        sides = {
            position.game.formations[name].side if name in position.game.formations else name
            for name in zone.supplies
        }
        if piece.side in sides:
            sources = bits(index[name] for name in zone.hexes) & ~own
            if reached(position, piece.side, sources) >> at & 1:
                return True
    return False
