"""Phase 6: aircraft return to base."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import is_or_are, listed, name_of, names_of
from referee.games.patton1943.battle import without_flight
from referee.games.patton1943.facts import (
    SIDES,
    air_at,
    box,
    is_air,
    is_captured_airfield,
    is_friendly_airfield,
    other,
    the_field,
)
from referee.games.patton1943.notes import RETURNED
from vassalgen.game.provenance import Provenance

rules = Section("Return to base", Provenance("rulebook", "7.6"))
MAP = Provenance("reconstruction", remark="airfields but 8821")


def waiting(position: Position, side: str) -> tuple[Piece, ...]:
    """Return the aircraft in the box of a side."""
    return tuple(piece for piece in position.at(box(side, "returning")) if is_air(piece))


def _free(hexes: tuple[str, ...]) -> str:
    """Return a text with the free airfields."""
    if len(hexes) > 3:
        return f"{len(hexes)} airfields are free, {hexes[0]} among them"
    return (
        f"{'the airfield' if len(hexes) == 1 else 'the airfields'} in {listed(hexes)} {is_or_are(hexes)} free"
    )


def free_airfields(position: Position, side: str) -> tuple[str, ...]:
    """Return the friendly airfields without an air asset."""
    return tuple(
        where
        for where in sorted(the_field(position).airfields[side])
        if is_friendly_airfield(position, where, side) and not air_at(position, where, side)
    )


@rules.on("return", clause="7.6a")
def aircraft_return_to_own_airfields(position: Position, action: Action) -> Breach | None:
    """A captured enemy airfield is only unproven."""
    piece, where = position.pieces[action.piece], action.target
    if is_friendly_airfield(position, where, piece.side):
        return None
    facts: Facts = {"unit": piece.id, "hex": where}
    if is_captured_airfield(position, where, piece.side):
        says = (
            f"{name_of(position, piece.id)} returns to {where}, a captured enemy airfield;"
            " it must return to one of its own side."
        )
        return Breach(says, facts, Grade.unproven, provenance=MAP)
    says = f"{name_of(position, piece.id)} returns to {where}; it must return to a friendly airfield."
    return Breach(says, facts, provenance=MAP)


@rules.on("return", clause="7.6b")
def one_air_asset_to_an_airfield(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    there = tuple(each.id for each in air_at(position, action.target, piece.side) if each.id != piece.id)
    if not there:
        return None
    says = (
        f"{name_of(position, piece.id)} returns to {action.target};"
        " another air asset is there, and the limit is 1."
    )
    return Breach(says, {"unit": piece.id, "hex": action.target, "there": there})


@rules.on("eliminate", clause="7.6c")
def aircraft_are_eliminated_only_if_no_airfield_is_free(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    waits = piece.where == box(piece.side, "returning") or piece.is_("flying")
    if position.phase != "return" or not is_air(piece) or not waits:
        return None
    free = free_airfields(position, piece.side)
    if len(free) < len(waiting(position, piece.side)):
        return None
    never = position.game.adopted("surplus-air") == "never"
    says = (
        f"{name_of(position, piece.id)} is eliminated;"
        f" that is done only if no airfield is free, and {_free(free)}."
    )
    return Breach(says, {"unit": piece.id, "free": free}, Grade.illegal if never else Grade.unproven)


@rules.leaving("return", clause="7.6a 7.6c")
def the_boxes_are_empty(position: Position) -> Iterator[Breach]:
    for side in SIDES:
        free = free_airfields(position, side)
        for place, piece in enumerate(waiting(position, side)):
            facts: Facts = {"unit": piece.id, "free": free}
            name = name_of(position, piece.id)
            if place < len(free):
                says = f"{name} is left in the Return to Base box; it must return, as {_free(free)}."
                yield Breach(says, facts, clause="7.6a")
            else:
                says = (
                    f"{name} is left in the Return to Base box;"
                    " no airfield is free, so it must be eliminated."
                )
                yield Breach(says, facts, clause="7.6c", provenance=MAP)


@rules.on("return", clause="7.6d")
def the_active_side_returns_first(position: Position, action: Action) -> Breach | None:
    """This has no effect on the position, but it is a rule."""
    piece = position.pieces[action.piece]
    if not position.side or piece.side == position.side or piece.is_("flying"):
        return None
    left = waiting(position, other(piece.side))
    if not left or not free_airfields(position, other(piece.side)):
        return None
    waits = names_of(position, (each.id for each in left))
    says = f"{name_of(position, piece.id)} returns before {waits}; the active side returns first."
    return Breach(says, {"unit": piece.id, "waiting": tuple(each.id for each in left)})


@rules.does("return")
def come_back(position: Position, action: Action) -> Position:
    """Put it on the airfield."""
    after = without_flight(position, action.piece)
    after = after.with_piece(action.piece, where=action.target, states={})
    return after.with_note(RETURNED, action.piece, True)


@rules.proposes
def returns(position: Position, piece: Piece) -> Iterator[Action]:
    """To every free airfield."""
    if position.phase == "return" and is_air(piece) and piece.where == box(piece.side, "returning"):
        yield from (
            Action("return", (piece.id,), target=where) for where in free_airfields(position, piece.side)
        )
        yield Action("eliminate", (piece.id,))
