"""Findings that depend on the order in which players did things, or on an end that was not final.

Players carry results out in any order, also after they have advanced the turn track, and correct retreats
and advances. Therefore a move is not proved illegal if it would be legal with the other counters where they
are at the end of the player turn; nor is something proved to be missing that was done too soon, or soon
afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, takewhile

from attrs import evolve, frozen

from referee.engine.actions import NEXT, Action
from referee.engine.clock import Clock
from referee.engine.position import Position
from referee.engine.rulings import Grade
from referee.scribe.draft import Draft
from referee.scribe.meanings import onward
from referee.scribe.reading import Certainty, Reading
from referee.scribe.story import Scene, Story
from referee.scribe.undeclared_rolls import FIRST

RIGHT_LATER = "it was corrected or finished later in the player turn"
GUESSED = "the die was not for the attack that is assumed"
IN_TWO_PHASES = "its drags were moves in two phases between which the turn track was not advanced"
NOT_IN_TIME = "what is missing was done too soon, or soon afterwards"


def doubt_the_order(draft: Draft, story: Story, first: int) -> None:
    """Make findings unproven that depend only on the places of counters at the time of reading.

    ``first`` is the first reading of the log.
    """
    ends = _Ends(draft, [(story.facts[place].step, clock) for place, clock in sorted(story.stands.items())])
    for place, reading in enumerate(draft.readings[first:], first):
        action, found = reading.statement.content, reading.broken
        if not found or not isinstance(action, Action):
            continue
        if action.battle >= FIRST and _is_guessed(draft.readings[first:place], action.battle):
            draft.doubt(place, GUESSED, only=True)
            continue
        if action.verb in (NEXT.name, draft.idiom.settle):
            draft.doubt(place, NOT_IN_TIME, only=True, clauses=_done_too_soon_or_late(draft, first, place))
        if not action.path:
            continue
        if found and _moved_in_two_phases(draft, story, reading):
            draft.doubt(place, IN_TWO_PHASES, only=True)
            continue
        then = _position_before(draft.readings[place:], ends.of(reading))
        for again, position in _otherwise(draft, reading.before, action, then):
            attempt = draft.attempt(again, position)
            if attempt is None or attempt.ruling.failure is not None:
                continue
            if gone := found - {breach.clause for breach in attempt.ruling.breaches}:
                draft.doubt(place, RIGHT_LATER, only=True, clauses=gone)
                break


def _is_guessed(earlier: Sequence[Reading], battle: int) -> bool:
    """Whether a die without a declaration fits no attack, and was read for this one because least speaks
    against it.
    """
    found = (one for one in earlier if getattr(one.statement.content, "battle", 0) == battle)
    return any(
        one.certainty is Certainty.ambiguous and one.ruling is not None and one.ruling.grade is Grade.unproven
        for one in found
    )


def _moved_in_two_phases(draft: Draft, story: Story, reading: Reading) -> bool:
    """Whether the drags of a move would be legal as two, made in two phases over which the track passes."""
    action, before, calendar = reading.statement.content, reading.before, draft.world.calendar
    assert isinstance(action, Action)
    if len(reading.steps) < 2 or len(action.pieces) != 1:
        return False
    drag = next(
        (
            one
            for one in story.drags.values()
            if one.counter == action.piece and [story.facts[at].step for at in one.places] == [*reading.steps]
        ),
        None,
    )
    if drag is None or drag.plain:
        return False
    first, last = drag.places[0], Scene(story, drag.places[-1]).turned_to
    clock = next((story.stands[at] for at in sorted(story.stands, reverse=True) if at <= first), draft.opened)
    if clock is None or last is None:
        return False
    phases = [clock]
    while calendar.after(phases[-1]) < last.clock:
        phases.append(calendar.after(phases[-1]))
    there = [evolve(before, clock=one) for one in phases]
    start, *between, end = drag.points
    return any(
        _can_move(draft, action.piece, (start, point), one)
        and _can_move(draft, action.piece, (point, end), later.with_piece(action.piece, where=point))
        for point in between
        for one, later in combinations(there, 2)
    )


def _can_move(draft: Draft, name: str, path: tuple[str, str], position: Position) -> bool:
    """Whether a drag is legal with any verb of the phase."""
    return any(draft.is_legal(one, position) for one in onward(draft, name, path)(position))


def _done_too_soon_or_late(draft: Draft, first: int, place: int) -> set[str]:
    """The clauses that the end of a battle or a phase would not break if what was done too soon in the phase,
    or first in the next one, moves aside, had been done in time.
    """
    reading = draft.readings[place]
    action, found, here = reading.statement.content, reading.broken, reading.before
    assert isinstance(action, Action)
    for done in _beside(draft, first, place):
        of_it = action.battle and "NUMBER" in draft.slots(done.verb)
        attempt = draft.attempt(evolve(done, battle=action.battle) if of_it else done, here)
        here = attempt.after if attempt is not None and attempt.ruling.failure is None else here
    again = draft.attempt(action, here) if here is not reading.before else None
    if again is None or again.ruling.failure is not None:
        return set()
    return found - {one.clause for one in again.ruling.breaches}


def _beside(draft: Draft, first: int, place: int) -> Iterator[Action]:
    """What was done without a proved cause earlier in a phase, and what was done first after its end.

    After a battle only what belongs to it.
    """
    reading, idiom = draft.readings[place], draft.idiom
    ending, clock = reading.statement.content, reading.before.clock
    assert isinstance(ending, Action)
    earlier = takewhile(lambda one: one.before.clock == clock, reversed(draft.readings[first:place]))
    for one in reversed([*earlier]):
        action = one.statement.content
        if one.ruling is None or one.ruling.grade is not Grade.unproven or not isinstance(action, Action):
            continue
        is_act = not action.path and action.verb not in (NEXT.name, idiom.settle)
        if is_act and action.battle in (0, ending.battle):
            yield action
    is_over = ending.verb == NEXT.name
    for one in draft.readings[place + 1 :]:
        action = one.statement.content
        if not isinstance(action, Action) or action.verb == idiom.settle:
            continue
        if action.verb == NEXT.name:
            if is_over:
                return
            is_over = True
        elif not (action.path or one.broken) and ending.battle in (0, action.battle):
            yield action


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
    draft: Draft, before: Position, action: Action, then: Position
) -> Iterator[tuple[Action, Position]]:
    """Variants of an action: with nearby counters where they are at the end of the player turn, and with
    another end, possibly with another verb.
    """
    grid = draft.game.map.grid
    near = {action.end, *grid.neighbours(action.end)} if action.end in grid else {action.end}
    position = before
    for name in {piece.id for hex_ in near for piece in before.at(hex_)} - set(action.pieces):
        if then.pieces[name].where != before.pieces[name].where:
            position = position.with_piece(name, where=then.pieces[name].where)
    if position is not before:
        yield action, position
    if "NUMBER" in draft.slots(action.verb) and len(action.pieces) == 1:
        where = then.pieces[action.piece].where
        if where in grid and where not in (action.end, action.path[0]):
            onward = evolve(action, path=(action.path[0], where), dragged=True)
            verbs = dict.fromkeys((action.verb, *(one.verb for one in draft.idiom.announced.values())))
            yield from ((evolve(onward, verb=verb), before) for verb in verbs)


def _position_before(readings: Sequence[Reading], end: float) -> Position:
    """The position after the readings up to a step, at least the first of them."""
    then = readings[0].after
    for one in readings[1:]:
        if one.steps and one.steps[-1] >= end:
            break
        then = one.after
    return then
