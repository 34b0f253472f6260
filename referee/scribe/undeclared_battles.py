"""What may be the result of a battle that was not declared or rolled in the module."""

from __future__ import annotations

from itertools import takewhile

from attrs import evolve

from referee.engine.actions import NEXT, Action
from referee.engine.clock import Clock
from referee.engine.idiom import MoveVerb
from referee.scribe import facts
from referee.scribe.attempts import Attempt
from referee.scribe.draft import Draft
from referee.scribe.engagements import Battle, is_taken_off
from referee.scribe.story import Scene, Story
from vassalgen.game.game import Game

WITH_ONE_DIE = 2
"""The number of attacks with only one of two dice, from which on the other may have been rolled elsewhere."""


def may_be_undeclared(draft: Draft, scene: Scene) -> bool:
    """Return whether something may be the result of a battle about which the log contains too little to be
    read.

    This is so after a die that could not be read and, as long as no battle was fought in the phase, for
    everything that happens to the side that does not attack, and to those of the other side that enter its
    former hexes; but not in a player turn of their own, except losses at its beginning, nor to units on a
    mission to a battle or with a die of their own just before, and no mark comes off in battle. It may come
    late, in the phase after that of battles. It is also so for those who fight in an attack that is declared
    and has no die in the log.
    """
    fact, calendar = scene.fact, draft.world.calendar
    has_dice = draft.cautious and not draft.left_out.all_dice
    if has_dice and isinstance(fact, facts.CounterFact) and _fights_without_a_die(draft, scene, fact):
        return may_happen(draft, fact)
    begun = [clock for clock in _begun(draft) if _has_results(draft, clock)]
    if not (begun or _has_results(draft, draft.position.clock)):
        return False
    if not isinstance(fact, facts.CounterFact):
        return False
    if acts_in_its_turn(draft, fact) and not (draft.is_doubtful and _is_loss(draft.game, fact)):
        return False
    if not may_happen(draft, fact):
        return False
    active = {draft.position.side, *(calendar.side(clock) for clock in begun)}
    passive = active != {draft.game.counters[fact.counter].side}
    marked = not isinstance(fact, facts.Shifted) or _may_be_an_advance(draft, scene, fact)
    fought = draft.battles.fought and not begun
    unfought = not (fought or draft.is_on_a_mission(fact.counter) or _has_its_own_die(draft, scene))
    return draft.is_doubtful or (unfought and (passive or marked))


def _fights_without_a_die(draft: Draft, scene: Scene, fact: facts.CounterFact) -> bool:
    """Whether a counter fights in an attack, declared before in this phase, for which no die is rolled, or
    goes where the enemies in such an attack were.
    """
    story, place = scene.story, scene.place
    into = fact.target if isinstance(fact, facts.Shifted) and _may_be_an_advance(draft, scene, fact) else ""
    return any(
        (fact.counter in one.participants or into in (one.target, *one.further))
        and (one.attackers and not one.dice)
        for at, one in story.battles.items()
        if at < place and story.ends[one.first] == scene.end and not (one.called_off or one.is_given_up)
    )


def lacks_answers(draft: Draft, story: Story) -> bool:
    """Return whether an attack has only the die with which the defenders answer, and another only one of the
    two dice as well.
    """
    battles = [one for one in {*story.battles.values()} if one.attackers and one.defenders]
    fought = [one for one in battles if not (one.called_off or one.is_given_up)]
    answered = {story.battles.get(at) for at, one in enumerate(story.facts) if is_answer(draft, one)}
    with_one = [one for one in fought if (one in answered) is not bool(one.dice)]
    return any(one in answered for one in with_one) and len(with_one) >= WITH_ONE_DIE


def has_losses(game: Game, story: Story, battle: Battle) -> bool:
    """Return whether losses follow a battle in its phase."""
    return any(
        getattr(fact, "counter", "") in battle.participants and _is_loss(game, fact)
        for fact in story.facts[battle.first : story.ends[battle.first]]
    )


def is_answer(draft: Draft, fact: facts.Fact) -> bool:
    """Return whether a fact is a die with which the defenders answer."""
    if isinstance(fact, facts.Declared):
        known = draft.game.declarations.get(fact.declaration)
        return bool(known and fact.faces and known.dice in draft.idiom.answers)
    return isinstance(fact, facts.Rolled) and fact.dice in draft.idiom.answers


def may_have_fought(draft: Draft, scene: Scene, fact: facts.Fact) -> bool:
    """Return whether a counter is next to enemies, was dragged in this phase, or goes where enemies were."""
    if not isinstance(fact, facts.CounterFact):
        return False
    pieces, grid = draft.position.pieces, draft.game.map.grid
    side, where = pieces[fact.counter].side, pieces[fact.counter].where
    near = (where, *grid.neighbours(where)) if where in grid else ()
    if not near or any(piece.side not in ("", side) for hex_ in near for piece in draft.position.at(hex_)):
        return True
    if isinstance(fact, facts.Shifted) and _may_be_an_advance(draft, scene, fact):
        return True
    before = takewhile(lambda one: not isinstance(one, facts.Turned), scene.story.facts[: scene.place][::-1])
    return any(isinstance(one, facts.Shifted) and one.counter == fact.counter for one in before)


def may_be_after_a_battle(draft: Draft, scene: Scene) -> bool:
    """Return whether a counter moves, possibly farther, from next to a hex that enemies left in
    this phase.
    """
    fact, grid = scene.fact, draft.game.map.grid
    if not isinstance(fact, facts.Shifted) or not draft.has_battles(draft.position.phase):
        return False
    start = draft.position.pieces[fact.counter].where
    side = draft.game.counters[fact.counter].side
    return start in grid and not _left_by_enemies(draft, scene, side).isdisjoint(grid.neighbours(start))


def comes_out_of_a_box(draft: Draft, fact: facts.Fact) -> bool:
    """Return whether a counter is taken from a box."""
    return isinstance(fact, facts.Shifted) and fact.origin in draft.game.map.boxes


def broken_by_it_alone(draft: Draft, attempt: Attempt) -> set[str]:
    """Return which clauses a counter breaks that another of its side, marked or reduced like it, would not
    break.

    Then no unknown battle makes it legal.
    """
    action, position = attempt.action, attempt.before
    if len(action.pieces) != 1 or action.path or action.target:
        return set()
    piece, grid = position.pieces[action.piece], position.game.map.grid
    others = (
        one
        for one in position.of_side(piece.side)
        if one.where in grid and one.counter.kind == piece.counter.kind and one.states == piece.states
    )
    attempts = (draft.attempt(evolve(action, pieces=(one.id,)), position) for one in others if one != piece)
    alike = [one for one in attempts if one is not None and one.ruling.failure is None]
    found = {one.clause for one in attempt.ruling.breaches}
    for other in alike:
        found &= found - {one.clause for one in other.ruling.breaches}
    return found if alike else set()


def _begun(draft: Draft) -> list[Clock]:
    """The phase that the track shows and the one before it, as far as the position has not reached them."""
    track, clock = draft.track, draft.position.clock
    found = list[Clock]()
    while track is not None and clock < track:
        clock = draft.world.calendar.after(clock)
        found.append(clock)
    return found[-2:]


def _has_results(draft: Draft, clock: Clock) -> bool:
    """Whether results of battles are carried out in a phase: its own, or late ones of the previous phase."""
    stops, stop = draft.world.calendar.stops, clock.stop
    now = _consequences(draft, stops[stop].phase.id)
    before = _consequences(draft, stops[stop - 1].phase.id) if now and stop else set[MoveVerb]()
    return any("NUMBER" in draft.slots(one.verb) for one in now | before)


def _consequences(draft: Draft, phase: str) -> set[MoveVerb]:
    """The movement verbs of a phase that are announced, as retreats are.

    In a game that announces none, all of them if dice of battles are rolled by their buttons alone.
    """
    verbs, announced = set(draft.idiom.move_verbs.get(phase, ())), set(draft.idiom.announced.values())
    return verbs if draft.left_out.commands and not announced else verbs & announced


def acts_in_its_turn(draft: Draft, fact: facts.Fact) -> bool:
    """Return whether something happens to a counter of the side whose player turn the track has reached."""
    return isinstance(fact, facts.CounterFact) and draft.game.counters[fact.counter].side == _turned_to(draft)


def _turned_to(draft: Draft) -> str:
    """The side whose player turn the track shows, if that is beyond the one of the position."""
    here, track, calendar = draft.position, draft.track, draft.world.calendar
    if track is None or track <= here.clock or calendar.date(track) == here.date:
        return ""
    return calendar.side(track)


def _is_loss(game: Game, fact: facts.Fact) -> bool:
    """Whether a counter loses steps, or is taken off the hexes."""
    if isinstance(fact, facts.Stepped):
        return fact.new < fact.old
    return isinstance(fact, facts.Shifted) and fact.origin in game.map.grid and is_taken_off(game, fact)


def _may_be_an_advance(draft: Draft, scene: Scene, fact: facts.Shifted) -> bool:
    """Whether a counter goes where enemies are, or were in this phase, who had to make room for it."""
    side = draft.game.counters[fact.counter].side
    if any(piece.side != side for piece in draft.position.at(fact.target)):
        return fact.target in draft.game.map.grid
    return fact.target in _left_by_enemies(draft, scene, side)


def _left_by_enemies(draft: Draft, scene: Scene, side: str) -> set[str]:
    """The hexes from which enemies of a side moved, or were removed, since the track was advanced."""
    before = reversed(scene.story.facts[: scene.place])
    phase = takewhile(lambda one: not isinstance(one, facts.Turned), before)
    gone = (one for one in phase if isinstance(one, facts.Shifted))
    return {one.origin for one in gone if draft.game.counters[one.counter].side != side}


def may_happen(draft: Draft, fact: facts.CounterFact) -> bool:
    """Return whether a battle can do this to a counter: drive it out, cost it steps, or mark it."""
    match fact:
        case facts.Shifted():
            replaced = any("NUMBER" in draft.slots(verb) for verb in draft.idiom.entries)
            return replaced or fact.origin in draft.game.map.grid
        case facts.Stepped():
            return fact.new < fact.old
        case facts.Changed():
            verb, _ = draft.idiom.states.get(fact.state, ("", ""))
            of_battles = "NUMBER" in draft.slots(verb)
            return of_battles and marks(draft, fact) and not _is_said(draft, fact.state)


def _is_said(draft: Draft, state: str) -> bool:
    """Whether counters declare a state themselves: then it is not a result of a battle."""
    said = (one for one in draft.game.declarations.values() if one.state == state)
    return any(one.about == "counter" and one.id not in draft.idiom.announced for one in said)


def _has_its_own_die(draft: Draft, scene: Scene) -> bool:
    """Whether something happens to an inactive piece for which a die was read last, for no battle.

    It was rolled in this phase, and this is its result.
    """
    here, fact = draft.position, scene.fact
    if not isinstance(fact, facts.CounterFact) or (draft.track is not None and draft.track > here.clock):
        return False
    if draft.game.counters[fact.counter].side == here.side:
        return False
    contents = (reading.statement.content for reading in reversed(draft.readings))
    for content in (one for one in contents if isinstance(one, Action)):
        if content.verb == NEXT.name:
            return False
        if fact.counter in content.pieces:
            return bool(content.dice) and "NUMBER" not in draft.slots(content.verb)
    return False


def marks(draft: Draft, fact: facts.Changed) -> bool:
    """Return whether a state is set; if it counts points left, restored points remove it."""
    return fact.new < fact.old if draft.game.states[fact.state].is_count else fact.new > 0


def skips_a_player_turn(draft: Draft, until: Clock | None) -> bool:
    """Return whether a whole player turn would be over without any action or sign of the track."""
    here, calendar = draft.position.clock, draft.world.calendar
    if until is None or (draft.track or here) > here:
        return False
    sides, clock = set[str](), calendar.after(here)
    while clock < until:
        sides.add(calendar.side(clock))
        clock = calendar.after(clock)
    return bool(sides - {calendar.side(here), calendar.side(until), ""})
