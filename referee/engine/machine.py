"""The turn machine: goes through the phases of the game's sequence, with checks when each is left.

The table of stops is ``Calendar.stops``; the checks when a phase is left and the automatic effects when it is
entered are in the sections of the rulebook.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve, frozen

from referee.engine.clock import Clock
from referee.engine.position import TO_BEGIN, Lapse, Position
from referee.engine.rulings import Breach, Grade

if TYPE_CHECKING:
    from referee.engine.rulebook import Rulebook


@frozen
class Passed:
    """The result of advancing: breaches of duties before that, the clauses checked, the position."""

    breaches: tuple[Breach, ...]
    consulted: tuple[str, ...]
    position: Position


def go(rulebook: Rulebook, position: Position, clock: Clock | None = None) -> Passed:
    """Advance to the next phase, or to a later one through all phases between.

    Going back to an earlier phase is a slip with the turn marker; the clock is set to it nevertheless.
    """
    calendar = position.world.calendar
    if clock is not None and clock <= position.clock:
        says = (
            f"The turn track goes back from {calendar.say(position.clock)} to {calendar.say(clock)};"
            " it only goes forward."
        )
        slip = Breach(says, {}, Grade.slip, rulebook.clock_clause)
        passed = evolve(position, clock=clock, battles=())
        return Passed((slip,), (rulebook.clock_clause,), passed)
    breaches: list[Breach] = []
    consulted: dict[str, None] = {}
    while True:
        left = _leave(rulebook, position)
        breaches += left.breaches
        consulted.update(dict.fromkeys(left.consulted))
        position = left.position
        if clock is None or position.clock >= clock:
            once = tuple(dict.fromkeys(breaches))  # what stays wrong in all phases that are skipped
            return Passed(once, tuple(consulted), position)


def _leave(rulebook: Rulebook, position: Position) -> Passed:
    """Advance to the very next phase; the same position results whether play continues from there or not."""
    if "left" not in position.memory:
        consulted: dict[str, None] = {}
        breaches: list[Breach] = []
        for rule in rulebook.leavings.get(position.phase, ()):
            consulted.update(dict.fromkeys(rule.clauses))
            breaches += rule.breaches(position)
        after = enter(rulebook, position, position.world.calendar.after(position.clock))
        position.memory["left"] = Passed(tuple(breaches), tuple(consulted), after)
    passed: Passed = position.memory["left"]
    return passed


def enter(rulebook: Rulebook, position: Position, clock: Clock) -> Position:
    """Set the clock to the next stop: notes expire, automatic effects happen, battles end."""
    position = skip(position, clock).with_battles(position.battles)
    for change in rulebook.memories.get(position.phase, ()):
        position = change(position)
    return _entered(rulebook, position).with_battles(())


def skip(position: Position, clock: Clock) -> Position:
    """Set the clock to a stop without checking rules: notes expire, battles end."""
    calendar = position.world.calendar
    lapsed: list[Lapse] = ["phase"]
    if calendar.side(clock) != calendar.side(position.clock) or clock.turn != position.turn:
        lapsed.append("player turn")
    if clock.turn != position.turn:
        lapsed.append("turn")
    return evolve(position.without_notes(lapsed), clock=clock, battles=())


def begun(rulebook: Rulebook, position: Position) -> Position:
    """Return a position set up by a record, after beginning its phase; any other position unchanged.

    Notes made at the beginning of the phase are made. The counters stay as they were set up.
    """
    if not position.note(TO_BEGIN):
        return position
    if "begun" not in position.memory:
        entered = _entered(rulebook, position.without_note(TO_BEGIN))
        position.memory["begun"] = entered.with_pieces(position.pieces)
    found: Position = position.memory["begun"]
    return found


def _entered(rulebook: Rulebook, position: Position) -> Position:
    for change in rulebook.entries.get(position.phase, ()):
        position = change(position)
    return position
