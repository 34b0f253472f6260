"""What the module of Postcard Tunisia announces of a battle when its die is thrown."""

from __future__ import annotations

from referee.engine.position import Battle, Position
from referee.games.postcard1943.battle import Attack, reckon
from tools.proof.logs.battles import Odds
from tools.proof.logs.talk import Talk

NONE = "none"


def odds(before: Position, after: Position, battle: Battle) -> Odds:
    """The odds, when players have adjusted them rightly, and what the table gives."""
    assert isinstance(battle, Attack)
    right = reckon(before, battle)
    thrown = after.battle(battle.number)
    printed = thrown.printed if isinstance(thrown, Attack) else ""
    shift = sum(one.columns for one in right.shifts)
    label = NONE if right.below else right.label
    return Odds(right.attacking, right.defending, label, printed or NONE, shift)


TALK = Talk(odds)
