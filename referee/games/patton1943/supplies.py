"""Phase 8: supply."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import UNDERWAY, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.supply import Supply
from referee.engine.wording import name_of
from referee.games.patton1943.facts import (
    adjective,
    box,
    controlled,
    in_phase,
    is_on_map,
    is_reduced,
    standing,
)
from referee.games.patton1943.losses import is_lost_for_supply, leaves_a_battlegroup, to_be_replaced
from referee.games.patton1943.notes import FALLEN, LOST_SUPPLY, OUT_OF_SUPPLY, Fallen
from referee.games.patton1943.supply_paths import due_for_supply, is_out_of_supply, supply
from vassalgen.game.provenance import Provenance

rules = Section("Supply", Provenance("rulebook", "7.8"))
MAP = Provenance("reconstruction", remark="airfields and terrain of the map")


def _when(position: Position) -> str:
    """Return a text for the phase, with its player turn if that is wrong."""
    if position.phase != "supply":
        return in_phase(position)
    return f"in the {adjective(position, position.side)} Supply Phase"


def _only(position: Position, piece: Piece) -> str:
    return f"only in the {adjective(position, piece.side)} Supply Phase"


@rules.on("supply loss", clause="7.8a")
def only_own_pieces_are_checked_at_the_end_of_the_turn(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if position.phase == "supply" and piece.side == position.side:
        return None
    says = (
        f"{name_of(position, piece.id)} loses a step for lack of supply {_when(position)};"
        f" supply is checked {_only(position, piece)}."
    )
    return Breach(says, {"unit": piece.id, "phase": position.phase})


@rules.on("supply loss", clause="7.8b 7.8c")
def a_piece_with_a_path_loses_nothing(position: Position, action: Action) -> Breach | None:
    """By 7.8c if zones of control matter at all: a friend in the hex may have been overlooked."""
    piece = position.pieces[action.piece]
    if position.phase != "supply" or piece.side != position.side or is_out_of_supply(position, piece):
        return None
    if piece.where in ("", box(piece.side, "dead")):
        return None
    near = bool(controlled(position, piece.side) & standing(position, piece.side))
    why = "has a supply path to an airfield" if is_on_map(position, piece) else "is not on the map"
    says = (
        f"{name_of(position, piece.id)} loses a step for lack of supply;"
        f" only a piece out of supply does, and it {why}."
    )
    facts: Facts = {"unit": piece.id, "hex": piece.where}
    return Breach(says, facts, Grade.illegal, "7.8c" if near else "7.8b", MAP)


@rules.on("lose", "eliminate", clause="13h")
def losses_in_this_phase_are_for_supply(position: Position, action: Action) -> Breach | None:
    """Unproven, because a loss of a battle may be carried out late."""
    piece = position.pieces[action.piece]
    if not _is_for_supply(position, action) or (
        piece.side == position.side and is_out_of_supply(position, piece)
    ):
        return None
    if action.verb == "eliminate" and piece.counter.steps > 1 and not is_reduced(piece):
        return None  # out of supply or not, it loses too much [13a]
    says = (
        f"{name_of(position, piece.id)} takes a loss {in_phase(position)};"
        " only pieces in a battle or out of supply do."
    )
    return Breach(says, {"unit": piece.id, "phase": position.phase}, Grade.unproven)


def _is_for_supply(position: Position, action: Action) -> bool:
    """Return whether a piece on the map is reduced or eliminated in the Supply Phase, and not
    for a battle.
    """
    piece = position.pieces[action.piece]
    return position.phase == "supply" and is_on_map(position, piece) and not action.battle


@rules.follows("lose", "eliminate")
def a_loss_for_supply_is_noted(before: Position, after: Position, action: Action) -> Position:
    """However players carry it out."""
    piece = before.pieces[action.piece]
    if not _is_for_supply(before, action) or piece.side != before.side or not is_out_of_supply(before, piece):
        return after
    if after.note(FALLEN, piece.id) is not None:
        after = after.with_note(FALLEN, piece.id, Fallen(piece.where, for_supply=True))
    return _paid(before, after, piece)


@rules.follows("battlegroup")
def a_battlegroup_alone_takes_its_unit_off(before: Position, after: Position, action: Action) -> Position:
    """That is the unit's loss for supply."""
    gone = to_be_replaced(before, before.pieces[action.piece].side, action.target)
    return _paid(before, after, gone) if gone is not None and is_lost_for_supply(before, gone) else after


def _paid(before: Position, after: Position, piece: Piece) -> Position:
    """Note that a piece has lost its step, and which pieces were out of supply before."""
    after = after.with_note(OUT_OF_SUPPLY, piece.side, due_for_supply(before, piece.side))
    return after.with_note(LOST_SUPPLY, piece.id, piece.where)


@rules.on("supply loss", "lose", "eliminate", "battlegroup", clause="7.8e")
def a_piece_out_of_supply_is_reduced_or_eliminated(position: Position, action: Action) -> Breach | None:
    """No battlegroup enters, in the adopted interpretation; and each piece loses once."""
    piece = position.pieces[action.piece]
    if action.verb == "battlegroup":
        gone = to_be_replaced(position, piece.side, action.target)
        fallen = position.note(FALLEN, gone.id) if gone is not None else None
        if gone is None or not (fallen.for_supply if fallen else is_lost_for_supply(position, gone)):
            return None
        if position.game.adopted("supply-battlegroup") == "battlegroup":
            return None
        says = (
            f"{name_of(position, piece.id)} replaces a unit that was eliminated out of supply;"
            " such a unit leaves no battlegroup."
        )
        return Breach(says, {"unit": piece.id, "hex": action.target}, Grade.unproven)
    if (LOST_SUPPLY, piece.id) in position.notes and not action.battle and is_out_of_supply(position, piece):
        says = (
            f"{name_of(position, piece.id)} loses a second step out of supply in this phase; the limit is 1."
        )
        return Breach(says, {"unit": piece.id})
    return None


@rules.does("supply loss")
def reduce(position: Position, action: Action) -> Position:
    """Flip the piece, or send it to the dead pile."""
    piece = position.pieces[action.piece]
    after = _paid(position, position, piece)
    if not is_reduced(piece) and piece.counter.steps > 1:
        return after.with_piece(piece.id, steps=piece.steps - 1)
    if is_on_map(position, piece) and leaves_a_battlegroup(piece):
        after = after.with_note(FALLEN, piece.id, Fallen(piece.where, for_supply=True))
    return after.with_piece(piece.id, where=box(piece.side, "dead"), states={})


@rules.leaving("supply", clause="7.8e")
def every_piece_out_of_supply_has_lost_a_step(position: Position) -> Iterator[Breach]:
    """Unproven if the phase was under way when the record begins: the step may have been lost before."""
    grade = Grade.unproven if position.note(UNDERWAY) else Grade.illegal
    for name in due_for_supply(position, position.side):
        piece = position.pieces[name]
        if (LOST_SUPPLY, name) in position.notes or not is_on_map(position, piece):
            continue
        state = supply(position, name)
        if state is Supply.supplied and position.game.adopted("supply-losses") == "one-by-one":
            continue
        facts: Facts = {"unit": name, "hex": piece.where, "supply": (state or Supply.cut).value}
        says = (
            f"{name_of(position, name)} in {piece.where} is out of supply and must lose a step; it does not."
        )
        yield Breach(says, facts, grade, provenance=MAP)


@rules.proposes
def losses(position: Position, piece: Piece) -> Iterator[Action]:
    """Losses of the pieces that are out of supply."""
    due = position.phase == "supply" and piece.side == position.side and is_out_of_supply(position, piece)
    if due and (LOST_SUPPLY, piece.id) not in position.notes:
        yield Action("supply loss", (piece.id,))
