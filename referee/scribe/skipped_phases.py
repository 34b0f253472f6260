"""What stays open when the track skips phases, whatever was read in them.

There it is unknown in which phase something was done, and what else was done in that phase. Therefore only
breaches that exist in each of those phases, as if nothing had happened in it before, are accusations. There
are none while a die without a declaration may have been for a battle in one of the phases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from attrs import evolve

from referee.engine.actions import NEXT, Action
from referee.engine.clock import Clock
from referee.engine.position import Position
from referee.engine.rulings import Grade
from referee.scribe import facts, meanings
from referee.scribe.attempts import is_near_enemies
from referee.scribe.choosing import gone_on
from referee.scribe.draft import BARE_DIE, Draft
from referee.scribe.engagements import is_taken_off
from referee.scribe.entering import possible_entries
from referee.scribe.reader import mark_of
from referee.scribe.reading import Reading
from referee.scribe.story import Drag, Scene

PHASE_PASSED = "players had gone on to a later phase without advancing the turn track"
BEFORE_THE_LOG = "what was due in phases over which the track passed was done before the log begins"
GONE_ON = "with its next drag, after the turn track was advanced, it first did what was due"


def left_open(draft: Draft, scene: Scene, since: int, phases: Sequence[Clock], reading: Reading) -> str:
    """Return the circumstance that would make an accused reading legal, empty if it is illegal in any case.

    ``since`` is the place from which on the track skipped phases, ``phases`` are these.
    """
    action = reading.statement.content
    if not isinstance(action, Action):
        return ""
    story = scene.story
    end = story.ends[min(scene.place, len(story.facts) - 1)]
    if any(_is_for_any_battle(draft, fact) for fact in story.facts[since:end]):
        return BARE_DIE
    if action.verb in (NEXT.name, draft.idiom.settle):
        is_first = scene.place <= min(story.stands, default=scene.place)
        if action.verb == NEXT.name and draft.begun is not None and is_first:
            return BEFORE_THE_LOG
        passed = reading.before.clock == draft.beginning or _marked_meanwhile(draft, scene, reading, phases)
        return PHASE_PASSED if passed else ""
    drag, moved = story.drags.get(scene.place), _as_a_move(draft, reading.before, action)
    dated, unless = draft.by_the_track(reading.before)
    for before in (reading.before, dated) if unless else (reading.before,):
        if any(_is_legal(draft, position, moved, drag) for position in _positions(before, phases)):
            return PHASE_PASSED if before is reading.before else f"{PHASE_PASSED}, and {unless}"
    skipped = {*phases} - {*story.stands.values()}
    has_battles = any(draft.has_battles(draft.world.calendar.phase(clock)) for clock in skipped)
    is_lost = bool(action.path) and draft.is_off_the_hexes(action.end)
    if (
        is_lost
        or (action.verb in draft.losses and has_battles and _are_near_enemies(reading.before, action))
        or _may_have_entered(draft, reading, phases)
        or _may_have_advanced(draft, scene, phases, reading)
    ):
        return PHASE_PASSED
    return ""


def _are_near_enemies(position: Position, action: Action) -> bool:
    """Whether all counters of an action that are on the map are near enemies."""
    pieces, grid = [position.pieces[name] for name in action.pieces], position.game.map.grid
    return all(is_near_enemies(piece, position) for piece in pieces if piece.where in grid)


def may_have_gone_on(draft: Draft, reading: Reading, fact: facts.Fact | None) -> bool:
    """Return whether the accusation, at the end of a phase, is about a retreat that the counter's next drag
    may continue.

    The retreat was too short, and the counter is dragged on after the turn track was advanced.
    """
    action, before, grid = reading.statement.content, reading.before, draft.game.map.grid
    if not isinstance(action, Action) or not isinstance(fact, facts.Shifted):
        return False
    if action.verb not in (NEXT.name, draft.idiom.settle) or draft.position.clock == before.clock:
        return False
    name, where = fact.counter, before.pieces[fact.counter].where
    if reading.ruling is None or not reading.ruling.accuses(name) or where not in grid:
        return False
    for verb in dict.fromkeys(one.verb for one in draft.idiom.announced.values()):
        for near in grid.neighbours(where):
            onward = draft.attempt(Action(verb, (name,), (where, near), dragged=True), before)
            ending = draft.attempt(action, onward.after) if onward and onward.is_legal else None
            if ending is not None and not ending.ruling.accuses(name):
                return True
    return False


def excused(draft: Draft, phases: Sequence[Clock], reading: Reading) -> set[str]:
    """Return the clauses of a move that it would not break in one of the skipped phases.

    That is a phase of its side for such moves, and one in which it breaks another of these clauses.
    """
    action = reading.statement.content
    if not isinstance(action, Action) or reading.ruling is None or not action.pieces:
        return set()
    found = reading.broken
    kinds, calendar = draft.idiom.move_verbs, draft.world.calendar
    side = draft.game.counters[action.piece].side
    fitting = [
        position
        for position in _positions(reading.before, phases)
        if calendar.side(position.clock) == side
        and any(one.verb == action.verb for one in kinds.get(calendar.phase(position.clock), ())[:1])
    ]
    broken = (found & _broken(draft, position, action) for position in fitting)
    return found - min((one for one in broken if one), key=len, default=found)


def _broken(draft: Draft, position: Position, action: Action) -> set[str]:
    """The clauses that an action breaks in a position, with the movement verb that breaks fewest."""
    actions: Sequence[Action] = (action,)
    if action.path and len(action.pieces) == 1:
        ends = (action.path[0], action.path[-1])
        position = position.with_piece(action.piece, where=ends[0])
        actions = meanings.onward(draft, action.piece, ends)(position)
    attempts = (draft.attempt(one, position) for one in actions)
    found = [
        {breach.clause for breach in one.ruling.breaches if breach.grade is Grade.illegal}
        for one in attempts
        if one is not None
    ]
    return min(found, key=len, default=set())


def _marked_meanwhile(draft: Draft, scene: Scene, reading: Reading, phases: Sequence[Clock]) -> bool:
    """Whether the only problem is that marks set since the battle were removed before the track went on.

    They may have come off, by the rules, in one of the skipped phases.
    """
    action, here = reading.statement.content, reading.before
    assert isinstance(action, Action)
    of_battle = (
        one.steps[0]
        for one in draft.readings
        if isinstance(one.statement.content, Action) and one.statement.content.battle == action.battle
    )
    first = next(of_battle, None) if action.battle else None
    if first is None:
        return False
    for fact in scene.story.facts[: scene.place]:
        if not isinstance(fact, facts.Corrected) or fact.step < first or not mark_of(draft, fact.fact):
            continue
        name, (set_, taken_off) = fact.fact.counter, draft.idiom.states[fact.fact.state]
        marks = meanings.in_a_battle(draft, Action(set_, (name,)))(here)
        made = (draft.attempt(mark, here) for mark in marks)
        marked = next((one.after for one in made if one is not None and one.is_legal), here)
        off = Action(taken_off, (name,))
        if any(draft.is_legal(off, position) for position in _positions(marked, phases)):
            here = marked
    return here is not reading.before and draft.is_legal(action, here)


def _is_for_any_battle(draft: Draft, fact: facts.Fact) -> bool:
    """Whether a die of battles was rolled without saying for which one."""
    if not isinstance(fact, facts.Rolled) or not facts.is_bare(fact):
        return False
    return draft.idiom.dice.get(fact.dice) in draft.idiom.all_rolls


def _positions(before: Position, phases: Sequence[Clock]) -> Iterator[Position]:
    """The table in each phase: as the position goes on to it, unchanged, and with earlier actions forgotten.

    In the first one, which the track showed, all earlier actions were done.
    """
    for clock in phases:
        if clock > before.clock:
            yield gone_on(before, clock)
        yield evolve(before, clock=clock)
        if clock > phases[0]:
            yield _forgetful(before, clock)


def _forgetful(before: Position, clock: Clock) -> Position:
    """The table in a phase in which nothing has been done."""
    return evolve(before, clock=clock, battles=()).without_notes(("phase", "player turn", "turn"))


def _as_a_move(draft: Draft, before: Position, action: Action) -> Action:
    """A counter that is set up in another hex than the one in which it stands may have moved there."""
    start = before.pieces[action.piece].where if len(action.pieces) == 1 else ""
    if action.verb != draft.idiom.deploy or not {start, action.target} <= {*draft.game.map.grid.names}:
        return action
    return evolve(action, path=(start, action.target))


def _is_legal(draft: Draft, position: Position, action: Action, drag: Drag | None) -> bool:
    """Whether an action breaks no rule in a position; for a path, whether each of its drags breaks none."""
    if not action.path:
        return _breaks_nothing(draft, position, action)
    for name in action.pieces:
        legs = [(action.path[0], action.path[-1])]
        if drag is not None and drag.counter == name and len(drag.points) > 1:
            points = [point for point in drag.points if point in draft.game.map.grid]
            legs = list(pairwise(points)) or legs
        for leg in legs:
            there = position.with_piece(name, where=leg[0])
            if not any(
                _breaks_nothing(draft, there, one) for one in meanings.onward(draft, name, leg)(there)
            ):
                return False
    return True


def _breaks_nothing(draft: Draft, position: Position, action: Action) -> bool:
    """Whether an action is legal in a position; among battle actions only the attack can be, without a
    battle.
    """
    attacks = (draft.idiom.attack, *draft.idiom.attacks.values())
    if "NUMBER" in draft.slots(action.verb) and action.verb not in attacks and not position.battles:
        return False
    attempt = draft.attempt(action, position)
    return attempt is not None and attempt.ruling.failure is None and attempt.grade <= Grade.slip


def _may_have_advanced(draft: Draft, scene: Scene, phases: Sequence[Clock], reading: Reading) -> bool:
    """Whether a counter moved one hex to where enemies were who are removed before the track advances.

    It may have attacked them in one of the phases, and advanced; an attack on units without strength needs no
    die.
    """
    action, calendar, grid = reading.statement.content, draft.world.calendar, draft.game.map.grid
    assert isinstance(action, Action)
    if not action.path or len(action.pieces) != 1 or not grid.are_neighbours(action.path[0], action.end):
        return False
    side = draft.game.counters[action.piece].side
    enemies = {piece.id for piece in reading.before.at(action.end) if piece.side not in ("", side)}
    taken_off = {
        fact.counter
        for _, fact in scene.following()
        if isinstance(fact, facts.Shifted) and is_taken_off(draft.game, fact)
    }
    fights = any(calendar.side(one) == side and draft.has_battles(calendar.phase(one)) for one in phases)
    return fights and bool(enemies) and enemies <= taken_off


def _may_have_entered(draft: Draft, reading: Reading, phases: Sequence[Clock]) -> bool:
    """Whether a counter may have entered in one of the phases, and moved on in that or a later one."""
    action = reading.statement.content
    assert isinstance(action, Action)
    if (
        action.verb not in (*draft.idiom.entries, draft.idiom.deploy)
        or len(action.pieces) != 1
        or not action.target
    ):
        return False
    name, nearest = action.piece, draft.game.map.grid.nearest(action.target)
    origin = reading.before.pieces[name].where
    for place, clock in enumerate(phases):
        position = _forgetful(reading.before, clock)
        for hex_, _, attempt in possible_entries(draft, name, nearest, origin, position):
            if attempt.ruling.failure:
                continue
            if hex_ == action.target or any(
                _breaks_nothing(draft, later, onward)
                for then in phases[place:]
                for later in (evolve(attempt.after, clock=then), _forgetful(attempt.after, then))
                for onward in meanings.onward(draft, name, (hex_, action.target))(later)
            ):
                return True
    return False
