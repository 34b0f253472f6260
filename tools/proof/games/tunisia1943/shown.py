"""What a log shows of what was done, and what of it is legal after all by a slow literal reading."""

from __future__ import annotations

from random import Random

from attrs import frozen

from referee.engine.actions import NEXT, Action
from referee.engine.position import Position
from referee.games.tunisia1943.battle import Attack
from referee.games.tunisia1943.notes import TRAIL
from tools.oracles.comparing import Scene
from tools.oracles.games.tunisia1943.board import Board
from tools.oracles.games.tunisia1943.marching import VERBS, March, may_exploit

ANNOUNCED = ("attack", "odds", "modifier")


def finish(position: Position, action: Action, rng: Random) -> tuple[Action, ...]:
    """An attack that has no die is none, and odds are announced with the die: throw it.

    What a retreat past a friend costs is missing only when the page is turned [7.5c].
    """
    if action.verb == "retreat" and _is_past_a_friend(position, action):
        return (Action(NEXT.name),)
    if action.verb not in ANNOUNCED or not position.battles:
        return ()
    number = action.battle or position.battles[-1].number
    return (Action("roll combat", dice=(rng.randint(1, 6),), battle=number),)


def _is_past_a_friend(position: Position, action: Action) -> bool:
    """Tell whether a retreat of one hex led into a zone of control, with a friend beside where it began."""
    board, piece, attack = Board(position), position.pieces[action.piece], position.battle(action.battle)
    if not isinstance(attack, Attack) or len(action.path) != 2 or action.dragged:
        return False
    company = (*attack.defenders, *attack.ems)
    friends = [at for at in board.around(action.path[0]) if board.has_friends(at, piece.side, company)]
    exposed = board.is_controlled(piece.side, action.end) and action.end not in friends
    return bool(friends) and exposed and not board.is_impassable(action.end)


@frozen
class Still(Scene):
    """A position in which a unit has not moved yet."""

    here: Position

    @property
    def position(self) -> Position:
        """The position."""
        return self.here

    def actions(self, *verbs: str) -> list[tuple[Action, Position]]:
        """Nothing was done."""
        return []


def is_legal_after_all(position: Position, action: Action) -> bool:
    """Of a move the log shows where it begins and ends: any way that is legal will do."""
    if VERBS.get(position.phase) != action.verb or len(action.pieces) != 1:
        return False
    name = action.piece
    if position.note(TRAIL, name) is not None or position.pieces[name].side != position.side:
        return False
    scene = Still((), position)
    if action.verb == "exploit" and not may_exploit(scene, name):
        return False
    return March(scene, name).drags().get(action.end) == "legal"
