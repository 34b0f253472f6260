"""What must follow an action for a log to show it, and what is legal after all in a slow literal reading."""

from __future__ import annotations

from random import Random

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.games.postcard1943.notes import TRAIL
from tools.oracles.games.postcard1943.marching import March


def finish(position: Position, action: Action, rng: Random) -> tuple[Action, ...]:
    """An attack without a die does not count, so it is rolled. Odds are announced with the die."""
    if action.verb in ("attack", "odds") and position.battles:
        number = action.battle or position.battles[-1].number
        return (Action("roll combat", dice=(rng.randint(1, 6),), battle=number),)
    return ()


def called_for(position: Position, before: Piece, after: Piece) -> bool:
    """The Allies may lend units freely; Desert AF comes with the Eighth Army and may stay with it."""
    if before.id == "desert-af":
        return position.turn >= 4 and {before.where, after.where} == {"allied-alamein", "allied-air"}
    return before.side == "allied" and before.is_("lent") != after.is_("lent")


def is_legal_after_all(position: Position, action: Action) -> bool:
    """A log shows only the start and the end of a move: it is legal if any path is.

    A unit that is set up elsewhere, but within reach, may have moved before the turn track was advanced. A
    unit that retreats along more than two hexes to a hex two hexes away may have gone straight there.
    """
    if action.verb == "retreat" and len(action.path) > 3:
        return position.game.map.grid.distance(action.path[0], action.end) <= 2
    if action.verb == "deploy" and len(action.pieces) == 1:
        return action.target in March(position, action.piece).reach()
    if action.verb != "move" or len(action.pieces) != 1:
        return False
    unit = position.pieces[action.piece]
    if unit.states or position.phase != "movement" or unit.side != position.side:
        return False
    trail = position.note(TRAIL, unit.id)
    if trail is not None:
        position = position.with_piece(unit.id, where=trail.start)
    return action.end in March(position, unit.id).reach()
