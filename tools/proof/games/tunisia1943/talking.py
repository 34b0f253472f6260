"""What the module of Tunisia 1943 announces of a battle when its die is thrown."""

from __future__ import annotations

from referee.engine.position import Battle, Position
from referee.games.tunisia1943.battle import Attack
from referee.games.tunisia1943.resolution import played
from tools.proof.logs.battles import Odds
from tools.proof.logs.talk import Talk

NONE = "none"


def odds(before: Position, after: Position, battle: Battle) -> Odds:
    """The odds, when players have adjusted them rightly, and what the table gives."""
    assert isinstance(battle, Attack)
    right = played(before, battle)
    thrown = after.battle(battle.number)
    result = thrown.result if isinstance(thrown, Attack) else ""
    shift = sum(one.columns for one in right.shifts)
    return Odds(right.attacking, right.defending, right.label, result or NONE, shift, right.modifier)


TALK = Talk(odds)
