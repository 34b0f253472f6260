"""What it costs a unit to place a marker: cavalry that wrecks a railway, engineers that lay mines."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.idiom import ADD
from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach
from referee.standard.attackers import move_of
from referee.standard.facts import allowed
from referee.standard.move import Move
from referee.standard.notes import TRAIL, Trail
from referee.standard.placers import placers
from vassalgen.game.families import Families, Marker

HALF, ALL = "half", "all"


def section(rules: Families) -> Section:
    """Return the rules that a unit has the points for the markers that it places."""
    found = Section("What markers cost", rules.provenance)
    dear = {rule.marker: rule for rule in rules.markers.values() if rule.points}
    for rule in dear.values():
        _priced(found, rule)

    if dear:

        @found.follows(ADD)
        def the_unit_has_paid(before: Position, after: Position, action: Action) -> Position:
            rule = dear.get(action.words[0])  # type: ignore[call-overload]
            able = list(_able(before, action, rule)) if rule else []
            if rule is None or len(able) != 1:
                return after  # which of several units has placed it is not known
            move = able[0]
            trail = move.trail or Trail(move.start, movement=move.name)
            return after.with_note(TRAIL, move.piece.id, evolve(trail, spent=move.spent + _price(move, rule)))

    return found


def _priced(found: Section, rule: Marker) -> None:
    @found.on(ADD, clause=rule.laid_clause or rule.clause)
    def a_unit_has_the_points_for_it(position: Position, action: Action) -> Iterator[Breach]:
        there = placers(position, rule, action.target) if action.words[0] == rule.marker else ()
        if not there or any(_able(position, action, rule)):
            return
        says = f"{position.game.counters[rule.marker].name} is put into {action.target}; that costs"
        cost = {HALF: "half the movement points", ALL: "all movement points"}.get(
            str(rule.points), f"{rule.points} movement points"
        )
        says = f"{says} {cost}, and {allowed(position, rule.laid_by)} there has too few left."
        yield Breach(says, {"marker": rule.marker, "hex": action.target})


def _able(position: Position, action: Action, rule: Marker) -> Iterator[Move]:
    """Yield the moves so far of the units that have the points left to place a marker."""
    for piece in placers(position, rule, action.target):
        move = move_of(position, piece.id)
        if move is not None and move.spent + _price(move, rule) <= move.budget:
            yield move


def _price(move: Move, rule: Marker) -> int:
    """What it costs a unit, in parts of a point."""
    if isinstance(rule.points, int):
        return rule.points * move.setting.scale
    return (move.budget + 1) // 2 if rule.points == HALF else move.budget
