"""What the module of Vitoria 1813 announces about a combat when its die is rolled, calculated literally."""

from __future__ import annotations

from fractions import Fraction

from referee.engine.position import Battle, Position
from referee.games.vitoria1813.battle import Fight
from tools.proof.games.vitoria1813.odds import Calculation
from tools.proof.logs.battles import Odds
from tools.proof.logs.roll_announcements import RollAnnouncements


def odds(before: Position, after: Position, battle: Battle) -> Odds:
    """The ratio, if players have corrected it, and the result of the table."""
    rolled = after.battle(battle.number)
    assert isinstance(battle, Fight)
    assert isinstance(rolled, Fight)
    right = Calculation(before, battle)
    column = right.column if battle.column is None else battle.column
    modifier = right.added if battle.modifier is None else battle.modifier
    return Odds(
        Fraction(right.attack),
        Fraction(right.defence),
        right.columns[right.column],
        right.result(column, rolled.die + modifier),
        right.shift,
        right.added,
    )


ROLL_ANNOUNCEMENTS = RollAnnouncements(odds)
