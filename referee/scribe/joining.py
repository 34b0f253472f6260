"""Logs that continue the previous one, or repeat parts of it, read as one.

Players begin a new log in the middle of a phase, and each of two players may keep one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from attrs import evolve, frozen

from referee.engine.clock import Clock
from referee.scribe.fact_finder import LoggedFacts, StepFacts
from referee.scribe.facts import Fact, Remark, Turned
from referee.scribe.reading import Reading, Unjudged, Unread


@frozen
class JoinedLogs:
    """Logs as one:

    ``facts`` with steps that are numbered continuously. ``first`` is the index of the first log among all.
    ``ends`` is the last step of each log, ``repeated`` the number of its own steps at the beginning that were
    in the previous ones.
    """

    facts: LoggedFacts
    first: int
    ends: tuple[int, ...]
    repeated: tuple[int, ...] = (0,)
    unread: tuple[Unread, ...] = ()

    def place(self, step: int) -> tuple[int, int]:
        """Return the log of a continuously numbered step, and the step in it."""
        part = min(bisect_left(self.ends, step), len(self.ends) - 1)
        before = self.ends[part - 1] if part else 0
        return self.first + part, step - before + self.repeated[part]

    def located(self, reading: Reading) -> Reading:
        """Return a reading with its log and its steps in it; if it spans several logs, the last one."""
        places = [self.place(step) for step in reading.steps]
        log = places[-1][0]
        steps = tuple(step for at, step in places if at == log)
        is_there = (log, steps) == (reading.log, reading.steps)
        return reading if is_there else evolve(reading, log=log, steps=steps)

    def located_note(self, unread: Unread) -> Unread:
        """Return something that is not an action with its log and its step in it."""
        log, step = self.place(unread.step)
        return evolve(unread, log=log, step=step)

    def located_failure(self, unjudged: Unjudged) -> Unjudged:
        """Return something that could not be judged with its log and its step in it."""
        log, step = self.place(unjudged.step)
        return evolve(unjudged, log=log, step=step)

    @property
    def last(self) -> int:
        """The index of the last log among all."""
        return self.first + len(self.ends) - 1

    def joined(self, log: LoggedFacts) -> JoinedLogs | None:
        """Return these logs with one more, None if it does not begin where one of them ended."""
        mine, theirs = self.facts.steps, tuple(one for one in log.steps if one.step)
        repeated = _repeated(self.facts, log, theirs)
        if repeated is None or log.silent != self.facts.silent:
            return None
        number, end = self.last + 1, self.ends[-1]
        undone = {end - repeated + one for one in _undone_later(log, repeated)}
        mine = tuple(evolve(one, facts=()) if one.step in undone else one for one in mine)
        steps = [_moved(one, end - repeated) for one in theirs[repeated:]]
        if log.clock is not None and not repeated and steps and log.clock != _shown(self.facts):
            turned = Turned(step=end + 1, clock=log.clock)
            steps[0] = evolve(steps[0], facts=(turned, *steps[0].facts))
        notes = [Unread(0, fact.text, number, fact.hidden) for fact in _remarks(log)]
        if repeated:
            notes.append(Unread(repeated, f"steps 1 to {repeated} are in {self.facts.log} as well", number))
        count = end + len(steps)
        return JoinedLogs(
            evolve(self.facts, steps=(*mine, *steps), count=count, log=log.log),
            self.first,
            (*self.ends, count),
            (*self.repeated, repeated),
            (*self.unread, *notes),
        )


def join_logs(logs: Sequence[LoggedFacts]) -> list[JoinedLogs]:
    """Return logs joined, in order, as far as each begins where a previous one ended."""
    found: list[JoinedLogs] = []
    for number, log in enumerate(logs):
        joined = found[-1].joined(log) if found else None
        if joined is None:
            found.append(JoinedLogs(log, number, (log.count,)))
        else:
            found[-1] = joined
    return found


def _repeated(facts: LoggedFacts, log: LoggedFacts, steps: Sequence[StepFacts]) -> int | None:
    """The number of steps at the beginning that are in previous logs; None if these steps do not fit
    anywhere.
    """
    mine = facts.steps
    plain, theirs = [_plain(one) for one in mine], [_plain(one) for one in steps]
    stands, shown, clock = dict(facts.opening), facts.clock, log.clock
    for place in range(len(mine) + 1):
        count = min(len(mine) - place, len(theirs))
        ends = place == len(mine)
        if (
            stands == log.opening
            and (count or ends)
            and (clock in (None, shown) or (ends and shown and clock > shown))
            and all(
                plain[place + at] == theirs[at] or at + 1 in _undone_later(log, count) for at in range(count)
            )
        ):
            return count
        if place < len(mine):
            stands.update(mine[place].after)
            shown = mine[place].clock or shown
    return None


def _undone_later(log: LoggedFacts, count: int) -> set[int]:
    """The first steps of a log, up to a number, that are undone after these."""
    return {step for step, by in log.undone.items() if step <= count < by}


def _shown(facts: LoggedFacts) -> Clock | None:
    """What the turn track shows at the end."""
    return next((one.clock for one in reversed(facts.steps) if one.clock is not None), facts.clock)


def _plain(step: StepFacts) -> tuple[Fact, ...]:
    """The facts of a step, regardless of its number; remarks may contain step numbers."""
    return tuple(evolve(fact, step=0) for fact in step.facts if not isinstance(fact, Remark))


def _moved(step: StepFacts, by: int) -> StepFacts:
    """A step with another number."""
    found = tuple(evolve(fact, step=fact.step + by) for fact in step.facts)
    return evolve(step, step=step.step + by, facts=found)


def _remarks(log: LoggedFacts) -> list[Remark]:
    """Remarks about a log as a whole."""
    return [fact for one in log.steps if not one.step for fact in one.facts if isinstance(fact, Remark)]
