"""Units that are carried by others: by trucks, on tanks, on barges."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, name_of, names_of
from referee.standard.facts import allowed, fits, on_map
from referee.standard.notes import TRAIL
from vassalgen.game.families import NOBODY, Families, Movement


def section(rules: Families) -> Section:
    """Return the rules of units that are carried."""
    found = Section("Transport", rules.provenance)
    for name, movement in rules.movement.items():
        if movement.carried_by != NOBODY:
            _carrying(found, rules, name, movement)
    return found


def _carrying(found: Section, rules: Families, name: str, movement: Movement) -> None:
    clause = movement.carried_clause or movement.clause

    @found.on(name, clause=clause)
    def a_unit_is_carried_from_where_its_carrier_was(position: Position, action: Action) -> Breach | None:
        piece = position.pieces[action.piece]
        start = start_of(position, piece)
        carriers = carriers_from(position, piece.side, movement, start)
        riding = [one.id for one in _riders(position, name) if start_of(position, one) == start]
        riding = [one for one in riding if one != piece.id and position.pieces[one].side == piece.side]
        facts: Facts = {"unit": piece.id, "hex": start}
        if not carriers:
            who = allowed(position, movement.carried_by)
            says = f"{name_of(position, piece.id)} is carried ({name}) from {start}; none of the {who} began"
            return Breach(f"{says} there.", facts)
        if len(riding) >= len(carriers) * movement.carries:
            most = counted(len(carriers) * movement.carries, "unit")
            says = f"{name_of(position, piece.id)} is carried ({name}) from {start} after"
            names = names_of(position, riding)
            return Breach(f"{says} {names}; {most} may be.", {**facts, "carried": tuple(riding)})
        return None

    phases = tuple(phase for phase, rule in rules.sequence.items() if name in rule.activities)

    @found.leaving(*phases, clause=clause)
    def a_unit_ends_where_its_carrier_does(position: Position) -> Iterator[Breach]:
        for piece in _riders(position, name):
            start = start_of(position, piece)
            carriers = carriers_from(position, piece.side, movement, start)
            if piece.where not in position.game.map.grid or any(one.where == piece.where for one in carriers):
                continue
            # one that moved on may have unloaded it on its path
            went = any(position.note(TRAIL, one.id) is not None for one in carriers)
            names = names_of(position, [one.id for one in carriers]) or "its carrier"
            says = f"{name_of(position, piece.id)} was carried from {start} to {piece.where}; {names} did not"
            grade = Grade.unproven if went or not carriers else Grade.illegal
            yield Breach(f"{says} end there.", {"unit": piece.id, "hex": piece.where}, grade)


def carried_to(position: Position, piece: Piece, movement: Movement) -> frozenset[str] | None:
    """Return where the carriers that were with a unit are now; nothing if it moves by itself."""
    if movement.carried_by == NOBODY:
        return None
    carriers = carriers_from(position, piece.side, movement, start_of(position, piece))
    return frozenset(one.where for one in carriers)


def start_of(position: Position, piece: Piece) -> str:
    """Return the hex in which a unit began its move in this phase, or its hex if it has not moved."""
    trail = position.note(TRAIL, piece.id)
    return trail.start if trail else piece.where


def carriers_from(position: Position, side: str, movement: Movement, start: str) -> tuple[Piece, ...]:
    """Return the units of a side that began a phase in a hex and carry others."""
    return tuple(
        piece
        for _, piece in on_map(position, side)
        if fits(position, piece, movement.carried_by) and start_of(position, piece) == start
    )


def _riders(position: Position, name: str) -> Iterator[Piece]:
    for unit, trail in position.noted(TRAIL).items():
        if trail.movement == name:
            yield position.pieces[unit]
