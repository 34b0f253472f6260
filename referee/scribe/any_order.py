"""Moves that are illegal only because of the current places of other counters, or because of an end that was
not final.

Players carry results out in any order and correct retreats and advances. Therefore a move is not proved
illegal if it would be legal with the other counters where they are at the end of the player turn, or without
those that arrived later.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve, frozen

from referee.engine.actions import Action
from referee.engine.clock import Clock
from referee.engine.position import Position
from referee.scribe.draft import Draft
from referee.scribe.reading import Reading
from referee.scribe.story import Story

RIGHT_LATER = "it was corrected or finished later in the player turn"
READ_EARLIER = "actions after it count as done before it"


def doubt_the_order(draft: Draft, story: Story, first: int) -> None:
    """Make findings unproven that depend only on the places of counters at the time of reading.

    ``first`` is the first reading of the log.
    """
    ends = _Ends(draft, [(story.facts[place].step, clock) for place, clock in sorted(story.stands.items())])
    for place, reading in enumerate(draft.readings[first:], first):
        action, found = reading.statement.content, reading.broken
        if not found or not isinstance(action, Action) or not action.path:
            continue
        then = _position_before(draft.readings[place:], ends.of(reading))
        earlier = _where_they_were(draft.readings[first:place], reading)
        for unless, again, position in _otherwise(draft, reading.before, action, then, earlier):
            attempt = draft.attempt(again, position)
            if attempt is None or attempt.ruling.failure is not None:
                continue
            if gone := found - {breach.clause for breach in attempt.ruling.breaches}:
                draft.doubt(place, unless, only=True, clauses=gone)
                break


@frozen(eq=False)
class _Ends:
    """The steps at which player turns end: those at which the track stops, with what it shows."""

    draft: Draft
    stands: Sequence[tuple[int, Clock]]

    def of(self, reading: Reading) -> float:
        """The first step after the player turn that the track shows at a reading."""
        date, step = self.draft.world.calendar.date, reading.steps[-1]
        shown = [clock for at, clock in self.stands if at <= step]
        now = date(shown[-1] if shown else self.draft.beginning)
        return next((at for at, clock in self.stands if at > step and date(clock) != now), float("inf"))


def _otherwise(
    draft: Draft, before: Position, action: Action, then: Position, earlier: Mapping[str, str]
) -> Iterator[tuple[str, Action, Position]]:
    """Variants of an action: with nearby counters elsewhere, and with another end, possibly with another
    verb.

    Each comes with its circumstance.
    """
    grid = draft.game.map.grid
    near = {action.end, *grid.neighbours(action.end)} if action.end in grid else {action.end}
    here = {piece.id for hex_ in near for piece in before.at(hex_)} - set(action.pieces)
    for unless, places in (
        (RIGHT_LATER, {name: then.pieces[name].where for name in here}),
        (READ_EARLIER, {name: where for name, where in earlier.items() if name in here}),
    ):
        position = before
        for name, where in places.items():
            if where != before.pieces[name].where:
                position = position.with_piece(name, where=where)
        if position is not before:
            yield unless, action, position
    if "NUMBER" in draft.slots(action.verb) and len(action.pieces) == 1:
        where = then.pieces[action.piece].where
        if where in grid and where not in (action.end, action.path[0]):
            onward = evolve(action, path=(action.path[0], where), dragged=True)
            verbs = dict.fromkeys((action.verb, *(one.verb for one in draft.idiom.announced.values())))
            yield from ((RIGHT_LATER, evolve(onward, verb=verb), before) for verb in verbs)


def _position_before(readings: Sequence[Reading], end: float) -> Position:
    """The position after the readings up to a step, at least the first of them."""
    then = readings[0].after
    for one in readings[1:]:
        if one.steps and one.steps[-1] >= end:
            break
        then = one.after
    return then


def _where_they_were(earlier: Sequence[Reading], reading: Reading) -> Mapping[str, str]:
    """Where counters were before a step, if their moves were read before it and made after it."""
    found: dict[str, str] = {}
    for one in reversed(earlier):
        if one.before.clock != reading.before.clock:
            break
        if one.steps and one.steps[0] > reading.steps[-1]:
            pieces = (one.before.pieces[name] for name in one.before.pieces)
            found |= {was.id: was.where for was in pieces if was.where != one.after.pieces[was.id].where}
    return found
