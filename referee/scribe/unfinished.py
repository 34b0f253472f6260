"""What may have been done after the end of a log, which ends within a phase or just as one ends."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from attrs import evolve

from referee.engine.actions import NEXT, Action
from referee.scribe import facts, leaving
from referee.scribe.draft import Draft
from referee.scribe.engagements import Battle, is_taken_off
from referee.scribe.reading import Reading
from referee.scribe.story import Scene, Story

AFTER_THE_END = "the result of a battle was carried out after the log ends"


def ends_before(story: Story, place: int) -> bool:
    """Return whether a log ends in the phase of a place, before the track is advanced once more."""
    return place < len(story.facts) and story.ends[place] == len(story.facts)


def not_removed(draft: Draft, story: Story, place: int, accused: Sequence[Reading]) -> list[str]:
    """Return the units that are in the way of the accused, fought in a battle, and do nothing more in the
    log.
    """
    actions = [(one, one.statement.content) for one in accused]
    moves = [(one, action) for one, action in actions if isinstance(action, Action) and action.path]
    there = {piece.id for one, action in moves for piece in one.before.at(action.end)}
    there -= {name for _, action in moves for name in action.pieces}
    fought = {name for battle in draft.battles.settling for name in battle.participants}
    later = {getattr(fact, "counter", "") for fact in story.facts[place + 1 :]}
    return sorted(there & fought - later)


def remove(draft: Draft, scene: Scene, names: Collection[str]) -> None:
    """Remove counters from the map, as far as that is legal."""
    for name in names:
        leaving.take_off(draft, scene, name, (scene.fact.step,))


def is_left_undone(draft: Draft, story: Story, place: int, reading: Reading) -> bool:
    """Return whether what was left undone in a battle may be done after the log has ended.

    In the phase in which the log ends this is possible for all battles except the one that an action
    continues; if the log ends as the track is advanced, only if other casualties in it were removed or
    reduced later than that.
    """
    action, before = reading.statement.content, reading.before
    if not isinstance(action, Action) or reading.ruling is None:
        return False
    if ends_before(story, place) and before.clock == draft.position.clock:
        alone = evolve(before, battles=tuple(one for one in before.battles if one.number == action.battle))
        is_over = action.verb == draft.idiom.settle
        return is_over or (alone.battles != before.battles != () and draft.is_legal(action, alone))
    is_ending = place == len(story.facts) and action.verb in (NEXT.name, draft.idiom.settle)
    return is_ending and any(_is_late(draft, story, battle) for battle in set(story.battles.values()))


def _is_late(draft: Draft, story: Story, battle: Battle) -> bool:
    """Whether a loss of a battle was shown after the track had been advanced."""
    late = story.facts[story.ends[battle.dice[0]] : battle.last + 1] if battle.dice else ()
    return any(
        getattr(fact, "counter", "") in battle.participants
        and (
            (isinstance(fact, facts.Stepped) and fact.new < fact.old)
            or (isinstance(fact, facts.Shifted) and is_taken_off(draft.game, fact))
        )
        for fact in late
    )
