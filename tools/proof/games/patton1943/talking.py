"""What the module of Patton's First Victory announces of throws in battles."""

from __future__ import annotations

from referee.games.patton1943.battle import (
    Fight,
    attack_modifiers,
    defence_modifiers,
    fight_of,
    is_hit,
    terrain,
    total,
)
from referee.games.patton1943.flights import modified
from tools.proof.logs.declarations import Check
from tools.proof.logs.talk import Talk
from tools.proof.playing import Step


def check(step: Step) -> Check | None:
    """What is added to a die of a battle, what it makes, and whether that is a hit."""
    fight, action, position = fight_of(step.after, step.action), step.action, step.before
    if fight is None or not action.dice:
        return None
    if action.verb == "roll air":
        makes = modified(step.after, fight, action.piece)
        return Check(makes, support=makes - action.dice[0])
    before = fight_of(position, action)
    assert isinstance(before, Fight)
    if action.verb == "roll attack":
        chart = sum(part.amount for part in terrain(position, fight.target, fight.stood)[:1])
        support = total(attack_modifiers(position, before)) - chart
        thrower = position.pieces[action.piece] if action.pieces else None
        factor = thrower.factor("combat") if thrower is not None else fight.factor
        return _against(step, action.dice[0], factor, chart, support)
    if action.verb == "roll defence":
        support = fight.defence_added if before.rolled else total(defence_modifiers(position, before))
        return _against(step, action.dice[0], fight.defending, None, support)
    return None


def _against(step: Step, die: int, factor: int, chart: int | None, support: int) -> Check:
    added = (chart or 0) + support
    result = "hit" if is_hit(step.before, die, added, factor) else "miss"
    return Check(die + added, chart, support, factor, result)


TALK = Talk(check=check)
