"""The battles of a phase as values of a game's own class, with the fields that the game adds."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import wraps
from typing import Generic, Literal, TypeAlias, TypeVar

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.position import Battle, Position
from referee.engine.rules import Found, Section

B = TypeVar("B", bound=Battle)
Part: TypeAlias = Callable[[Position, B], Collection[str]]
Judging: TypeAlias = Callable[[Position, Action, B], Found]
Doing: TypeAlias = Callable[[Position, Action, B], Position]
Stage = Literal["declared", "waiting", "rolled"]
"""The stage of a battle: declared, whatever came after; waiting for its roll; rolled."""


@frozen
class Battles(Generic[B]):
    """How a game finds its battles: their class, and the names of all pieces involved in one.

    ``strangers``: losses of a piece that was in no battle still belong to the last battle.
    """

    kind: type[B]
    part: Part[B]
    strangers: bool = True

    def all(self, position: Position) -> tuple[B, ...]:
        """Return all battles of the phase."""
        return tuple(battle for battle in position.battles if isinstance(battle, self.kind))

    def of(self, position: Position, action: Action) -> B | None:
        """Return the battle to which an action belongs: the one it names, or the current one."""
        battle = position.battle(action.battle)
        return battle if isinstance(battle, self.kind) else None

    def at(self, position: Position, action: Action, stage: Stage) -> B | None:
        """Return the battle to which an action belongs, if it is at a certain stage."""
        battle = self.of(position, action)
        if battle is None or stage == "declared":
            return battle
        return battle if battle.rolled == (stage == "rolled") else None

    def on(
        self, rules: Section, *verbs: str, clause: str, stage: Stage = "declared"
    ) -> Callable[[Judging[B]], Judging[B]]:
        """Register a predicate on actions of these verbs in a battle at a stage; it receives the battle."""

        def register(find: Judging[B]) -> Judging[B]:
            @wraps(find)
            def in_battle(position: Position, action: Action) -> Found:
                battle = self.at(position, action, stage)
                return None if battle is None else find(position, action, battle)

            rules.on(*verbs, clause=clause)(in_battle)
            return find

        return register

    def does(self, rules: Section, *verbs: str, stage: Stage = "declared") -> Callable[[Doing[B]], Doing[B]]:
        """Register the effects of actions of these verbs in a battle at a stage; otherwise they have none."""

        def register(effect: Doing[B]) -> Doing[B]:
            @wraps(effect)
            def in_battle(position: Position, action: Action) -> Position:
                battle = self.at(position, action, stage)
                return position if battle is None else effect(position, action, battle)

            rules.does(*verbs)(in_battle)
            return effect

        return register

    def after(self, position: Position, action: Action) -> B | None:
        """Return the battle to which a loss, retreat or advance belongs: the last rolled battle of the piece.

        Battles that are not settled take precedence.
        """
        if action.battle:
            return self.of(position, action)
        rolled = [battle for battle in self.all(position) if battle.rolled]
        mine = [battle for battle in rolled if action.piece in self.part(position, battle)]
        found = [battle for battle in mine if not battle.settled] or mine
        if found or not self.strangers:
            return found[-1] if found else None
        return rolled[-1] if rolled else self.of(position, action)
