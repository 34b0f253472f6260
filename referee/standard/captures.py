"""Units that are lost when an enemy enters their hex: leaders alone, headquarters, wagons."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach
from referee.engine.wording import name_of, names_of
from referee.standard.facts import enemies_at, fits, on_map
from vassalgen.game.families import Captured, Families


def section(rules: Families) -> Section:
    """Return the rule that the captured are taken off the map before the phase is over."""
    found, rule = Section("Captures", rules.provenance), rules.captured
    if rule is None:
        return found

    for one in rule.all:
        _taken(found, rules, one)

    @found.proposes
    def losses_of_the_captured(position: Position, piece: Piece) -> Iterator[Action]:
        if any(captors_of(position, piece, one) for one in rule.all):
            yield Action("eliminate", (piece.id,))

    return found


def _taken(found: Section, rules: Families, rule: Captured) -> None:
    @found.leaving(*rules.sequence, clause=rule.clause)
    def the_captured_are_lost(position: Position) -> Iterator[Breach]:
        for side in position.game.sides:
            for _, piece in on_map(position, side):
                if captors := captors_of(position, piece, rule):
                    says = (
                        f"{name_of(position, piece.id)} is captured in {piece.where} by"
                        f" {names_of(position, captors)} and lost; it is still there."
                    )
                    yield Breach(says, {"unit": piece.id, "enemies": captors})


def captors_of(position: Position, piece: Piece, rule: Captured) -> tuple[str, ...]:
    """Return the enemies in the hex of a unit by which it is captured; none if it cannot be captured."""
    if piece.where not in position.game.map.grid or not fits(position, piece, rule.who):
        return ()
    enemies = enemies_at(position, piece.where, piece.side)
    return tuple(
        one.id for one in enemies if fits(position, one, rule.by) and not fits(position, one, rule.who)
    )
