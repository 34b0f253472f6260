"""Counters moved on the map, onto it and off it, read as moves, arrivals, retreats, advances and losses."""

from __future__ import annotations

from itertools import pairwise, takewhile

from referee.engine.actions import NEXT, Action
from referee.engine.position import Position
from referee.engine.rulings import Grade
from referee.scribe import battles, facts
from referee.scribe.choosing import (
    Readings,
    always,
    breaks_the_end,
    can_be_legal,
    choose,
    goes_on,
    gone_on,
    is_due,
    write_all,
)
from referee.scribe.draft import Draft
from referee.scribe.engagements import Battle
from referee.scribe.entering import (
    entered_and_moved,
    entered_before_and_moved,
    enters_and_moves_later,
    is_as_good,
    may_have_entered_before_others_moved,
    may_pass_over_phases,
)
from referee.scribe.facts import NOWHERE, UNKNOWN
from referee.scribe.leaving import read_leaving, taken_off
from referee.scribe.meanings import battles_for, entries, move_action, move_verbs, onward
from referee.scribe.reading import Certainty
from referee.scribe.story import Scene

ENTERED_BEFORE = "it entered before other arrivals of its player turn had moved on from their entry hexes"
ENTERED_EARLIER = "it entered in an earlier phase and this is its move from there"
PASSING = "a counter in that hex was only passing through"
WENT_ON = "it completed its retreat after the turn track was advanced"
FLOWN = "it flew to an attack that was not declared in the module"
NOT_THE_PATH = "which is not a legal path; only its ends count"


def read_shift(draft: Draft, scene: Scene, fact: facts.Shifted) -> None:
    """Read a change of place once its move is complete.

    While a counter is on its way and others act, it is put where the table has it, and back before its whole
    move is ruled on: its places in between may have been only tries.
    """
    name = fact.counter
    if scene.place in draft.moves.ahead:
        draft.moves.ahead.discard(scene.place)
        return
    if scene.place not in scene.story.drags:
        drag = scene.story.during[scene.place]
        if drag.is_made(scene.place):
            draft.moves.hints.pop(name, None)  # what was announced in the meantime is this move
        elif not drag.plain:
            start = drag.points[0]
            draft.moves.underway.setdefault(
                name, draft.position.pieces[name].where if start == NOWHERE else start
            )
            draft.take_over(name, fact.target, fact.step)
        return
    drag = scene.story.drags[scene.place]
    start = drag.points[0] if drag.points[0] != UNKNOWN else draft.position.pieces[name].where
    if not drag.plain:
        draft.take_over(name, draft.moves.underway.pop(name, start), fact.step)
    sent = _sent_to(draft, scene, name)
    if drag.points[-1] == UNKNOWN and not sent:
        draft.remark(fact.step, f"{name} is in no hex and no box of the game")
        return
    points = tuple(point for point in (start, *drag.points[1:]) if point != UNKNOWN)
    if sent and points[-1] not in draft.game.map.boxes:
        points = (*points[:-1], sent) if points[-1] == NOWHERE else (*points, sent)
    steps = tuple(dict.fromkeys(scene.story.facts[place].step for place in drag.places))
    if len(points) > 1:
        _read_move(draft, scene, name, points, steps, direct=drag.direct)
    elif draft.idiom.back and points[0] in draft.game.map.grid and not drag.tried:
        draft.act(Action(draft.idiom.back, (name,)), scene.fact, Certainty.seen)


def _sent_to(draft: Draft, scene: Scene, name: str) -> str:
    """The box to which a declaration of the same step sends a counter, empty if none does."""
    said = draft.game.declarations
    for other in scene.story.facts[max(0, scene.place - 2) : scene.place + 3]:
        same = isinstance(other, facts.Declared) and other.counter == name and other.step == scene.fact.step
        if same and isinstance(other, facts.Declared) and other.declaration in said:
            return draft.game.map.box_of(said[other.declaration].to, draft.game.counters[name].side)
    return ""


def _read_move(
    draft: Draft, scene: Scene, name: str, points: tuple[str, ...], steps: tuple[int, ...], *, direct: bool
) -> None:
    grid = draft.game.map.grid
    start, end = points[0], points[-1]
    where = draft.position.pieces[name].where
    off = draft.is_off_the_hexes(start) or draft.is_off_the_hexes(end) or end in draft.idiom.lost
    comes_back = where in draft.idiom.lost and (draft.is_lost_in(name, start) or where in draft.idiom.out_of)
    if where not in grid and (off or comes_back):
        start = where
        points = (start, *points[1:])
    if start not in grid and draft.is_off_the_hexes(end):
        return
    if draft.is_off_the_hexes(end):
        if taken_off(draft, scene, name, end, steps):
            return
        draft.moves.aside.add(name)
    if end in grid and start in grid:
        _read_path(
            draft, scene, name, tuple(point for point in points if point in grid), steps, direct=direct
        )
    elif end in grid and name in draft.moves.aside and not _can_enter(draft, scene, name, points):
        draft.moves.aside.discard(name)
        draft.take_over(name, end, scene.fact.step)
    elif end in grid:
        _read_entry(draft, scene, name, points, steps)
    else:
        read_leaving(draft, scene, name, (start, end), steps)


def _can_enter(draft: Draft, scene: Scene, name: str, points: tuple[str, ...]) -> bool:
    return can_be_legal(draft, scene, entries(draft, name, points[-1], points[0]))


def _read_path(
    draft: Draft, scene: Scene, name: str, points: tuple[str, ...], steps: tuple[int, ...], *, direct: bool
) -> None:
    """From hex to hex.

    Drags of one hex each are the path, unless it is illegal and another is not. For any others only the two
    ends are certain; so they are if it was dragged back on its way, which may have been a correction or part
    of the path.
    """
    grid = draft.game.map.grid
    if draft.game.counters[name].kind in draft.idiom.overhead and _flies(
        draft, scene, name, points[-1], steps
    ):
        return
    walked = (
        direct
        and len(points) > 2
        and all(grid.are_neighbours(here, there) for here, there in pairwise(points))
    )
    hint = draft.moves.hints.pop(name, None)

    def readings(position: Position) -> list[Action]:
        found: dict[Action, None] = {}
        for verb in (hint[0],) if hint else move_verbs(draft, position, name, points[-1]):
            for battle in battles_for(draft, name, hint[1] if hint else None):
                if walked:
                    found[move_action(draft, name, verb, points, battle, dragged=False)] = None
                found[move_action(draft, name, verb, (points[0], points[-1]), battle, dragged=True)] = None
        return list(found)

    if not can_be_legal(draft, scene, readings):
        _read_company(draft, scene, points[-1], readings)
    first = len(draft.readings)
    due = hint is None and any(is_due(draft, one) for one in readings(draft.position))
    here = draft.position
    choose(draft, scene, readings, steps, announced=hint is not None, tidy=due)
    if hint is None and draft.cautious:
        _suspect_a_move_of_its_own(draft, name, here, first, readings)
        if _may_fly_to_an_attack(draft, scene, name, points[-1]):
            draft.doubt(first, FLOWN)
    _excuse_those_passing(draft, name, points[-1], first)
    if walked:
        _remark_on_correction(draft, scene, name, points)


def _suspect_a_move_of_its_own(
    draft: Draft, name: str, here: Position, first: int, readings: Readings
) -> None:
    """Note what a counter left undone if it did not retreat late but moved in the phase of the track."""
    track, driven = draft.track, {one.verb for one in draft.idiom.announced.values()}
    done = [read.statement.content for read in draft.readings[first:]]
    late = any(isinstance(one, Action) and one.verb in driven and one.pieces == (name,) for one in done)
    if not late or track is None or track <= here.clock or draft.position.clock != here.clock:
        return
    shown = gone_on(here, track)
    if shown.side != draft.game.counters[name].side:
        return
    if any(one.verb not in driven and draft.is_legal(one, shown) for one in readings(shown)):
        ending = draft.attempt(Action(NEXT.name, clock=track), here)
        undone = [one for one in ending.ruling.breaches if one.grade is Grade.illegal] if ending else []
        draft.suspect((one for one in undone if name in one.facts.values()), WENT_ON, first)


def _read_company(draft: Draft, scene: Scene, end: str, readings: Readings) -> None:
    """Read first the counters dragged to a hex in the same step, if another counter may enter it only then.

    A stack is dragged at once; the order in which its counters arrive is not shown.
    """
    for place, fact in scene.following():
        if fact.step != scene.fact.step:
            return
        company = isinstance(fact, facts.Shifted) and fact.target == end and place in scene.story.drags
        if company and isinstance(fact, facts.Shifted) and place not in draft.moves.ahead:
            trial, other = draft.trial(), Scene(scene.story, place)
            read_shift(trial, other, fact)
            if can_be_legal(trial, scene, readings):
                read_shift(draft, other, fact)
                draft.moves.ahead.add(place)
                return


def _excuse_those_passing(draft: Draft, name: str, end: str, first: int) -> None:
    """Leave open what was found since a reading about counters in a hex that move on from there later."""
    passing = {other for other in draft.moves.underway if draft.position.pieces[other].where == end} - {name}
    for at in range(first, len(draft.readings)) if passing else ():
        before, ruling = draft.readings[at].before, draft.readings[at].ruling
        if ruling is None or not any(one.grade is Grade.illegal for one in ruling.breaches):
            continue
        for other in passing:
            before = before.with_piece(other, where=draft.moves.underway[other])
        alone = draft.attempt(ruling.action, before)
        if alone is not None:
            known = {one.clause for one in alone.ruling.breaches}
            gone = {one.clause for one in ruling.breaches} - known
            draft.doubt(at, PASSING, only=True, clauses=gone)
    breaches = (one for each in draft.readings[first:] if each.ruling for one in each.ruling.breaches)
    values = ((one.clause, value) for one in breaches for value in one.facts.values())
    clauses = {clause for clause, value in values if isinstance(value, tuple) and passing & set(value)}
    draft.doubt(first, PASSING, clauses=clauses)


def _flies(draft: Draft, scene: Scene, name: str, end: str, steps: tuple[int, ...]) -> bool:
    """Read a move from hex to hex as a mission to a battle, if it is one or was declared as such."""
    declared = [
        other
        for other in scene.story.facts[scene.place : scene.place + 3]
        if isinstance(other, facts.Declared) and (other.counter, other.step) == (name, scene.fact.step)
    ]
    if any(other.declaration in draft.idiom.declared for other in declared):
        return True
    battle = battles.over(scene, end)
    if battle is not None and draft.is_on_a_mission(name):  # it is wherever players put it
        return True
    if battle is None or draft.is_setting_up or (battle.dice and battle.dice[0] < scene.place):
        return False
    battles.declare(draft, scene, battle)
    choose(draft, scene, always(_mission(draft, name, end, battle)), steps)
    return True


def _may_fly_to_an_attack(draft: Draft, scene: Scene, name: str, end: str) -> bool:
    """Whether a counter that fights from above is put among or next to enemies of its side, with its own
    side there too, in a phase of battles in which dice were rolled for attacks that nobody declared.

    Or just before such a phase, as the track may be advanced late, or before one in which that hex is
    attacked or attacks.
    """
    if draft.game.counters[name].kind not in draft.idiom.overhead:
        return False
    hexes = (end, *draft.game.map.grid.neighbours(end))
    sides = {piece.side for hex_ in hexes for piece in draft.position.at(hex_) if piece.id != name} - {""}
    if len(sides) < 2:
        return False
    if draft.has_battles(draft.position.phase):
        before = takewhile(
            lambda one: not isinstance(one, facts.Turned), scene.story.facts[: scene.place][::-1]
        )
        return any(map(facts.is_bare, (*before, *(one for _, one in scene.following()))))
    then, shown = scene.then, scene.turned_to
    if then is None or shown is None or not draft.has_battles(draft.world.calendar.phase(shown.clock)):
        return False
    coming = (then.fact, *(one for _, one in then.following()))
    return battles.over(then, end) is not None or any(map(facts.is_bare, coming))


def _mission(draft: Draft, name: str, end: str, battle: Battle) -> Action:
    """The action of a counter that fights from above over a hex."""
    counter = draft.game.counters[name]
    own, other = draft.idiom.overhead[counter.kind]
    verb = own if counter.side == draft.position.side else other
    slots = draft.slots(verb)
    target = end if "HEX" in slots else ""
    return Action(verb, (name,), target=target, battle=0 if target else draft.numbered(verb, battle))


def _remark_on_correction(draft: Draft, scene: Scene, name: str, points: tuple[str, ...]) -> None:
    """Report that drags hex by hex were not read as the path, because it is not legal."""
    content = draft.readings[-1].statement.content if draft.readings else None
    if isinstance(content, Action) and content.pieces == (name,) and content.dragged:
        path = "-".join(points)
        draft.remark(scene.fact.step, f"{name} was dragged {path}, {NOT_THE_PATH}")


def _read_entry(
    draft: Draft, scene: Scene, name: str, points: tuple[str, ...], steps: tuple[int, ...]
) -> None:
    """From a box to the map: where the counter is in the end, or where it may enter first and then move."""
    end = points[-1]
    kind, verbs = draft.game.counters[name].kind, draft.world.rulebook.verbs
    if kind in draft.idiom.overhead and not any(kind in verbs[verb].kinds for verb in draft.idiom.entries):
        _read_flight(draft, scene, name, end, steps)
        return
    first = next(point for point in points if point in draft.game.map.grid)
    direct = entries(draft, name, end, points[0])
    if can_be_legal(draft, scene, direct) and not breaks_the_end(draft, direct):
        choose(draft, scene, direct, steps)
    elif draft.cautious and (found := entered_and_moved(draft, scene, name, (points[0], end))):
        setting, actions = found
        if is_as_good(draft, setting.position, direct, actions[0]):
            choose(draft, scene, direct, steps)
            return
        alone = [draft.attempt(action, setting.position) for action in direct(setting.position)]
        since = len(draft.readings)
        write_all(draft, scene, setting, actions, steps)
        broken = {
            one.clause for read in draft.readings[since:] if read.ruling for one in read.ruling.breaches
        }
        unless = f"it entered at {actions[0].target} and moved on from there"
        breaches = (one for attempt in alone[:1] if attempt for one in attempt.ruling.breaches)
        draft.suspect((one for one in breaches if one.clause not in broken), unless)
    elif first == end:
        since = len(draft.readings)
        is_open = (scene.fact.sure and may_pass_over_phases(draft, scene)) or (
            scene.turned_to is not None and goes_on(draft, scene, draft.game.counters[name].side)
        )
        moved_on = draft.cautious and is_open and enters_and_moves_later(draft, scene, name, (points[0], end))
        before = draft.cautious and entered_before_and_moved(draft, name, (points[0], end))
        choose(draft, scene, direct, steps)
        _excuse_late_drag(draft, scene, since)
        if before:
            draft.doubt(since, ENTERED_EARLIER)
        elif moved_on:
            draft.doubt(since, "it entered elsewhere and moved on from there in a later phase")
    else:
        laid = [point for point in points[:-1] if point in draft.game.map.grid]
        entered = (one for one in laid if can_be_legal(draft, scene, entries(draft, name, one, points[0])))
        first, since = next(entered, first), len(draft.readings)
        before = draft.cautious and entered_before_and_moved(draft, name, (points[0], end))
        choose(draft, scene, entries(draft, name, first, points[0]), steps)
        _excuse_late_drag(draft, scene, since)
        if before:
            draft.doubt(since, ENTERED_EARLIER)
        choose(draft, scene, onward(draft, name, (first, end)), steps)


def _excuse_late_drag(draft: Draft, scene: Scene, first: int) -> None:
    """Leave open an entry that may have been made when others were still where they had entered."""
    for at in range(first, len(draft.readings)) if draft.cautious else ():
        before, ruling = draft.readings[at].before, draft.readings[at].ruling
        if (
            ruling is None
            or ruling.action.verb not in draft.idiom.entries
            or ruling.grade is not Grade.illegal
        ):
            continue
        name, end = ruling.action.piece, ruling.action.target
        points = (before.pieces[name].where, end)
        if may_have_entered_before_others_moved(draft, scene, name, points, before):
            draft.doubt(at, ENTERED_BEFORE, only=True)


def _read_flight(draft: Draft, scene: Scene, name: str, end: str, steps: tuple[int, ...]) -> None:
    """An air unit placed over a hex: on a mission, if that hex is attacked in this phase."""
    draft.take_over(name, end, scene.fact.step)
    battle = battles.over(scene, end)
    if battle is not None:
        battles.declare(draft, scene, battle)
        choose(draft, scene, always(_mission(draft, name, end, battle)), steps)
    elif draft.idiom.idle and not battles.may_be_attacked_later(scene, end):
        choose(draft, scene, always(Action(draft.idiom.idle, (name,), target=end)), steps)
