"""What may require a change on the table, by plain facts, so that it is not unexplained."""

from __future__ import annotations

from referee.engine.position import Piece, Position
from referee.games.vitoria1813.battle import Fight
from referee.games.vitoria1813.notes import FIRED_IN_TURN
from tools.proof.games.vitoria1813.facts import ARMS, enemy, units, zone_of


def called_for(position: Position, before: Piece, after: Piece) -> bool:
    """Return whether something may require or allow a change of a counter.

    In its own movement phase a counter moves, arrives and leaves freely, and one in an enemy zone may pay a
    step to leave it. A unit may be marked before it passes a train, or before the enemy's result is carried
    out; in its own rally phase it may recover. Engineers may stop work, a charge may be given up; batteries
    are marked around the time they fire, and during the rest of that game turn.
    """
    mine = position.side == before.side and position.phase in ("leaders", "movement")
    if before.where != after.where:
        return mine and after.where not in (f"{before.side}-lost", "")
    if before.steps > after.steps:
        return mine and bool(zone_of(position, before.where, enemy(before.side)))
    changed = before.states.keys() ^ after.states.keys()
    if changed & {"working", "charging"} and not after.states.keys() - before.states.keys():
        return True
    if changed & {"fired", "working"}:
        fired = "fired" in before.states or (FIRED_IN_TURN, before.id) in position.notes
        return position.side == before.side or fired
    if "disordered" in before.states and position.side == before.side and position.phase == "rally":
        return "disordered" in changed
    if "disordered" in changed and before.counter.kind in ARMS:
        return (mine and bool(units(position, before.side, ("convoy",)))) or _fights(position)
    return False


def _fights(position: Position) -> bool:
    """Return whether a combat of this phase has been rolled for."""
    return any(isinstance(fight, Fight) and fight.rolled for fight in position.battles)
