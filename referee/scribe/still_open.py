"""What is still open while a log is read: battles, marks, moves, and dice that nobody declared."""

from __future__ import annotations

from attrs import define, evolve, field, frozen

from referee.engine.actions import Action
from referee.engine.clock import Clock, Date
from referee.engine.idiom import MoveVerb
from referee.engine.rulings import Breach
from referee.scribe.engagements import Battle
from referee.scribe.facts import Fact


@define(eq=False)
class OpenBattles:
    """The battles of a phase.

    ``declared`` are the battles written down, ``undiced`` those with results and without a die, ``cancelled``
    the cancelled ones, ``said`` the declarations in them, ``settling`` those whose results are being carried
    out, ``overdue`` the fact since which something is left undone in some of them. ``worded``: the numbers of
    those of this phase before whose die players named, only in their own words, what changes the odds.
    ``fought``: a battle was fought in this phase.
    """

    declared: set[Battle] = field(factory=set)
    undiced: set[Battle] = field(factory=set)
    cancelled: set[Battle] = field(factory=set)
    said: set[tuple[Battle | None, str]] = field(factory=set)
    settling: list[Battle] = field(factory=list)
    overdue: dict[Battle, Fact] = field(factory=dict)
    worded: set[int] = field(factory=set)
    fought: bool = False

    def copy(self) -> OpenBattles:
        """Return an independent copy."""
        return evolve(
            self,
            declared=set(self.declared),
            undiced=set(self.undiced),
            cancelled=set(self.cancelled),
            said=set(self.said),
            settling=list(self.settling),
            overdue=dict(self.overdue),
            worded=set(self.worded),
        )

    def forget(self) -> None:
        """Forget the battles of a log that is not continued: the outcome is not shown."""
        for known in (self.declared, self.cancelled, self.said, self.settling, self.overdue, self.worded):
            known.clear()


@frozen
class MarkerByHand:
    """What a marker placed by hand means: a state of some counters, or something about its ``place``."""

    state: str
    counters: tuple[str, ...]
    place: str = ""


@define(eq=False)
class OpenMarks:
    """Marks that the table and the rules may show differently.

    ``laid`` are the meanings of markers placed by hand. ``coming_off`` are removed marks that the rules still
    regard as present, because their phase is not over: the position has them until it goes on; None unless
    such marks are expected. ``left_on`` are marks that have ended by the rules but are still on the table, by
    counter and state; ``unmarked`` are counters that have lost a step by the rules and never show it.
    ``early``: for marks, by the place of their reading, what they break in the phase that the track showed,
    but not in a later one. ``dates``: the earlier player turn that the track showed when a dated state was
    set, by counter and state.
    """

    laid: dict[str, MarkerByHand] = field(factory=dict)
    coming_off: dict[tuple[str, str], Action] | None = None
    left_on: set[tuple[str, str]] = field(factory=set)
    unmarked: set[str] = field(factory=set)
    early: dict[int, tuple[Breach, ...]] = field(factory=dict)
    dates: dict[tuple[str, str], Date] = field(factory=dict)

    def copy(self) -> OpenMarks:
        """Return an independent copy."""
        return evolve(
            self,
            laid=dict(self.laid),
            coming_off=None if self.coming_off is None else dict(self.coming_off),
            left_on=set(self.left_on),
            unmarked=set(self.unmarked),
            early=dict(self.early),
            dates=dict(self.dates),
        )


@define(eq=False)
class OpenMoves:
    """Moves of counters that are not over.

    ``underway`` are counters between two drags of one move, with their starting places. ``hints`` are what
    counters announced about their next move, and for which battle; ``spoke`` is the counter that last made
    each declaration. ``aside`` are counters that were taken off the hexes without a reason and may come back.
    ``ahead`` are places of moves that were read before those of others in the same step, and of dice that
    were read before their results.
    """

    underway: dict[str, str] = field(factory=dict)
    hints: dict[str, tuple[MoveVerb, Battle | None]] = field(factory=dict)
    spoke: dict[str, str] = field(factory=dict)
    aside: set[str] = field(factory=set)
    ahead: set[int] = field(factory=set)

    def copy(self) -> OpenMoves:
        """Return an independent copy."""
        return OpenMoves(
            dict(self.underway), dict(self.hints), dict(self.spoke), set(self.aside), set(self.ahead)
        )


@define(eq=False)
class UndeclaredDice:
    """Dice whose purpose is unknown.

    ``until``: until when such a die leaves open what happens; ``generic``: whether it is one that may be for
    anything; ``counters``: until when it leaves open what happened to counters in its battle. ``wrong``: the
    least that is wrong if dice that led to nothing were for attacks of this phase, and what is wrong with
    attacks of which no die is in the log.
    """

    until: Clock | None = None
    generic: bool = False
    counters: dict[str, Clock] = field(factory=dict)
    wrong: tuple[Breach, ...] = ()

    def copy(self) -> UndeclaredDice:
        """Return an independent copy."""
        return evolve(self, counters=dict(self.counters))
