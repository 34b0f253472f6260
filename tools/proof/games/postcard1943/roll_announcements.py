"""What the module of Postcard Tunisia announces about a battle when its die is rolled,
calculated literally.
"""

from __future__ import annotations

from referee.engine.position import Battle, Position
from referee.games.postcard1943.battle import Attack
from tools.proof.games.postcard1943.odds import sums
from tools.proof.logs.battles import Odds
from tools.proof.logs.roll_announcements import RollAnnouncements

NONE = "none"


def odds(before: Position, after: Position, battle: Battle) -> Odds:
    """The odds, if players have corrected them, and the result of the table."""
    rolled = after.battle(battle.number)
    assert isinstance(battle, Attack)
    assert isinstance(rolled, Attack)
    table, right = before.game.tables["crt"], sums(before, battle)
    label = NONE if right.is_off_the_table else right.words[0]
    column = table.columns.index(right.words[0]) if battle.column is None else battle.column
    cell = table.cells[table.rows.index(str(rolled.die))][column]
    is_none = label == NONE and battle.column is None
    return Odds(right.attack, right.defence, label, NONE if is_none else cell, right.shift)


ROLL_ANNOUNCEMENTS = RollAnnouncements(odds)
