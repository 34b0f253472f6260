"""Excuses for a single reading from the surrounding facts in the log, without another reading."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from attrs import evolve

from referee.carrying_out import carry_out
from referee.engine.actions import NEXT, Action
from referee.engine.position import Position
from referee.engine.rulings import Grade
from referee.scribe import facts
from referee.scribe.draft import Draft
from referee.scribe.reading import Certainty, Reading
from referee.scribe.story import Story
from vassalgen.problems import BadInput

WRONG_BUTTON = "one of two dice was rolled with the wrong button"
LEFT_ON = "the marker should have come off before, and was left on until now"
RESTS_ON_A_DOUBT = "what it follows from is unproven itself"
SET_BACK = "the turn track was set back to the phase, which was not over"
WAS_DUE = "it was due in a battle that may have been fought before, and was done late"
SOON = 3
"""The number of changes of the track within which one that sets it back is looked for."""
AS_FAR_BACK = 300
"""The number of earlier readings among which a doubtful cause of an accusation is looked for."""


def is_of_a_wrong_button(draft: Draft, story: Story, place: int, at: int) -> bool:
    """Return whether a die that was not due may be that of a wrong button, or come after one that was.

    Such a die is next to an unexplained roll. The first combat die of a battle is due: what is wrong with it
    is wrong with the battle. Where dice of battles are rolled by any button, so may one in their phases be.
    """
    found, reading = story.facts, draft.readings[at]
    action = reading.statement.content
    if place >= len(found) or not isinstance(action, Action) or not action.dice:
        return False
    if (
        draft.left_out.commands
        and draft.has_battles(reading.before.phase)
        and action.verb not in draft.idiom.all_rolls
    ):
        return True
    made = {one.steps[-1] for one in draft.readings[:at] if _is_same_roll(one, reading)}
    if action.verb == draft.idiom.roll and action.battle and not made:
        return False
    twins = (twin for twin in range(place) if found[twin].step in made and facts.is_bare(found[twin]))
    return any(_is_beside_a_bare_die(found, one) for one in (place, *twins))


def was_left_on(draft: Draft, reading: Reading) -> bool:
    """Return whether a marker removed too late may have come off as a phase since then ended."""
    action, idiom = reading.statement.content, draft.idiom
    if not isinstance(action, Action) or len(action.pieces) != 1:
        return False
    state = next((one for one, verbs in idiom.states.items() if action.verb == verbs[1]), "")
    for earlier in reversed(draft.readings) if state else ():
        content, before = earlier.statement.content, earlier.before
        if not before.pieces[action.piece].is_(state) or before.turn < reading.before.turn - 1:
            return False
        if isinstance(content, Action) and content.verb == NEXT.name and draft.is_legal(action, before):
            return True
    return False


def is_of_a_phase_not_over(draft: Draft, story: Story, place: int, reading: Reading) -> bool:
    """Return whether a phase ended with something undone, and the track is soon set back to it."""
    action = reading.statement.content
    if not isinstance(action, Action) or action.verb not in (NEXT.name, draft.idiom.settle):
        return False
    turned = (one.clock for one in story.facts[place:] if isinstance(one, facts.Turned))
    return any(clock <= reading.before.clock for clock in islice(turned, SOON))


def was_due(draft: Draft, reading: Reading) -> bool:
    """Return whether a result is carried out late that was missing when a doubtful battle ended.

    That battle was fought in this turn or the one before; or less than a turn ago, if all that is known of it
    is a die that was rolled without a declaration.
    """
    action, rulebook, calendar = reading.statement.content, draft.world.rulebook, draft.world.calendar
    if not isinstance(action, Action):
        return False
    if draft.dice.until is not None and action.verb in rulebook.may_be_late.get(
        calendar.phase(draft.dice.until), ()
    ):
        since = calendar.count(reading.before.clock) - calendar.count(draft.dice.until)
        if 0 < since < len(calendar.stops):
            return True
    for earlier in reversed(draft.readings[-AS_FAR_BACK:]):
        end, before = earlier.statement.content, earlier.before
        if before.turn < reading.before.turn - 1:
            return False
        if not isinstance(end, Action) or end.verb not in (NEXT.name, draft.idiom.settle):
            continue
        if earlier.ruling is None or not _is_doubtful(earlier):
            continue
        if action.verb not in rulebook.may_be_late.get(before.phase, ()):
            continue
        late = draft.attempt(action, before)
        if late is None or any(one.clause in reading.broken for one in late.ruling.breaches):
            continue  # of a doubtful battle the rest may be wrong
        then = draft.attempt(end, late.after)
        if then is None or then.ruling.failure is not None:
            continue
        if len(then.ruling.breaches) < len(earlier.ruling.breaches):
            return True
    return False


def rests_on_a_doubt(draft: Draft, at: int) -> set[str]:
    """Return the clauses that a reading breaks only because of doubtful readings in the same phase.

    The phase is replayed from the first doubtful reading. Counters and battles change as they did on the
    table, but notes that the rules made because of a doubtful reading, for example that something is due, are
    left out, and so are notes made because of an ambiguous reading of the same counters. A counter with a
    doubtful mark may have been dragged as a result, too, if the mark was one, and was not marked otherwise.
    """
    reading, first = draft.readings[at], max(0, at - AS_FAR_BACK)
    action, clock = reading.statement.content, reading.before.clock
    if not isinstance(action, Action):
        return set()
    doubtful = [
        place
        for place in range(first, at)
        if draft.readings[place].before.clock == clock and _is_doubtful(draft.readings[place])
    ]
    if not doubtful:
        return set()
    here, moved = draft.readings[doubtful[0]].before, set[str]()
    # what was replayed for an earlier accusation in the phase is not replayed again
    known: list[tuple[Reading, bool, Position]] = here.memory.setdefault("forgetting", [])
    for place, one in enumerate(draft.readings[doubtful[0] : at]):
        content = one.statement.content
        pieces = {*content.pieces} if isinstance(content, Action) else set[str]()
        goes_on = one.certainty is Certainty.ambiguous and not moved.isdisjoint(pieces)
        moved |= pieces if _is_doubtful(one) else set()
        forgets = _is_doubtful(one) or goes_on
        if place == len(known) or known[place][0] is not one or known[place][1] is not forgets:
            known[place:] = [(one, forgets, _forgetting(here, one, forgets=forgets))]
        here = known[place][2]
    left = reading.broken
    for position in (here, _unmarked(draft, doubtful, action, here)):
        attempt = draft.attempt(action, position)
        if attempt is not None and not attempt.ruling.failure:
            left &= {one.clause for one in attempt.ruling.breaches}
    return reading.broken - left


def _unmarked(draft: Draft, doubtful: Sequence[int], action: Action, here: Position) -> Position:
    """The position without doubtful marks of counters that are dragged."""
    readings = [draft.readings[place] for place in doubtful] if action.path else []
    for one in reversed(readings):
        content = one.statement.content
        if isinstance(content, Action) and not content.path and content.pieces == action.pieces:
            for name in action.pieces:
                here = here.with_piece(name, states=one.before.pieces[name].states)
    return here


def _is_doubtful(reading: Reading) -> bool:
    return reading.ruling is not None and reading.ruling.grade is Grade.unproven


def _forgetting(here: Position, reading: Reading, *, forgets: bool) -> Position:
    """Return the position after a reading, without the rules' notes about it if it ``forgets`` them."""
    if not forgets:
        try:
            return carry_out(here, reading.statement)[1]
        except BadInput:
            pass
    after = reading.after
    changed = {name: one for name, one in after.pieces.items() if one is not reading.before.pieces[name]}
    for name, one in changed.items():
        here = here.with_piece(name, where=one.where, steps=one.steps, states=one.states, face=one.face)
    return evolve(here, battles=after.battles, clock=after.clock)


def _is_beside_a_bare_die(found: Sequence[facts.Fact], place: int) -> bool:
    """Whether a die is unexplained and another comes next, or it comes after an unexplained one."""
    before = next((one for one in reversed(found[:place]) if not isinstance(one, facts.Remark)), None)
    after = next((one for one in found[place + 1 :] if not isinstance(one, facts.Remark)), None)
    is_roll = isinstance(after, facts.Rolled | facts.Resolved) or bool(getattr(after, "faces", ()))
    return (facts.is_bare(found[place]) and is_roll) or (before is not None and facts.is_bare(before))


def _is_same_roll(one: Reading, other: Reading) -> bool:
    """Whether two readings are of the same roll, for the same battle if it is for one, in one turn."""
    contents = (each.statement.content for each in (one, other))
    rolls = [(each.verb, each.battle) for each in contents if isinstance(each, Action)]
    return len(rolls) == 2 and rolls[0] == rolls[1] and one.before.turn == other.before.turn
