"""When a battle's result must have been carried out: rules about what was left undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Generic, TypeAlias, TypeVar

from attrs import evolve, frozen

from referee.engine.actions import Action
from referee.engine.position import Battle, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach

B = TypeVar("B", bound=Battle)
Undone: TypeAlias = Callable[[Position, B], Iterable[Breach]]


@frozen
class Settling(Generic[B]):
    """How a game settles its battles: their class, the verb for settling one, the last phases.

    Its sections register rules about what a battle leaves undone. They are checked when players say that it
    is settled, and at the end of the phase; not before, because something done late is not left undone.
    """

    battles: type[B]
    done: str
    phases: tuple[str, ...]

    def rule(self, rules: Section, clause: str) -> Callable[[Undone[B]], Undone[B]]:
        """Register a rule about what a rolled battle leaves undone."""

        def register(find: Undone[B]) -> Undone[B]:
            @wraps(find)
            def at_once(position: Position, action: Action) -> Iterator[Breach]:
                this = position.battle(action.battle)
                if isinstance(this, self.battles) and this.rolled and not this.settled:
                    yield from find(position, this)

            @wraps(find)
            def at_the_end(position: Position) -> Iterator[Breach]:
                for battle in self.open(position):
                    yield from find(position, battle)

            rules.on(self.done, clause=clause)(at_once)
            rules.leaving(*self.phases, clause=clause)(at_the_end)
            return find

        return register

    def settles(self, rules: Section) -> None:
        """Register that players have finished a rolled battle."""

        @rules.does(self.done)
        def settle(position: Position, action: Action) -> Position:
            this = position.battle(action.battle)
            ends = isinstance(this, self.battles) and this.rolled
            return settled(position, this) if this is not None and ends else position

    def open(self, position: Position) -> tuple[B, ...]:
        """Return the battles whose dice have been rolled and that are not settled."""
        return tuple(
            battle
            for battle in position.battles
            if isinstance(battle, self.battles) and battle.rolled and not battle.settled
        )


def settled(position: Position, battle: Battle) -> Position:
    """Return the position with a battle settled; duties that it left are not reported again."""
    return position.with_battle(evolve(battle, settled=True))
