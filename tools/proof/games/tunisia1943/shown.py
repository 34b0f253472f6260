"""What a log shows of what was done, and what of it is legal after all by a slow literal reading."""

from __future__ import annotations

from random import Random

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.games.tunisia1943.trip import Trail
from tools.oracles.comparing import Scene
from tools.oracles.games.tunisia1943.marching import VERBS, March, may_exploit

ANNOUNCED = ("attack", "odds", "modifier")


def finish(position: Position, action: Action, rng: Random) -> tuple[Action, ...]:
    """An attack that has no die is none, and odds are announced with the die: throw it."""
    if action.verb not in ANNOUNCED or not position.battles:
        return ()
    number = action.battle or position.battles[-1].number
    return (Action("roll combat", dice=(rng.randint(1, 6),), battle=number),)


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
    if position.note("trail", name, Trail) is not None or position.pieces[name].side != position.side:
        return False
    scene = Still((), position)
    if action.verb == "exploit" and not may_exploit(scene, name):
        return False
    return March(scene, name).drags().get(action.end) == "legal"
