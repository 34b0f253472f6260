"""What excuses a single reading by what stands beside it in the log, without another reading."""

from __future__ import annotations

from collections.abc import Sequence

from referee.engine.actions import NEXT, Action
from referee.scribe import facts
from referee.scribe.draft import Draft
from referee.scribe.reading import Reading
from referee.scribe.story import Story

WRONG_BUTTON = "one of two dice was rolled with the wrong button"
LEFT_ON = "the marker should have come off before, and was left on until now"


def is_of_a_wrong_button(draft: Draft, story: Story, place: int, at: int) -> bool:
    """Return whether a die that was not due may be that of a wrong button, or come after one that was.

    Such a die stands beside one rolled without a word of what for. The first combat die of a battle is due:
    what is wrong with it is wrong with the battle.
    """
    found, reading = story.facts, draft.readings[at]
    action = reading.statement.content
    if place >= len(found) or not isinstance(action, Action) or not action.dice:
        return False
    made = {one.steps[-1] for one in draft.readings[:at] if _is_same_roll(one, reading)}
    if action.verb == draft.idiom.roll and action.battle and not made:
        return False
    twins = (twin for twin in range(place) if found[twin].step in made and facts.is_bare(found[twin]))
    return any(_is_beside_a_bare_die(found, one) for one in (place, *twins))


def was_left_on(draft: Draft, reading: Reading) -> bool:
    """Return whether a marker taken off too late might have come off as a phase since then ended."""
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


def _is_beside_a_bare_die(found: Sequence[facts.Fact], place: int) -> bool:
    """Whether a die is bare and another comes next, or it comes after a bare one."""
    before = next((one for one in reversed(found[:place]) if not isinstance(one, facts.Remark)), None)
    after = next((one for one in found[place + 1 :] if not isinstance(one, facts.Remark)), None)
    is_roll = isinstance(after, facts.Rolled | facts.Resolved) or bool(getattr(after, "faces", ()))
    return (facts.is_bare(found[place]) and is_roll) or (before is not None and facts.is_bare(before))


def _is_same_roll(one: Reading, other: Reading) -> bool:
    """Whether two readings are of the same roll, for the same battle if it is for one, in a turn."""
    contents = (each.statement.content for each in (one, other))
    rolls = [(each.verb, each.battle) for each in contents if isinstance(each, Action)]
    return len(rolls) == 2 and rolls[0] == rolls[1] and one.before.turn == other.before.turn
