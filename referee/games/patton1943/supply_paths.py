"""Supply paths to airfields, and the pieces that have none."""

from __future__ import annotations

from referee.engine.position import Piece, Position
from referee.engine.supply import Supply, spread
from referee.engine.zones import bits
from referee.games.patton1943.facts import (
    controlled,
    is_friendly_airfield,
    is_on_map,
    other,
    standing,
    the_field,
)
from referee.games.patton1943.notes import OUT_OF_SUPPLY


def sources(position: Position, side: str) -> int:
    """Return the hexes of a side's airfields, as bits."""
    index = position.game.map.grid.index
    hexes = {where for fields in the_field(position).airfields.values() for where in fields}
    return bits(index[where] for where in hexes if is_friendly_airfield(position, where, side))


def reached(position: Position, side: str, bare: bool = False) -> int:
    """Return the hexes from which a supply path leads to a friendly airfield, as bits [7.8b to 7.8d].

    ``bare``: as if there were no enemy zones of control.
    """
    key = ("supplied", side, bare)
    if key not in position.memory:
        prepared = the_field(position)
        blocked = standing(position, other(side))
        if not bare:
            blocked |= controlled(position, side) & ~standing(position, side)
        start = sources(position, side) & ~blocked
        position.memory[key] = spread(prepared.links, start, blocked)
    found: int = position.memory[key]
    return found


def is_supplied(position: Position, piece: Piece) -> bool:
    """Whether a piece has a supply path; an enemy in its own hex, against the rules, does not cut it."""
    at = position.game.map.grid.index[piece.where]
    found = reached(position, piece.side)
    if standing(position, other(piece.side)) >> at & 1:
        return bool(the_field(position).links[at] & found)
    return bool(found >> at & 1)


def supply(position: Position, name: str) -> Supply | None:
    """Return the state of supply of a piece; None for one off the map."""
    piece = position.pieces[name]
    if not is_on_map(position, piece):
        return None
    if is_supplied(position, piece):
        return Supply.supplied
    at = position.game.map.grid.index[piece.where]
    return Supply.cut if reached(position, piece.side, bare=True) >> at & 1 else Supply.far


def _out_of_supply(position: Position, side: str) -> tuple[str, ...]:
    """Return the pieces of a side that have no supply path now."""
    return tuple(
        piece.id
        for piece in position.pieces.values()
        if piece.side == side and is_on_map(position, piece) and not is_supplied(position, piece)
    )


def due_for_supply(position: Position, side: str) -> tuple[str, ...]:
    """Return the pieces of a side that lose a step: all are tested before any loss is applied [7.8a]."""
    noted = position.note(OUT_OF_SUPPLY, side)
    return _out_of_supply(position, side) if noted is None else noted


def is_out_of_supply(position: Position, piece: Piece) -> bool:
    if position.game.adopted("supply-losses") == "together":
        return piece.id in due_for_supply(position, piece.side)
    return is_on_map(position, piece) and not is_supplied(position, piece)
