"""What must follow an action for a log to show it, and what is legal after all if read literally."""

from __future__ import annotations

from random import Random

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.games.patton1943.battle import Fight
from referee.games.patton1943.notes import MOVED
from tools.oracles.games.patton1943.board import Board
from tools.oracles.games.patton1943.marching import March
from tools.proof.games.patton1943.facts import UNITS


def finish(position: Position, action: Action, rng: Random) -> tuple[Action, ...]:
    """An attack without a die does not count, so it is rolled. Aircraft count only if their battle is fought.

    A loss before the defence die counts only if that die is rolled.
    """
    battle = position.battle(0 if action.verb == "advance" else action.battle)
    if battle is None or not isinstance(battle, Fight):
        return ()
    roll = Action("roll defence", dice=(rng.randint(2, 11),), battle=battle.number)
    if action.verb in ("attack", "fly", "advance", "to box") and not battle.rolled:
        return (evolve(roll, verb="roll attack"),)
    late = action.verb == "lose" and battle.rolled and not battle.defence_die and not battle.early
    return (roll,) if late and battle.attack_hit else ()


def is_legal_after_all(position: Position, action: Action) -> bool:
    """A log shows only the start and the end of a move: it is legal if any path is."""
    if action.verb != "move" or len(action.pieces) != 1:
        return False
    piece = position.pieces[action.piece]
    if position.phase != "movement" or piece.side != position.side or piece.counter.kind == "air":
        return False
    trail = position.note(MOVED, piece.id)
    if trail is not None:
        position = position.with_piece(piece.id, where=trail.start)
    return action.end in March(position, piece.id).drags()


def called_for(position: Position, before: Piece, after: Piece) -> bool:
    """Return whether the rules may require or allow a change of a counter.

    In the movement phase of its side a ground piece may move freely, also if the track still shows the phase
    before. In its own player turn a piece may be replaced, because the track may be late. An aircraft may fly
    to an attack that has not been rolled for.
    """
    mine = position.side == before.side
    if before.is_("flying") is not after.is_("flying"):
        return any(isinstance(fight, Fight) and not fight.rolled for fight in position.battles)
    if before.steps < after.steps:
        return mine and _is_away(position, before, before.where)
    if before.where != after.where and after.where in position.game.map.grid:
        if before.where == f"{before.side}-dead":
            return mine and before.counter.kind in ("support", "air")
        next_side = {"axis": "allied", "allied": "", "": "axis"}[position.side]
        early = position.phase in ("supply", "end") and next_side == before.side
        moves = (mine and position.phase == "movement") or early
        return moves and before.where in position.game.map.grid and before.counter.kind != "air"
    return False


def _is_away(position: Position, piece: Piece, where: str) -> bool:
    """Return whether no enemy zone of control prevents a piece from being rebuilt [7.7e]."""
    return piece.counter.kind not in UNITS or not Board.of(position).is_controlled(piece.side, where)
