"""Which verb is meant where the rulebook has one word for several things, and the table shows which it is."""

from __future__ import annotations

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.games.tunisia1943.exploitation import may_exploit
from referee.games.tunisia1943.facts import EXPLOITATION, is_em, is_unit, on_map
from referee.games.tunisia1943.move import EXPLOIT, MOVE
from referee.games.tunisia1943.overruns import STEPS, is_overrun


def meant(position: Position, action: Action) -> Action:
    """Return an action with the verb that is meant.

    Sustained units move again in the exploitation step, and an overrun EM goes back as after combat [4.2,
    10]. In the movement step cohesion is tested only against breakthroughs [4.3]. An overrun may name the EM
    instead of the unit that drives it out: the nearest one is meant.
    """
    if action.verb == "roll cohesion" and position.phase == "movement":
        return evolve(action, verb="roll breakthrough")
    if action.verb == "overrun" and (unit := _nearest(position, action)):
        return evolve(action, pieces=(unit,))
    if len(action.pieces) != 1 or not action.path:
        return action
    piece = position.pieces[action.piece]
    if action.verb == MOVE and position.phase == EXPLOITATION and position.side == piece.side:
        return evolve(action, verb=EXPLOIT) if may_exploit(position, piece) else action
    if action.verb == "retreat" and position.phase in STEPS and is_em(piece) and is_overrun(position, piece):
        return evolve(action, verb="displace")
    return action


def _nearest(position: Position, action: Action) -> str:
    """The unit nearest to an enemy EM that is said to be overrun where it is; empty for others."""
    em = position.pieces[action.piece]
    if not is_em(em) or em.where != action.target or em.side == position.side:
        return ""
    grid = position.game.map.grid
    units = [unit for _, unit in on_map(position, position.side) if is_unit(position, unit)]
    return min(units, key=lambda unit: grid.distance(unit.where, em.where)).id if units else ""
