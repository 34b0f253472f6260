"""What the turn track says in a turn, and what rolls have set its entries to."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.position import Position
from referee.standard.notes import ROLLED_FOR
from referee.standard.setting import the_setting
from vassalgen.game.families import EntryAmount, Roll


def number_of(position: Position, amount: EntryAmount, side: str = "") -> int:
    """Return a number that the turn track may hold: what its entry says in this turn, 0 if it says none."""
    return amount if isinstance(amount, int) else number_in(position, amount, position.turn, side)


def number_in(position: Position, amount: EntryAmount, turn: int, side: str = "") -> int:
    """Return a number that the turn track may hold, as it is in some turn."""
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
    for one in position.scenario.turns or position.game.turns:
        if one.number == turn:
            return str(one.values.get(entry) or "")
    return ""


def rolled_for(position: Position, entry: str, turn: int, side: str) -> str | None:
    """Return what a roll has set an entry to: that of the turn, or the last before it; None without one."""
    if not any(True for _ in _setting(position, entry)):
        return None
    first = position.world.calendar.first_turn
    for one in range(turn, first - 1, -1):
        for whose in dict.fromkeys((side, "")):
            if (found := position.note(ROLLED_FOR, key_of(entry, whose, one))) is not None:
                return found
    return None


def _setting(position: Position, entry: str) -> Iterator[Roll]:
    return (rule for rule in the_setting(position).rules.rolls.values() if rule.sets == entry)


def key_of(entry: str, side: str, turn: int) -> str:
    """Return what a note of a roll is about."""
    return f"{entry} {side} {turn}"
