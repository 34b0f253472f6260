"""A turn track that players kept, but always one phase ahead of the game or behind it.

It is recognised when actions are repeatedly in another phase than the track shows, and all are in the right
phase if each phase stands for the one before it, or after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from attrs import evolve

from referee.engine.clock import Calendar, Clock, Date
from referee.engine.rulings import Breach, Grade
from referee.scribe import facts
from referee.scribe.draft import Draft
from referee.scribe.fact_finder import LoggedFacts
from referee.scribe.reading import Reading
from referee.scribe.unkept_track import doubt_out_of_step, out_of_step

SHIFTED = "the turn track was always a phase ahead or behind"
ENOUGH = 2
"""The number of player turns with actions in another phase than the track shows, from which on this is
assumed.
"""
MOST_PUT_RIGHT = 4
"""With its phases shifted, at most one in so many of these actions may still be in the wrong phase; or more,
if they are in fewer player turns and nobody is accused.
"""
EXPLAINED = 2
"""With its phases shifted, at most one in so many accusations may remain; otherwise the track may as well
not have been kept at all.
"""


def read_with_a_shifted_track(
    plain: Draft, log: LoggedFacts, first: int, read: Callable[[LoggedFacts], Draft]
) -> Draft:
    """Return the draft of a log, read with its track a phase earlier or later if that leads to fewer
    accusations.

    If both do, it is the one with fewest accusations, then the one with fewest actions out of step. If most
    accusations remain, those that depend on the phase alone are unproven with the track as shown, and this
    draft is returned if it then accuses less. ``plain`` is its draft with the track as shown, with the
    readings of this log from ``first`` on. Clauses found only in that draft are kept as unproven.
    """
    calendar = plain.world.calendar
    accused, untidy = _accused(plain, first), _out_of_step(plain, log, first)
    if not accused or len({*untidy}) < ENOUGH:
        return plain
    fitting: list[tuple[int, int, Draft]] = []
    for shift in (-1, 1):
        shifted = _shifted(log, calendar, shift)
        draft = read(shifted)
        found = _accused(draft, first)
        left = _out_of_step(draft, shifted, first)
        is_right = not found and len({*left}) < len({*untidy})
        if is_right or (len(found) < len(accused) and len(left) * MOST_PUT_RIGHT <= len(untidy)):
            fitting.append((len(found), len(left), draft))
    least, _, best = min(fitting, key=lambda one: one[:2], default=(len(accused), 0, plain))
    if least * EXPLAINED > len(accused):
        doubt_out_of_step(plain, log, first)
        if best is plain or len(_accused(plain, first)) < least:
            return plain
    _keep_as_unproven(best, accused, first)
    return best


def _shifted(log: LoggedFacts, calendar: Calendar, shift: int) -> LoggedFacts:
    """A log whose track is shifted by so many phases; phases that players have noted are kept."""
    stops, start = len(calendar.stops), log.clock or Clock(calendar.first_turn)

    def moved(fact: facts.Fact) -> facts.Fact:
        if not isinstance(fact, facts.Turned) or fact.sure:
            return fact
        clock = Clock(*divmod(calendar.count(fact.clock) + shift, stops))
        return evolve(fact, clock=clock if start <= clock and calendar.has(clock.turn) else fact.clock)

    steps = tuple(evolve(step, facts=tuple(map(moved, step.facts))) for step in log.steps)
    return evolve(log, steps=steps)


def _out_of_step(draft: Draft, log: LoggedFacts, first: int) -> list[Date]:
    """The player turn of each action that was read in another phase than the track showed."""
    return [date for date, _ in out_of_step(draft, log, first)]


def _accused(draft: Draft, first: int) -> list[tuple[Reading, Breach]]:
    return [(one, breach) for one in draft.readings[first:] for breach in _illegal(one)]


def _illegal(reading: Reading) -> Iterator[Breach]:
    for breach in reading.ruling.breaches if reading.ruling is not None else ():
        if breach.grade is Grade.illegal:
            yield breach


def _keep_as_unproven(draft: Draft, accused: Sequence[tuple[Reading, Breach]], first: int) -> None:
    """Add each clause that is broken only with the track as shown, in its first place."""
    known = {
        breach.clause
        for one in draft.readings[first:]
        if one.ruling is not None
        for breach in one.ruling.breaches
    }
    for reading, breach in accused:
        later = (
            at
            for at in range(first, len(draft.readings))
            if draft.readings[at].steps[-1] >= reading.steps[-1]
        )
        if breach.clause not in known and draft.suspect([breach], SHIFTED, next(later, first)):
            known.add(breach.clause)
