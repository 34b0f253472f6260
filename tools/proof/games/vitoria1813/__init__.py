"""How the rules of Vitoria 1813 are broken, and what its module announces.

Mutators use the map, the plain facts of the table and the slow literal reading, never the rules under proof.
"""

from __future__ import annotations

from random import Random

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.games.vitoria1813.notes import MOVED_FIRST, TRAIL
from tools.oracles.games.vitoria1813.board import Board
from tools.oracles.games.vitoria1813.marching import March
from tools.proof.breaking import Breaker
from tools.proof.games.vitoria1813 import charging, fighting, moving, odds, results, retreating, upkeep
from tools.proof.games.vitoria1813.causes import called_for
from tools.proof.games.vitoria1813.known_gaps import DOUBTS, EXPLAINED, UNBROKEN
from tools.proof.games.vitoria1813.openings import OPENINGS
from tools.proof.games.vitoria1813.roll_announcements import ROLL_ANNOUNCEMENTS

__all__ = ["BREAKER", "ROLL_ANNOUNCEMENTS"]


def is_legal_after_all(position: Position, action: Action) -> bool:
    """A log shows only the start and the end of a move: it is legal if any path is.

    Except for a general who rode in the first phase.
    """
    if action.verb != "move" or len(action.pieces) != 1:
        return False
    piece, trail = position.pieces[action.piece], position.note(TRAIL, action.piece)
    if piece.side != position.side or position.phase != "movement" or piece.states:
        return False
    if (MOVED_FIRST, piece.id) in position.notes:
        return False
    if trail is not None:
        position = position.with_piece(piece.id, where=trail.start).without_note(TRAIL, piece.id)
    return action.end in March(Board.of(position), position.pieces[piece.id]).reach()


def finish(position: Position, action: Action, rng: Random) -> tuple[Action, ...]:
    """An attack or fire without a die does not count, so it is rolled. Odds are announced with the die.

    The module marks units that announce a rout or make room; a unit that loses steps after those beside it
    have gone goes as well.
    """
    if action.verb == "lose":
        return retreating.goes_as_well(position, action)
    if action.verb == "rout":
        return (Action("mark rout", action.pieces, battle=action.battle),)
    if action.verb == "displace":
        return (Action("disorder", action.pieces),)
    if action.verb in ("attack", "fire", "odds", "modifier", "support", "lead") and position.battles:
        battle = position.battle(action.battle)
        if battle is not None and not battle.rolled:
            return (Action("roll combat", dice=(rng.randint(2, 5),), battle=battle.number),)
    return ()


BREAKER = Breaker.of(
    (moving, charging, fighting, odds, results, retreating, upkeep),
    excuse=is_legal_after_all,
    finish=finish,
    openings=OPENINGS,
    unbroken=UNBROKEN,
    explained=EXPLAINED,
    doubts=DOUBTS,
    called_for=called_for,
)
