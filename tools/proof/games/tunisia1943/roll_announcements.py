"""What the module of Tunisia 1943 announces of a battle when its die is rolled, calculated literally."""

from __future__ import annotations

from referee.engine.position import Battle, Position
from referee.games.tunisia1943.battle import Attack
from tools.oracles.games.tunisia1943.board import Board
from tools.oracles.games.tunisia1943.fighting import COLUMNS
from tools.proof.games.tunisia1943.odds import Calculation
from tools.proof.logs.battles import Odds
from tools.proof.logs.roll_announcements import RollAnnouncements

NONE = "none"


def odds(before: Position, after: Position, battle: Battle) -> Odds:
    """The odds, when players have adjusted them rightly, and what the table gives."""
    rolled = after.battle(battle.number)
    assert isinstance(battle, Attack)
    assert isinstance(rolled, Attack)
    right = Calculation(Board(before), battle)
    sums = right.sums()
    column = COLUMNS.index(sums.column) if battle.column is None else battle.column
    modifier = sums.die if battle.modifier is None else battle.modifier
    cells = before.game.tables["crt"].cells
    row = min(max((rolled.die or 0) + modifier, 0), len(cells) - 1)
    return Odds(sums.attack, sums.defence, COLUMNS[column], cells[row][column], right.shift(), modifier)


ROLL_ANNOUNCEMENTS = RollAnnouncements(odds)
