"""Which verb is meant where the rulebook has one word for several things, and the table shows which it is."""

from __future__ import annotations

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.games.tunisia1943.exploitation import may_exploit
from referee.games.tunisia1943.facts import EXPLOITATION, is_em
from referee.games.tunisia1943.move import EXPLOIT, MOVE
from referee.games.tunisia1943.overruns import STEPS, is_overrun


def meant(position: Position, action: Action) -> Action:
    """Return an action with the verb that is meant.

    Sustained units move again in the exploitation step, and an overrun EM goes back as after combat [4.2,
    10]. In the movement step cohesion is tested only against breakthroughs [4.3].
    """
    if action.verb == "roll cohesion" and position.phase == "movement":
        return evolve(action, verb="roll breakthrough")
    if len(action.pieces) != 1 or not action.path:
        return action
    piece = position.pieces[action.piece]
    if action.verb == MOVE and position.phase == EXPLOITATION and position.side == piece.side:
        return evolve(action, verb=EXPLOIT) if may_exploit(position, piece) else action
    if action.verb == "retreat" and position.phase in STEPS and is_em(piece) and is_overrun(position, piece):
        return evolve(action, verb="displace")
    return action
