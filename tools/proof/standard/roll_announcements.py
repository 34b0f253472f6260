"""What the module of a game by data announces about a battle when its dice are rolled."""

from __future__ import annotations

from referee.engine.position import Battle, Position
from referee.standard.battle import Fight
from referee.standard.odds import calculate
from referee.standard.outcomes import result_at
from tools.proof.logs.battles import Odds
from tools.proof.logs.roll_announcements import RollAnnouncements


def odds(before: Position, after: Position, battle: Battle) -> Odds:
    """The odds, if players have corrected them, and the result of the table for what was announced."""
    rolled = after.battle(battle.number)
    assert isinstance(battle, Fight)
    assert isinstance(rolled, Fight)
    right = calculate(before, battle)
    column = right.column if battle.column is None else battle.column
    modifier = right.modifier if battle.modifier is None else battle.modifier
    faces = rolled.total - (modifier if rolled.modifier is None else rolled.modifier)
    shift = sum(one.columns for one in right.shifts)
    cell = result_at(before, rolled, column, faces + modifier)
    return Odds(right.attacking, right.defending, right.label, cell, shift, right.modifier or None)


ROLL_ANNOUNCEMENTS = RollAnnouncements(odds)
