"""What the turn track says in a turn, and what rolls have set its entries to."""

from __future__ import annotations

from referee.engine.position import Position
from referee.standard.notes import ROLLED_FOR
from referee.standard.setting import the_setting
from vassalgen.game.families import EntryAmount, PhaseId


def number_of(position: Position, amount: EntryAmount, side: str = "") -> int:
    """Return a number, or this turn's value of an entry of the turn track; 0 if it has none."""
    return amount if isinstance(amount, int) else number_in(position, amount, position.turn, side)


def number_in(position: Position, amount: EntryAmount, turn: int, side: str = "") -> int:
    """Return a number, or the value of an entry of the turn track in a given turn."""
    if isinstance(amount, int):
        return amount
    said = entry_of_turn(position, amount, turn, side)
    return int(said) if said.isdecimal() else 0


def entry_of_turn(position: Position, entry: str, number: int = 0, side: str = "") -> str:
    """Return the value of an entry in a turn, by default this one: as rolled, or as on the track.

    It may differ by ``side``; by default it is that of the side whose turn it is.
    """
    turn = number or position.turn
    if (rolled := rolled_for(position, entry, turn, side or position.side)) is not None:
        return rolled
    return said_on_track(position, entry, turn)


def said_on_track(position: Position, entry: str, turn: int) -> str:
    """Return the value of an entry on the track itself; empty if it has none."""
    for one in position.scenario.turns or position.game.turns:
        if one.number == turn:
            return str(one.values.get(entry) or "")
    return ""


def side_of_phase(position: Position, name: str = "", turn: int = 0) -> str:
    """Return the side whose phase it is by the turn track or by a roll; empty if neither says so.

    Only for a phase that belongs to no side, by default the present one of this turn.
    """
    rules, sides = the_setting(position).rules, position.game.sides
    phase, turn = rules.sequence.get(PhaseId(name or position.phase)), turn or position.turn
    entry = phase.side or phase.not_side if phase else ""
    if phase is None or not entry:
        return ""
    named = rolled_for(position, entry, turn, "") or said_on_track(position, entry, turn)
    if named not in sides or phase.side:
        return named if named in sides else ""
    return next((side for side in sides if side != named), "")


def rolled_for(position: Position, entry: str, turn: int, side: str) -> str | None:
    """Return what a roll has set an entry to: that of the turn, or the last before it; None without one."""
    rolls = the_setting(position).rules.rolls.values()
    for rule in rolls:
        if entry in rule.also:
            outcome = rolled_for(position, rule.sets, turn, side)
            return None if outcome is None else str(rule.also[entry].get(outcome, ""))
    if not any(rule.sets == entry for rule in rolls):
        return None
    first = position.world.calendar.first_turn
    for one in range(turn, first - 1, -1):
        for whose in dict.fromkeys((side, "")):
            if (found := position.note(ROLLED_FOR, key_of(entry, whose, one))) is not None:
                return found
    return None


def key_of(entry: str, side: str, turn: int) -> str:
    """Return the key of the note about a roll."""
    return f"{entry} {side} {turn}"
