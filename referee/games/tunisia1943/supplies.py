"""Supply: the check at the end of the own player phase, its markers, and the effects of lacking supply.

The effects on movement are in the modules on movement, those on combat in ``resolution``.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.clock import Clock
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.supply import Supply
from referee.engine.wording import name_of
from referee.games.tunisia1943.facts import (
    OUT_OF_SUPPLY,
    em_of,
    is_em,
    is_late,
    is_on_map,
    is_out_of_supply,
    is_unit,
    is_unstated,
    lacks_em,
    with_garrisons,
)
from referee.games.tunisia1943.lines import FRIENDS, is_supplied, reason
from referee.games.tunisia1943.notes import CHECKED, CUT_OFF, RETURNED
from referee.games.tunisia1943.sequence import now
from vassalgen.game.provenance import RECONSTRUCTION, Provenance

rules = Section("Supply", RECONSTRUCTION)

LINES = "9.1 9.1a-1 9.1a-2 9.1b-1 9.1b-2 9.1b-3 9.1b-4 9.1b-5"
RULEBOOK = Provenance("rulebook", "9")


def needs_supply(position: Position, piece: Piece) -> bool:
    """Return whether a piece on the map can be in or out of supply: units and EMs."""
    return is_on_map(position, piece) and (is_unit(position, piece) or is_em(piece))


def supply(position: Position, name: str) -> Supply | None:
    """Return the state of supply by the marker, or by the loss of the EM; None for one that needs none."""
    piece = position.pieces[name]
    if not needs_supply(position, piece):
        return None
    return Supply.cut if is_out_of_supply(position, piece) else Supply.supplied


def _is_checked_now(position: Position, piece: Piece) -> bool:
    return position.phase == "supply" and piece.side == position.side


@rules.on("in supply", clause=LINES)
def no_unit_is_in_supply_without_a_line(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if not _is_checked_now(position, piece) or lacks_em(position, piece):
        return None
    if not needs_supply(position, piece) or is_supplied(position, piece):
        return None
    says = (
        f"{name_of(position, piece.id)} in {piece.where} is marked as in supply;"
        " it must trace a supply line but does not."
    )
    em = em_of(position, piece.id)
    grade = Grade.unproven if em is not None and is_unstated(position, em) else Grade.illegal
    return Breach(says, _facts(position, piece), grade, reason(position, piece))


@rules.leaving("supply", clause=LINES)
def units_without_a_line_are_marked(position: Position) -> Iterator[Breach]:
    """A forgotten marker is bookkeeping; but if an EM is marked, its units must be.

    A garrison that is not mentioned may keep its harbour open.
    """
    garrisoned = with_garrisons(position)
    for piece in position.pieces.values():
        if piece.side != position.side or not needs_supply(position, piece):
            continue
        if is_out_of_supply(position, piece) or is_supplied(position, piece):
            continue
        clause = reason(position, piece)
        em = em_of(position, piece.id)
        if is_supplied(garrisoned, piece):
            continue
        sure = clause == "9.1b-4" and em is not None and em.is_(OUT_OF_SUPPLY)
        says = (
            f"{name_of(position, piece.id)} in {piece.where} traces"
            f" no supply line and must be marked as out of supply; it is not."
        )
        grade = Grade.illegal if sure else Grade.slip
        yield Breach(says, _facts(position, piece), grade, clause, RULEBOOK if sure else None)


@rules.on("out of supply", clause="9.1a-2 9.2g")
def no_unit_with_a_line_is_marked(position: Position, action: Action) -> Breach | None:
    """Zones of control do not cut a line in a hex with a friendly unit, which is often forgotten."""
    piece = position.pieces[action.piece]
    if not _is_checked_now(position, piece) or lacks_em(position, piece):
        return None
    if not needs_supply(position, piece) or not is_supplied(position, piece):
        return None
    by_friends = not is_supplied(position, piece, frozenset((FRIENDS,)))
    says = (
        f"{name_of(position, piece.id)} in {piece.where} is marked as out of supply but traces a supply line"
    )
    facts = _facts(position, piece)
    if by_friends:
        return Breach(f"{says} through friendly hexes.", facts, clause=FRIENDS)
    return Breach(f"{says}.", facts, clause="9.2g")


@rules.leaving("supply", clause="9.2g")
def markers_of_supplied_units_come_off(position: Position) -> Iterator[Breach]:
    for piece in position.pieces.values():
        if piece.side != position.side or not piece.is_(OUT_OF_SUPPLY):
            continue
        if needs_supply(position, piece) and is_supplied(position, piece):
            yield Breach(
                f"{name_of(position, piece.id)} is in supply and must lose its out-of-supply marker;"
                " it still has it.",
                _facts(position, piece),
                Grade.slip,
            )


@rules.on("out of supply", clause="9.3a")
def supply_is_lost_at_the_own_check_only(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if _is_checked_now(position, piece) or lacks_em(position, piece):
        return None
    facts: Facts = {"unit": piece.id, "phase": position.phase}
    if is_late(position, piece, cut_off=True):
        says = (
            f"{name_of(position, piece.id)} is marked as out of"
            f" supply late; it should have been at its supply check."
        )
        return Breach(says, facts, Grade.slip, provenance=RULEBOOK)
    if position.phase == "supply":
        return None  # described in the sequence of play [1h]
    says = (
        f"{name_of(position, piece.id)} is marked as out of supply in the {now(position)}"
        f" step; its supply is checked only in the supply step of its own player phase."
    )
    return Breach(says, facts, provenance=RULEBOOK)


@rules.on("in supply", clause="9.3c 6.3i")
def supply_is_regained_at_the_own_check_only(position: Position, action: Action) -> Breach | None:
    """Except by the units of an EM that returns: at once, if they have a line."""
    piece = position.pieces[action.piece]
    if _is_checked_now(position, piece) or not piece.is_(OUT_OF_SUPPLY) or lacks_em(position, piece):
        return None
    facts = _facts(position, piece)
    em = piece if is_em(piece) else em_of(position, piece.id)
    at_once = position.game.adopted("supply-on-return") == "at-once"
    if at_once and position.phase == "end" and em is not None and position.note(RETURNED, em.id):
        if is_supplied(position, piece):
            return None
        return Breach(
            f"{name_of(position, piece.id)} is marked as in supply;"
            " it must trace a supply line to the EM that returned but does not.",
            facts,
            clause="6.3i",
        )
    if is_late(position, piece, cut_off=False):
        says = (
            f"The out-of-supply marker of {name_of(position, piece.id)}"
            f" comes off late; it should have come off at its supply check."
        )
        return Breach(says, facts, Grade.slip, "9.3c", RULEBOOK)
    if position.phase == "supply":
        return None  # described in the sequence of play [1h]
    says = (
        f"{name_of(position, piece.id)} regains supply in the {now(position)}"
        f" step; it can do so only in the supply step of its own player phase."
    )
    return Breach(says, facts, clause="9.3c", provenance=RULEBOOK)


rules.marks("out of supply", state=OUT_OF_SUPPLY)


rules.clears("in supply", state=OUT_OF_SUPPLY)


@rules.following("sustain", "end")
def remember_the_check(position: Position) -> Position:
    """What the check that has just ended should have found: later markers are late, not wrong."""
    if position.clock.stop == 0:
        return position
    side = position.world.calendar.side(Clock(position.turn, position.clock.stop - 1))
    notes = {
        key: note
        for key, note in position.notes.items()
        if key[0] is not CUT_OFF or position.pieces[key[1]].side != side
    }
    for piece in position.pieces.values():
        if piece.side == side and needs_supply(position, piece) and not is_supplied(position, piece):
            notes[CUT_OFF, piece.id] = True
    notes[CHECKED, side] = True
    return evolve(position, notes=notes)


def _facts(position: Position, piece: Piece) -> Facts:
    em = None if is_em(piece) else em_of(position, piece.id)
    facts = {"unit": piece.id, "hex": piece.where}
    return {**facts, "EM": em.id, "EM in": em.where or "none"} if em else facts


@rules.proposes
def checks(position: Position, piece: Piece) -> Iterator[Action]:
    """The markers that must be placed or removed."""
    if _is_checked_now(position, piece) and needs_supply(position, piece):
        supplied = is_supplied(position, piece)
        if supplied == piece.is_(OUT_OF_SUPPLY):
            yield Action("in supply" if supplied else "out of supply", (piece.id,))
