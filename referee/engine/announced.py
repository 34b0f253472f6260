"""Odds as players announce them, and the clause that was misapplied if they are wrong."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Self, TypeVar

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.combat import Odds
from referee.engine.position import Battle, Position
from referee.engine.rulings import Facts, Grade, number

B = TypeVar("B", bound=Battle)
S = TypeVar("S", bound="Announced")


@frozen
class Announced:
    """The odds that the players announced: the column, and the strengths if they gave them."""

    column: str = ""
    attack: Fraction | None = None
    defence: Fraction | None = None

    @classmethod
    def of(cls, action: Action) -> Self:
        """Read it off an action, whose words are ``3:1``, ``attack 9``, ``defence 3``."""
        said = {word.partition(" ")[0]: word.partition(" ")[2] for word in action.words[1:]}
        attack, defence = (Fraction(said[name]) if name in said else None for name in ("attack", "defence"))
        return cls(action.words[0], attack, defence)

    def fits(self, odds: Odds) -> bool:
        """Return whether these odds were announced."""
        return self.column == odds.label and self.sums_fit(odds)

    def sums_fit(self, odds: Odds) -> bool:
        """Return whether the announced strengths are those of the odds."""
        return self.attack in (None, odds.attacking) and self.defence in (None, odds.defending)


def facts_of(action: Action, right: Odds) -> Facts:
    """Return the facts of a finding about announced odds: what was announced, and the correct odds."""
    return {
        "announced": " ".join(action.words),
        "column": right.label,
        "attack": number(right.attacking),
        "defence": number(right.defending),
        "odds": right.lines(),
    }


@frozen
class Explanation:
    """Why an announcement is wrong: the misapplied clause, and the correct odds."""

    clause: str
    right: str
    grade: Grade = Grade.slip


def explained(
    position: Position, battle: B, said: S, find: Callable[[Position, B, S], Explanation | None]
) -> Explanation | None:
    """Return the explanation of a wrong announcement of a battle, None if it is right; cached for each
    position.
    """
    key = ("explained", battle, said)
    if key not in position.memory:
        position.memory[key] = find(position, battle, said)
    found: Explanation | None = position.memory[key]
    return found
