"""Units that have to move: routed ones towards home, panicked ones away."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts
from referee.engine.wording import name_of
from referee.standard.facts import fits, may_do, on_map
from referee.standard.homes import gap_to_home
from referee.standard.notes import MUST_MOVE, OTHER_TRAILS, TRAIL
from vassalgen.game.families import Families, Movement, SideId


def section(rules: Families) -> Section:
    """Return the rules about units that have to move."""
    found = Section("Compulsory moves", rules.provenance)
    for name, movement in rules.movement.items():
        phases = tuple(phase for phase, rule in rules.sequence.items() if name in rule.activities)
        if movement.must and phases:
            _must_move(found, name, movement, phases)
    return found


def leads_home(position: Position, piece: Piece, movement: Movement, end: str) -> bool:
    """Return whether a move brings a unit nearer to home, or need not."""
    start = position.note(MUST_MOVE, piece.id)
    if start is None or SideId(piece.side) not in movement.homeward:
        return True
    return not _has_to(position, piece, movement) or _is_nearer(position, piece, movement, start, end)


def _must_move(found: Section, name: str, movement: Movement, phases: tuple[str, ...]) -> None:
    @found.entering(*phases)
    def who_has_to_move(position: Position) -> Position:
        for side in position.game.sides:
            for _, piece in on_map(position, side):
                if may_do(position, piece, name) and _has_to(position, piece, movement):
                    position = position.with_note(MUST_MOVE, piece.id, piece.where)
        return position

    @found.leaving(*phases, clause=movement.must)
    def units_have_moved(position: Position) -> Iterator[Breach]:
        for unit, start in position.noted(MUST_MOVE).items():
            piece = position.pieces[unit]
            if piece.where not in position.game.map.grid or not _has_to(position, piece, movement):
                continue
            home = movement.homeward.get(SideId(piece.side))
            has_moved = position.note(TRAIL, unit) is not None
            if (has_moved and not home) or _is_nearer(position, piece, movement, start, piece.where):
                continue
            back = position.with_piece(unit, where=start)
            back = back.without_note(TRAIL, unit).without_note(OTHER_TRAILS, unit)
            ways = tuple(_ways(back, back.pieces[unit], name, movement))
            if ways:
                facts: Facts = {"unit": unit, "hex": start, "possible hexes": ways}
                says = f"{name_of(position, unit)} must move in this phase; it is still in {start}."
                if home and has_moved:
                    says = (
                        f"{name_of(position, unit)} must move towards {home.text}; it moved from {start} to"
                        f" {piece.where}, which is no nearer."
                    )
                elif home:
                    says = (
                        f"{name_of(position, unit)} in {start} must move towards {home.text} in this phase;"
                        " it did not move."
                    )
                yield Breach(says, facts)


def _has_to(position: Position, piece: Piece, movement: Movement) -> bool:
    return fits(position, piece, movement.who) and fits(position, piece, movement.must_who)


def _is_nearer(position: Position, piece: Piece, movement: Movement, start: str, end: str) -> bool:
    home, index = movement.homeward.get(SideId(piece.side)), position.game.map.grid.index
    if home is None:
        return False
    far = gap_to_home(position, home)
    return far[index[end]] < far[index[start]]


def _ways(position: Position, piece: Piece, name: str, movement: Movement) -> Iterator[str]:
    """The hexes next to a unit to which it could make the move."""
    for end in position.game.map.grid.neighbours(piece.where):
        if SideId(piece.side) in movement.homeward and not _is_nearer(
            position, piece, movement, piece.where, end
        ):
            continue
        if position.world.rulebook.allows(position, Action(name, (piece.id,), (piece.where, end))):
            yield end
