"""The parts of an audit that are withheld during the game: those that mention hidden counters, or depend on
them.

A finding that names no unit may still reveal a face-down counter: by its modifier, by the odds, by the hex
that it closes. Therefore a finding is also withheld if it would not be made in exactly the same words without
the hidden counters.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeAlias

from attrs import evolve, field, frozen

from referee.audit import Report
from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rulings import Breach
from referee.record import Place, Record, Statement, Vocabulary
from referee.report.timeline import Timeline
from referee.report.visibility import Viewer, Visibility
from referee.scribe.reading import Reading

Computed: TypeAlias = dict[str, Any] | None


@frozen
class Withheld:
    """What is withheld from a report."""

    report: Report
    timeline: Timeline
    visibility: Visibility
    _known: dict[int, bool] = field(factory=dict, init=False)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary(self.report.world)

    def names(self, reading: Reading) -> frozenset[str]:
        """The counters that are hidden before or after the steps of a reading."""
        entries = {self.timeline.at(reading.log, step) for step in reading.steps}
        return frozenset().union(*(self.visibility.hidden(at) for at in entries))

    @property
    def hidden_at_the_end(self) -> frozenset[str]:
        """The counters that are hidden when the last log ends."""
        last = len(self.timeline.entries) - 1
        return frozenset(name for name in self.visibility.changes if self.visibility.hides(name, last))

    def hides(self, reading: Reading) -> bool:
        """Whether a reading, or a finding about it, mentions hidden counters or depends on them."""
        if not self.visibility.changes:
            return False
        if id(reading) not in self._known:
            self._known[id(reading)] = self._speaks_of_hidden(reading) or self._depends_on_hidden(reading)
        return self._known[id(reading)]

    def _speaks_of_hidden(self, reading: Reading) -> bool:
        names, action = self.names(reading), reading.statement.content
        if not names or not isinstance(action, Action):
            return False
        said = [self._vocabulary.say(action), *action.pieces]
        for position in (reading.before, reading.after):
            said += [repr(one) for one in position.battles if _is_of(action, one.number, position)]
            said += [piece.id for piece in position.at(action.target)] if action.target else []
        return self.visibility.mentions(names, "\n".join(said))

    def _depends_on_hidden(self, reading: Reading) -> bool:
        """Whether the problem with an action would not exist in exactly these words without the hidden
        counters.
        """
        names, ruling = self.names(reading), reading.ruling
        if not names or ruling is None or not ruling.breaches:
            return False
        try:
            there = map(_words, without(reading.before, names).judge(ruling.action).breaches)
        except Exception:
            return True  # as when the answer depends on something hidden
        return not set(map(_words, ruling.breaches)) <= set(there)

    def odds(self, reading: Reading, computed: Callable[[Position], Computed]) -> Computed:
        """Return the odds before an action, None if they would differ without hidden counters."""
        found = computed(reading.before)
        names = self.names(reading) if self.visibility.changes else frozenset[str]()
        if not names or found is None:
            return found
        try:
            return found if computed(without(reading.before, names)) == found else None
        except Exception:
            return None

    @property
    def record(self) -> Record:
        """The game as a record, without what is withheld."""
        whole = self.report.record
        if not self.visibility.changes:
            return whole
        readings = self.report.readings
        first = len(whole.main) - len(readings)  # before them come the rulings chosen
        pairs = zip(readings, whole.main[first:], strict=True)
        kept = [kept for reading, one in pairs if (kept := self._kept(reading, one)) is not None]
        words = "everything about hidden counters is withheld until the game is over; --reveal includes it"
        return evolve(whole, main=(Statement(comment=words), *whole.main[:first], *kept))

    def _kept(self, reading: Reading, statement: Statement) -> Statement | None:
        content = statement.content
        if isinstance(content, Place):
            hidden = self.names(reading)
            pieces = tuple(name for name in content.pieces if name not in hidden)
            return evolve(statement, content=evolve(content, pieces=pieces)) if pieces else None
        return None if self._speaks_of_hidden(reading) else statement


def without(position: Position, names: frozenset[str]) -> Position:
    """Return a position without some counters: they are removed from the table."""
    shown = (name for name in names if name in position.pieces and position.pieces[name].where)
    gone = {name: evolve(position.pieces[name], where="") for name in shown}
    return evolve(position, pieces={**position.pieces, **gone})


def _is_of(action: Action, number: int, position: Position) -> bool:
    """Whether an action may belong to a battle: it names it, or has dice or words and names none."""
    if action.battle:
        return action.battle == number
    battle = position.battle()
    return battle is not None and battle.number == number and bool(action.dice or action.words)


def _words(breach: Breach) -> tuple[object, ...]:
    return breach.clause, breach.grade, breach.says, repr(dict(breach.facts))


def timeline_of(report: Report) -> Timeline:
    """The logs of an audit as one series of entries."""
    clocks = {(one.log, one.steps[-1]): one.after.clock for one in report.readings}
    return Timeline.of(report.world.game, report.world.calendar, report.logged_facts, clocks)


def withheld_from(viewer: Viewer, report: Report) -> Withheld:
    """The parts of an audit that are withheld from a viewer."""
    timeline = timeline_of(report)
    return Withheld(report, timeline, viewer.visibility(timeline, report.position.clock))
