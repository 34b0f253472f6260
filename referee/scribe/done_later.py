"""Losses and markers that appear later in a phase, treated as if they had been carried out earlier."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from referee.engine.actions import Action
from referee.scribe import facts, leaving, meanings
from referee.scribe.choosing import always, can_be_legal, choose
from referee.scribe.draft import Draft
from referee.scribe.engagements import is_taken_off
from referee.scribe.reader import loss_of_a_step, mark_of, mark_taken_off, read_steps
from referee.scribe.story import Scene, Story


def removals(draft: Draft, story: Story, later: Iterable[tuple[int, facts.Fact]]) -> Iterator[Scene]:
    """Where counters that are here, and do nothing more before that, lose steps or are removed later.

    Leaving their battle, or losing a marker, as the phase ends does not count as doing something, nor does a
    drag out and back. Aircraft and other units that fight from above are in no unit's way: their fate in
    their battle is not a casualty removed late, unless they are attacked in their hex.
    """
    grid = draft.game.map.grid
    attacked = {
        name for battle in draft.battles.settling for name in battle.defenders if name not in battle.sent
    }
    active: dict[str, int] = {}
    for place, fact in later:
        if isinstance(fact, facts.LeftBattle) or (isinstance(fact, facts.Changed) and not fact.new):
            continue
        if isinstance(fact, facts.Shifted) and story.comes_to_nothing(place):
            continue
        name = getattr(fact, "counter", "")
        if name and name not in attacked and draft.game.counters[name].kind in draft.idiom.overhead:
            continue
        reduced = isinstance(fact, facts.Stepped) and fact.new < fact.old
        if reduced and draft.position.pieces[name].where in grid:
            yield Scene(story, place)
        if not name or active.setdefault(name, fact.step) != fact.step or not isinstance(fact, facts.Shifted):
            continue
        if draft.position.pieces[name].where in grid and is_taken_off(draft.game, fact):
            yield Scene(story, place)


def of_no_later_battle(removed: Iterable[Scene], later: Sequence[tuple[int, facts.Fact]]) -> Iterator[Scene]:
    """Those of the later losses before which the counter has joined no other battle."""
    joined = dict[str, int]()
    for place, fact in later:
        if isinstance(fact, facts.JoinedBattle):
            joined.setdefault(fact.counter, place)
    until = max((place for place, _ in later), default=-1)
    for scene in removed:
        name = getattr(scene.fact, "counter", "")
        if scene.place <= min(until, joined.get(name, until)):
            yield scene


def forgotten_losses(draft: Draft, story: Story, since: int) -> Iterator[tuple[int, facts.Fact]]:
    """Losses after a place, in the same or the next turn, of participants of unsettled battles.

    Only if nothing was done with them before: a loss is not forgotten for longer than that.
    """
    names = {name for battle in draft.battles.settling for name in battle.participants}
    for place in range(since, len(story.facts)):
        fact = story.facts[place]
        if isinstance(fact, facts.Turned) and fact.clock.turn > draft.position.turn + 1:
            return
        name = getattr(fact, "counter", "")
        if name in names and not isinstance(fact, facts.LeftBattle):
            names.discard(name)
            if isinstance(fact, facts.Stepped) and fact.new < fact.old and not fact.sure:
                yield place, fact


def losses_of_steps(draft: Draft, story: Story, later: Iterable[tuple[int, facts.Fact]]) -> Iterator[Scene]:
    """Where counters of several steps are removed later.

    They may have lost a step before that was not marked, and continued.
    """
    for place, fact in later:
        if isinstance(fact, facts.Shifted) and is_taken_off(draft.game, fact):
            piece = draft.position.pieces[fact.counter]
            if piece.where in draft.game.map.grid and piece.steps > 1:
                yield Scene(story, place)


def reduce_early(draft: Draft, scenes: Sequence[Scene], before: Sequence[Scene]) -> None:
    """Reduce counters that are removed later, as far as that is legal; ``before`` comes first."""
    carry_out_early(draft, before)
    verb = draft.idiom.steps[False]
    for scene in scenes if verb and "NUMBER" not in draft.needs(verb) else ():
        name = getattr(scene.fact, "counter", "")
        lost = meanings.in_a_battle(draft, Action(verb, (name,)))
        if can_be_legal(draft, scene, lost):
            choose(draft, scene, lost)
            draft.marks.unmarked.add(name)


def marks(draft: Draft, story: Story, later: Iterable[tuple[int, facts.Fact]]) -> Iterator[Scene]:
    """Where counters on the map are marked with a state later."""
    grid, pieces = draft.game.map.grid, draft.position.pieces
    changes = ((place, fact) for place, fact in later if isinstance(fact, facts.Changed))
    for place, fact in changes:
        if mark_of(draft, fact) and pieces[fact.counter].where in grid:
            yield Scene(story, place)


def marks_off(draft: Draft, story: Story, later: Iterable[tuple[int, facts.Fact]]) -> Iterator[Scene]:
    """Where counters on the map lose a mark later."""
    grid, pieces = draft.game.map.grid, draft.position.pieces
    for place, fact in later:
        if not isinstance(fact, facts.Changed) or not mark_taken_off(draft, fact):
            continue
        if pieces[fact.counter].is_(fact.state) and pieces[fact.counter].where in grid:
            yield Scene(story, place)


def carry_out_early(draft: Draft, scenes: Sequence[Scene]) -> None:
    """Remove, reduce and mark counters as is done later, as far as that is already legal."""
    for scene in scenes:
        fact = scene.fact
        if isinstance(fact, facts.Shifted):
            leaving.take_off(draft, scene, fact.counter, (fact.step,))
        elif isinstance(fact, facts.Stepped) and can_be_legal(
            draft, scene, loss_of_a_step(draft, scene, fact)
        ):
            read_steps(draft, scene, fact)
        elif isinstance(fact, facts.Changed) and not fact.new:
            taken_off = always(Action(mark_taken_off(draft, fact), (fact.counter,)))
            if can_be_legal(draft, scene, taken_off):
                choose(draft, scene, taken_off)
                draft.marks.left_on.add((fact.counter, fact.state))
        elif isinstance(fact, facts.Changed):
            marked = meanings.in_a_battle(draft, Action(mark_of(draft, fact), (fact.counter,)))
            if any(draft.is_legal(one) for one in marked(draft.position)):
                choose(draft, scene, marked, tidy=True)
