"""Phase 8: supply."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.supply import Supply, spread
from referee.engine.zones import bits
from referee.games.patton1943.facts import (
    box,
    controlled,
    is_friendly_airfield,
    is_on_map,
    is_reduced,
    other,
    standing,
    the_field,
)
from vassalgen.game.provenance import Provenance

rules = Section("Supply", Provenance("rulebook", "7.8"))
MAP = Provenance("reconstruction", remark="airfields and terrain of the map")
CHECKED, LOST = "supply checked", "supply loss"


def sources(position: Position, side: str) -> int:
    """Return the hexes of a side's airfields, as bits."""
    index = position.game.map.grid.index
    hexes = {where for fields in the_field(position).airfields.values() for where in fields}
    return bits(index[where] for where in hexes if is_friendly_airfield(position, where, side))


def reached(position: Position, side: str, bare: bool = False) -> int:
    """Return the hexes from which a supply path leads to an own airfield, as bits [7.8b to 7.8d].

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
    """Tell whether a piece has a supply path; who shares its own hex, against the rules, does not cut it."""
    at = position.game.map.grid.index[piece.where]
    found = reached(position, piece.side)
    if standing(position, other(piece.side)) >> at & 1:
        return bool(the_field(position).links[at] & found)
    return bool(found >> at & 1)


def supply(position: Position, name: str) -> Supply | None:
    """Tell how a piece stands with supply; None for one off the map."""
    piece = position.pieces[name]
    if not is_on_map(position, piece):
        return None
    if is_supplied(position, piece):
        return Supply.supplied
    at = position.game.map.grid.index[piece.where]
    return Supply.cut if reached(position, piece.side, bare=True) >> at & 1 else Supply.far


@rules.entering("supply")
def all_are_tested_on_one_position(position: Position) -> Position:
    """Before any loss is applied [7.8a]."""
    out = tuple(
        piece.id
        for piece in position.pieces.values()
        if piece.side == position.side and is_on_map(position, piece) and not is_supplied(position, piece)
    )
    return position.with_note(CHECKED, position.side, out, "phase")


def _out(position: Position, piece: Piece) -> bool:
    listed = position.note(CHECKED, piece.side, tuple)
    if listed is not None and position.game.adopted("supply-losses") == "together":
        return piece.id in listed
    return is_on_map(position, piece) and not is_supplied(position, piece)


@rules.on("supply loss", clause="7.8a")
def only_own_pieces_are_checked_at_the_end_of_the_turn(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if position.phase == "supply" and piece.side == position.side:
        return None
    says = f"the supply of {piece.id} is not checked in the {position.side or 'closing'} {position.phase}"
    return Breach(says, {"unit": piece.id, "phase": position.phase})


@rules.on("supply loss", clause="7.8b 7.8c")
def who_has_a_path_loses_nothing(position: Position, action: Action) -> Breach | None:
    """7.8c if zones of control come into it at all: a friend in the hex may have been overlooked."""
    piece = position.pieces[action.piece]
    if position.phase != "supply" or piece.side != position.side or _out(position, piece):
        return None
    if not is_on_map(position, piece):
        return None
    near = bool(controlled(position, piece.side) & standing(position, piece.side))
    says = f"{piece.id} has a supply path and is reduced"
    facts: Facts = {"unit": piece.id, "hex": piece.where}
    return Breach(says, facts, Grade.illegal, "7.8c" if near else "7.8b", MAP)


@rules.on("supply loss", "battlegroup", clause="7.8e")
def who_is_out_of_supply_is_reduced_or_gone(position: Position, action: Action) -> Breach | None:
    """No battlegroup comes, by the reading adopted; and each piece loses once."""
    piece = position.pieces[action.piece]
    if action.verb == "battlegroup":
        if position.phase != "supply" or position.game.adopted("supply-battlegroup") == "battlegroup":
            return None
        says = f"{piece.id} replaces a unit that was lost for want of supply"
        return Breach(says, {"unit": piece.id, "hex": action.target}, Grade.unproven)
    if position.note(LOST, piece.id, bool) and _out(position, piece):
        return Breach(f"{piece.id} is reduced twice for want of supply", {"unit": piece.id})
    return None


@rules.does("supply loss")
def reduce(position: Position, action: Action) -> Position:
    """Flip the piece, or send it to the dead pile."""
    piece = position.pieces[action.piece]
    position = position.with_note(LOST, piece.id, True, "phase")
    if is_reduced(piece) or piece.counter.steps == 1:
        after = position.with_piece(piece.id, where=box(piece.side, "dead"), states={})
        return after.with_note("died in", piece.id, "", "never")
    return position.with_piece(piece.id, steps=piece.steps - 1)


@rules.leaving("supply", clause="7.8e")
def everybody_out_of_supply_has_lost_a_step(position: Position) -> Iterator[Breach]:
    for name in position.note(CHECKED, position.side, tuple) or ():
        piece = position.pieces[name]
        if position.note(LOST, name, bool) or not is_on_map(position, piece):
            continue
        state = supply(position, name)
        if state is Supply.supplied and position.game.adopted("supply-losses") == "one-by-one":
            continue
        facts: Facts = {"unit": name, "hex": piece.where, "supply": (state or Supply.cut).value}
        says = f"{name} in {piece.where} is out of supply and is not reduced"
        yield Breach(says, facts, provenance=MAP)


@rules.proposes
def losses(position: Position, piece: Piece) -> Iterator[Action]:
    """Who is out of supply."""
    due = position.phase == "supply" and piece.side == position.side and _out(position, piece)
    if due and not position.note(LOST, piece.id, bool):
        yield Action("supply loss", (piece.id,))
