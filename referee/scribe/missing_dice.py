"""Rolls that must have been made and are not in the log."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.scribe import facts
from referee.scribe.draft import Draft
from referee.scribe.engagements import Battle
from referee.scribe.reading import Reading
from referee.scribe.story import Story
from referee.scribe.undeclared_battles import has_losses

UNDICED = 2
"""How many rolls must be missing for the dice of other battles and tests to be missing too."""


def are_dice_missing(draft: Draft, first: int, battles: int) -> bool:
    """Return whether so many rolls are missing that others may be.

    ``battles`` is the number of battles with results and without a die. Units that recover without their roll
    count only beside such a battle: players may know no better, but nobody attacks without a die.
    """
    missing = battles
    if battles:
        untested = (one for one in draft.readings[first:] if one.broken and _lacks_a_test(draft, one))
        while missing < UNDICED and next(untested, None) is not None:
            missing += 1
    return missing >= UNDICED


def has_results(draft: Draft, story: Story, battle: Battle) -> bool:
    """Return whether losses follow a battle in its phase, or marks, retreats and advances of those who fight
    in no other and whom no bare die may have marked.
    """
    if has_losses(draft.game, story, battle):
        return True
    if not draft.cautious:
        return False
    happened, end = story.facts[battle.first : story.ends[battle.first]], story.ends[battle.first]
    others = [one for at, one in story.battles.items() if story.ends[at] == end and one is not battle]
    alone = battle.participants - {name for one in others for name in one.participants}
    if any(map(facts.is_bare, happened)):
        return False
    return any(
        getattr(fact, "counter", "") in alone and _may_result(draft, battle, fact) for fact in happened
    )


def _may_result(draft: Draft, battle: Battle, fact: facts.Fact) -> bool:
    """Whether a fact is a mark that comes of battles, or a defender goes to another hex."""
    if isinstance(fact, facts.Changed):
        marks = draft.idiom.states.get(fact.state, ("",))[0]
        return fact.new > fact.old and bool(marks) and "NUMBER" in draft.slots(marks)
    if not isinstance(fact, facts.Shifted) or fact.counter not in battle.defenders:
        return False
    return fact.origin in draft.game.map.grid and fact.target in draft.game.map.grid


def _lacks_a_test(draft: Draft, reading: Reading) -> bool:
    """Whether an action of a single counter breaks no rule after some roll for that counter."""
    action = reading.statement.content
    if not isinstance(action, Action) or len(action.pieces) != 1 or action.path or action.dice:
        return False
    for roll in _tests(draft, action.piece):
        tested = draft.attempt(roll, reading.before)
        if tested is not None and tested.is_legal and draft.is_legal(action, tested.after):
            return True
    return False


def _tests(draft: Draft, name: str) -> Iterator[Action]:
    """All rolls of one die for a counter."""
    for dice, verb in draft.idiom.dice.items():
        known = draft.game.dice[dice]
        if "PIECE" in draft.slots(verb) and verb not in draft.idiom.all_rolls and known.count == 1:
            yield from (Action(verb, (name,), dice=(face,)) for face in range(1, known.sides + 1))
