"""The battles of a phase as a game sees them: its own, with what they have besides."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Generic, TypeAlias, TypeVar

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.position import Battle, Position

B = TypeVar("B", bound=Battle)
Part: TypeAlias = Callable[[Position, B], Collection[str]]


@frozen
class Battles(Generic[B]):
    """How a game finds its battles: their class, and the names of all pieces that have part in one.

    ``strangers``: what befalls a piece that has part in none belongs to the last battle all the same.
    """

    kind: type[B]
    part: Part[B]
    strangers: bool = True

    def all(self, position: Position) -> tuple[B, ...]:
        """Return all battles of the phase."""
        return tuple(battle for battle in position.battles if isinstance(battle, self.kind))

    def of(self, position: Position, action: Action) -> B | None:
        """Return the battle an action is part of: the one it names, or the current one."""
        battle = position.battle(action.battle)
        return battle if isinstance(battle, self.kind) else None

    def after(self, position: Position, action: Action) -> B | None:
        """Return the battle a loss, retreat or advance belongs to: of those the piece is in, the last rolled.

        One that is not settled comes before those that are.
        """
        if action.battle:
            return self.of(position, action)
        rolled = [battle for battle in self.all(position) if battle.rolled]
        mine = [battle for battle in rolled if action.piece in self.part(position, battle)]
        found = [battle for battle in mine if not battle.settled] or mine
        if found or not self.strangers:
            return found[-1] if found else None
        return rolled[-1] if rolled else self.of(position, action)
