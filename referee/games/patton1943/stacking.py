"""Stacking: one unit, two assets, three with an air asset."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts
from referee.games.patton1943.facts import SIDES, air_at, assets_at, units_at
from vassalgen.game.provenance import Provenance

rules = Section("Stacking", Provenance("rulebook", "6"))


def overstacked(position: Position, where: str, side: str) -> Iterator[Breach]:
    """Say what is wrong with the stack of a side in a hex [6a, 6b, 6c]."""
    units, assets = units_at(position, where, side), assets_at(position, where, side)
    air = air_at(position, where, side)
    names = tuple(piece.id for piece in (*units, *assets, *air))
    facts: Facts = {"hex": where, "pieces": names}
    if len(units) > 1:
        yield Breach(f"{len(units)} units in {where}, limit 1", facts, clause="6a")
    together = len(assets) + len(air)
    if air and together > 3:
        yield Breach(f"{together} assets in {where}, limit 3 with air", facts, clause="6c")
    elif len(assets) > (2 if not air or _strict(position) else 3):
        yield Breach(f"{len(assets)} ground assets in {where}, limit 2", facts, clause="6b")


def too_many_with(position: Position, piece: Piece, where: str) -> Iterator[Breach]:
    """Say which limits for its kind are passed where a piece is put; others it does not change."""
    after = position.with_piece(piece.id, where=where, states={})
    is_unit = any(unit.id == piece.id for unit in units_at(after, where, piece.side))
    for breach in overstacked(after, where, piece.side):
        if (breach.clause == "6a") == is_unit:
            yield breach


def has_room(position: Position, piece: Piece, where: str) -> bool:
    """Tell whether a piece can be put in a hex within the limits of stacking [5s, 14d]."""
    return not any(too_many_with(position, piece, where))


def _strict(position: Position) -> bool:
    return position.game.adopted("three-assets") == "two-and-one"


def every(position: Position, sides: tuple[str, ...] = SIDES) -> Iterator[Breach]:
    """Find every stack over the limits, of all sides if none are named."""
    for where in position.by_place:
        if where in position.game.map.grid:
            for side in sides:
                yield from overstacked(position, where, side)


@rules.always(clause="6a 6b 6c")
def no_hex_holds_more_than_its_limits(position: Position) -> Iterator[Breach]:
    yield from every(position)


@rules.leaving("movement", "battles", "return", "replacement", "supply", "end", clause="6a 6b 6c")
def stacks_are_within_the_limits_at_the_end_of_a_phase(position: Position) -> Iterator[Breach]:
    yield from every(position)


@rules.on("move", clause="6a 6b 6c")
def stacks_are_within_the_limits_after_each_move(position: Position, action: Action) -> Iterator[Breach]:
    """By a reading that is not adopted."""
    if position.game.adopted("stacking-moment") == "end-of-phase":
        return
    piece = position.pieces[action.piece]
    yield from overstacked(position.with_piece(piece.id, where=action.end), action.end, piece.side)


@rules.on("advance", clause="6a 6b")
@rules.on("battlegroup", clause="6a")
@rules.on("arrive", clause="6b 6c")
@rules.on("return", clause="6c")
@rules.on("reclaim", clause="6a 6b 6c")
def a_piece_is_put_where_there_is_room(position: Position, action: Action) -> Iterator[Breach]:
    piece, where = position.pieces[action.piece], action.target or action.end
    if where in position.game.map.grid and piece.where != where:
        yield from too_many_with(position, piece, where)
