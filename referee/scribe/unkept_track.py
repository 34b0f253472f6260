"""Findings that depend on the turn track alone, in a log whose players did not keep it.

If the track was repeatedly advanced late, it does not show when anything was done. Therefore an action that
would break no rule in a nearby phase, everything else being equal, is not proved illegal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve

from referee.engine.actions import NEXT, Action
from referee.engine.clock import Clock
from referee.scribe import facts, meanings
from referee.scribe.draft import Draft
from referee.scribe.reader import ADVANCED_LATE
from referee.scribe.reading import Reading

NOT_KEPT = "it was done in another phase; the turn track was not kept up to date in this log"
ENOUGH = 2
"""The number of other player turns in which the track must have been late for it to prove nothing."""


def doubt_the_track(draft: Draft, found: Sequence[facts.Fact], first: int, noted: int) -> None:
    """Make findings unproven that depend on the phase alone, if the track was late in other player turns.

    ``found`` are the facts of a log, ``first`` and ``noted`` its first reading and note.
    """
    calendar = draft.world.calendar
    late = {one.step for one in draft.unread[noted:] if one.text.endswith(ADVANCED_LATE)}
    turned = [one for one in found if isinstance(one, facts.Turned) and one.step in late]
    dates = {calendar.number(calendar.date(one.clock)) for one in turned}
    if len(dates) < ENOUGH:
        return
    noted_by_players = {one.step for one in found if one.sure}
    for place, reading in enumerate(draft.readings[first:], first):
        now = calendar.number(calendar.date(reading.before.clock))
        is_kept = sum(abs(date - now) > 1 for date in dates) < ENOUGH
        if is_kept or noted_by_players.intersection(reading.steps):
            continue
        if clauses := _of_the_phase(draft, reading):
            draft.doubt(place, NOT_KEPT, only=True, clauses=clauses)


def _of_the_phase(draft: Draft, reading: Reading) -> set[str]:
    """The clauses that an action breaks in its phase and would not break in a nearby phase."""
    action, found = reading.statement.content, reading.broken
    if not found or not isinstance(action, Action) or action.verb in (NEXT.name, draft.idiom.settle):
        return set()
    left = found
    for clock in _nearby(draft, reading.before.clock):
        position = evolve(reading.before, clock=clock)
        attempt = draft.attempt(action, position)
        if attempt is not None and attempt.ruling.failure is None:
            left = min(left, found & {one.clause for one in attempt.ruling.breaches}, key=len)
        if action.path and len(action.pieces) == 1:  # another phase calls the drag by another verb
            drag = meanings.onward(draft, action.piece, (action.path[0], action.end))
            if any(draft.is_legal(one, position) for one in drag(position)):
                return found
    return found - left


def _nearby(draft: Draft, now: Clock) -> Iterator[Clock]:
    """The phases less than a turn before or after one."""
    calendar = draft.world.calendar
    stops, here, first = len(calendar.stops), calendar.count(now), calendar.count(draft.beginning)
    for count in range(max(first, here - stops + 1), here + stops):
        yield Clock(*divmod(count, stops))
