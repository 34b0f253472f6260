"""What the module of Vitoria 1813 announces of a combat when its die is thrown."""

from __future__ import annotations

from referee.engine.position import Battle, Position
from referee.games.vitoria1813.battle import Fight, modifiers, reckon, total
from tools.proof.logs.battles import Odds
from tools.proof.logs.talk import Talk

NONE = "none"


def odds(before: Position, after: Position, battle: Battle) -> Odds:
    """The ratio, when players have adjusted it rightly, and what the table gives."""
    assert isinstance(battle, Fight)
    right, added = reckon(before, battle), total(modifiers(before, battle))
    thrown = after.battle(battle.number)
    given = thrown.given if isinstance(thrown, Fight) else ""
    shift = sum(one.columns for one in right.shifts)
    return Odds(right.attacking, right.defending, right.label, given or NONE, shift, added)


TALK = Talk(odds)
