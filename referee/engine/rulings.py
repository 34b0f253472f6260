"""Rulings of the referee on actions: breaches, each with a clause and facts."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from attrs import evolve, field, frozen

from vassalgen.game.provenance import Provenance
from vassalgen.problems import Failure

if TYPE_CHECKING:
    from referee.engine.actions import Action

Fact: TypeAlias = "int | str | Fraction | tuple[str, ...]"
Facts: TypeAlias = "Mapping[str, Fact]"


class Grade(IntEnum):
    """How an action is judged, from best to worst. slip: bookkeeping. unproven: a breach under one reading
    only, or the proof was not logged. illegal: proved.
    """

    legal = 0
    slip = 1
    unproven = 2
    illegal = 3


@frozen
class Breach:
    """A clause that an action breaks: in words, with the facts, and the provenance of the data.

    A rule leaves ``clause`` empty if it has only one, and ``provenance`` if it is that of its section; both
    are filled in automatically.
    """

    says: str
    facts: Facts = field(factory=dict, hash=False)
    grade: Grade = Grade.illegal
    clause: str = ""
    provenance: Provenance | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """The words among its facts, such as counters and hexes, in order."""
        values = (value if isinstance(value, tuple) else (value,) for value in self.facts.values())
        return tuple(word for words in values for word in words if isinstance(word, str))


@frozen
class Ruling:
    """The ruling on an action.

    ``consulted`` are the clauses whose rules examined it, in order. ``failure``: it could not be judged,
    because a rule failed. Such a ruling has no breaches.
    """

    action: Action
    breaches: tuple[Breach, ...] = ()
    consulted: tuple[str, ...] = ()
    failure: Failure | None = None

    @property
    def grade(self) -> Grade:
        """The worst grade of its breaches."""
        return max(breach.grade for breach in self.breaches) if self.breaches else Grade.legal

    def accuses(self, name: str) -> bool:
        """Return whether one of its breaches concerns a piece."""
        return any(name in breach.facts.values() for breach in self.breaches)

    @property
    def verdict(self) -> frozenset[tuple[Grade, str]]:
        """Grades and clauses of all breaches."""
        return frozenset((breach.grade, breach.clause) for breach in self.breaches)


def doubted(breach: Breach, unless: str) -> Breach:
    """Return a breach as unproven; ``unless`` says under which circumstances there is no breach."""
    if breach.grade < Grade.illegal:
        return breach
    return evolve(breach, grade=Grade.unproven, facts={**breach.facts, "unless": unless})


def number(value: Fraction | int) -> str:
    """Write a number as wargamers do: 4, 2.5, or as a fraction if the decimals do not end."""
    value = Fraction(value)
    if value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):g}" if value * 1000 == int(value * 1000) else str(value)
