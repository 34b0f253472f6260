"""Findings that depend on the turn track alone, in a log whose players did not keep it.

If the track was repeatedly advanced late, it does not show when anything was done. Therefore an action that
would break no rule in a nearby phase, everything else being equal, is not proved illegal.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from attrs import evolve

from referee.engine.actions import NEXT, Action
from referee.engine.clock import Clock, Date
from referee.engine.position import Position
from referee.scribe import facts, meanings
from referee.scribe.choosing import gone_on
from referee.scribe.draft import Draft
from referee.scribe.fact_finder import LoggedFacts
from referee.scribe.reader import ADVANCED_LATE
from referee.scribe.reading import Reading

NOT_KEPT = "it was done in another phase; the turn track was not kept up to date in this log"
CATCHING_UP = (
    "it was done before; the turn track was only catching up with play, and nothing happened in the phase"
)
ENOUGH = 2
"""The number of other player turns in which the track must have been late for it to prove nothing."""


def doubt_the_track(draft: Draft, found: Sequence[facts.Fact], first: int, noted: int) -> None:
    """Make findings unproven that depend on the phase alone, if the track was late in other player turns.

    ``found`` are the facts of a log, ``first`` and ``noted`` its first reading and note.
    """
    calendar = draft.world.calendar
    late = {one.step for one in draft.unread[noted:] if one.text.endswith(ADVANCED_LATE)}
    turned = [one for one in found if isinstance(one, facts.Turned) and one.step in late]
    _doubt(
        draft, {calendar.date(one.clock) for one in turned}, {one.step for one in found if one.sure}, first
    )
    _doubt_what_was_passed(draft, set(_catching_up(found, late)), first)


def _catching_up(found: Sequence[facts.Fact], late: Collection[int]) -> Iterator[int]:
    """The steps that advance the track once it was late, until anything else is done."""
    catches_up = False
    for before, fact in pairwise(one for one in found if not isinstance(one, facts.Remark | facts.Mentioned)):
        catches_up = isinstance(fact, facts.Turned) and (
            fact.step in late or (catches_up and isinstance(before, facts.Turned))
        )
        if catches_up and isinstance(before, facts.Turned):
            yield fact.step


def _doubt_what_was_passed(draft: Draft, steps: Collection[int], first: int) -> None:
    """Make it unproven that something was left undone in phases in which the track only catches up."""
    for place, reading in enumerate(draft.readings[first:], first):
        content = reading.statement.content
        is_end = isinstance(content, Action) and content.verb == NEXT.name
        if is_end and reading.broken and reading.steps and {*reading.steps} <= {*steps}:
            draft.doubt(place, CATCHING_UP, only=True)


def doubt_out_of_step(draft: Draft, log: LoggedFacts, first: int) -> None:
    """Make findings unproven that depend on the phase alone, if players acted in other phases than the track
    showed, in other player turns.

    What results from battles may come late in any log, and does not count.
    """
    rulebook = draft.world.rulebook
    late = (*rulebook.consequences.values(), *rulebook.may_be_late.values())
    results = {verb for verbs in late for verb in verbs}
    dates = {date for date, action in out_of_step(draft, log, first) if action.verb not in results}
    noted = {fact.step for step in log.steps for fact in step.facts if fact.sure}
    _doubt(draft, dates, noted, first)


def out_of_step(draft: Draft, log: LoggedFacts, first: int) -> Iterator[tuple[Date, Action]]:
    """Yield the actions that were read in another phase than the track showed, each with its player turn."""
    calendar, start = draft.world.calendar, log.clock or draft.beginning
    turned = [one for step in log.steps for one in step.facts if isinstance(one, facts.Turned)]
    steps = [one.step for one in turned]
    for reading in draft.readings[first:]:
        action = reading.statement.content
        if isinstance(action, Action) and action.verb not in (NEXT.name, draft.idiom.settle):
            place = bisect_right(steps, reading.steps[-1])
            if reading.before.clock != (turned[place - 1].clock if place else start):
                yield calendar.date(reading.before.clock), action


def _doubt(draft: Draft, unkept: Collection[Date], noted_by_players: Collection[int], first: int) -> None:
    """Make findings unproven that depend on the phase alone, if the track was wrong in other player turns."""
    calendar = draft.world.calendar
    dates = {calendar.number(date) for date in unkept}
    if len(dates) < ENOUGH:
        return
    for place, reading in enumerate(draft.readings[first:], first):
        now = calendar.number(calendar.date(reading.before.clock))
        is_kept = sum(abs(date - now) > 1 for date in dates) < ENOUGH
        if is_kept or any(step in noted_by_players for step in reading.steps):
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
        for here in (position, *_with_all_else_over(reading.before, action, clock)):
            attempt = draft.attempt(action, here)
            if attempt is not None and attempt.ruling.failure is None:
                left = min(left, found & {one.clause for one in attempt.ruling.breaches}, key=len)
        if action.path and len(action.pieces) == 1:  # another phase calls the drag by another verb
            drag = meanings.onward(draft, action.piece, (action.path[0], action.end))
            if any(draft.is_legal(one, position) for one in drag(position)):
                return found
    return found - left


def _with_all_else_over(before: Position, action: Action, clock: Clock) -> Iterator[Position]:
    """The position in a later phase in which of all battles only that of the action goes on."""
    if before.clock < clock:
        battle = before.battle(action.battle) if action.battle else None
        yield evolve(gone_on(before, clock), battles=(battle,) if battle is not None else ())


def _nearby(draft: Draft, now: Clock) -> Iterator[Clock]:
    """The phases less than a turn before or after one."""
    calendar = draft.world.calendar
    stops, here, first = len(calendar.stops), calendar.count(now), calendar.count(draft.beginning)
    for count in range(max(first, here - stops + 1), here + stops):
        yield Clock(*divmod(count, stops))
