"""Markers that players put into hexes: interdiction, mines, fortifications."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.idiom import ADD, REMOVE
from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.zones import bits
from referee.standard.notes import LAID
from vassalgen.game.families import Families, MarkerId


def section(rules: Families) -> Section:
    """Return what laying a marker does; when and where players may put one is left to them."""
    found = Section("Markers in hexes", rules.provenance)
    if not markers_of(rules):
        return found

    @found.does(ADD)
    def add(position: Position, action: Action) -> Position:
        laid = position.note(LAID, action.target) or ()
        return position.with_note(LAID, action.target, (*laid, action.words[0]))

    @found.does(REMOVE)
    def remove(position: Position, action: Action) -> Position:
        laid = [*(position.note(LAID, action.target) or ())]
        if action.words[0] in laid:
            laid.remove(action.words[0])
        return position.with_note(LAID, action.target, tuple(laid))

    return found


def markers_of(rules: Families) -> tuple[MarkerId, ...]:
    """Return the markers that mean something in the hex where they are."""
    named = [rule.marker for rule in rules.markers.values()]
    named += [word.marked for word in rules.words.values() if word.marked]
    named += [marker for combat in rules.combat.values() for marker in combat.marked_block]
    return tuple(dict.fromkeys(named))


def marked_hexes(position: Position, marker: MarkerId, near: int = 0) -> int:
    """Return the hexes within so many of one with a marker, as bits."""
    grid = position.game.map.grid
    there = [where for where, laid in position.noted(LAID).items() if marker in laid]
    return bits(grid.index[name] for where in there for name in (where, *grid.within(where, near)))
