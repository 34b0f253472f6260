"""Counters shifted on the map, to it and off it, read as moves, arrivals, retreats, advances and losses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.clock import Clock
from referee.engine.idiom import MoveVerb
from referee.engine.position import Position
from referee.engine.rulings import Grade
from referee.scribe import battles, facts
from referee.scribe.choosing import (
    Readings,
    Setting,
    always,
    breaks_the_end,
    can_be_late,
    can_be_legal,
    choose,
    due_before,
    goes_on,
    leaves_less,
    settings,
    write_all,
)
from referee.scribe.draft import Draft
from referee.scribe.engagements import Battle
from referee.scribe.facts import NOWHERE, UNKNOWN
from referee.scribe.reading import Certainty
from referee.scribe.story import Scene

PASSING = "a counter in that hex was on its way through"


def read_shift(draft: Draft, scene: Scene, fact: facts.Shifted) -> None:
    """Read a shift once its move is complete.

    While a counter is on its way and others act, it is put where the table has it, and back before its
    whole move is ruled on: what it did in between was perhaps only a trial.
    """
    name = fact.counter
    if scene.place in draft.ahead:
        draft.ahead.discard(scene.place)
        return
    if scene.place in scene.story.during:
        drag = scene.story.during[scene.place]
        if not drag.plain:
            draft.underway.setdefault(name, drag.points[0])
            draft.take_over(name, fact.target, fact.step)
        return
    drag = scene.story.drags[scene.place]
    start = drag.points[0] if drag.points[0] != UNKNOWN else draft.position.pieces[name].where
    if not drag.plain:
        draft.underway.pop(name, None)
        draft.take_over(name, start, fact.step)
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
        if _taken_off(draft, scene, name, end, steps):
            return
        draft.aside.add(name)
    if end in grid and start in grid:
        _read_path(
            draft, scene, name, tuple(point for point in points if point in grid), steps, direct=direct
        )
    elif end in grid and name in draft.aside and not _can_enter(draft, scene, name, points):
        draft.aside.discard(name)
        draft.take_over(name, end, scene.fact.step)
    elif end in grid:
        _read_entry(draft, scene, name, points, steps)
    elif start in grid and (end in draft.idiom.lost or end == NOWHERE):
        loss = _losses(draft, scene, name)
        if not _was_due(draft, scene, loss, steps):
            choose(draft, scene, loss, steps)
    elif start in draft.idiom.exits and end in draft.idiom.lost:
        choose(draft, scene, always(Action(draft.idiom.eliminate, (name,))), steps)
    elif (
        start in grid
        and end in draft.idiom.exits
        and draft.position.pieces[name].where != end
        and not draft.is_setting_up
    ):
        gone, loss = always(Action(draft.exit_verb(name, end), (name,))), _losses(draft, scene, name)
        if draft.cautious and not can_be_legal(draft, scene, gone):
            _reduce_before(draft, scene, name, gone)
        if draft.cautious and _is_rather_lost(draft, scene, name, gone, loss):
            choose(draft, scene, loss, steps)
        else:
            choose(draft, scene, gone, steps)
            if not draft.is_lost_in(name, end):  # the lost are in whichever box
                draft.take_over(name, end, scene.fact.step)
    elif start in grid and _is_put_away(draft, name, end):
        _put_away(draft, scene, name, end, steps)
    elif verb := _between_boxes(draft, name, end):
        words = (end,) if "BOX" in draft.slots(verb) else ()
        choose(draft, scene, always(Action(verb, (name,), words=words)), steps)
    else:
        draft.take_over(name, end, scene.fact.step)


def _reduce_before(draft: Draft, scene: Scene, name: str, gone: Readings) -> None:
    """Read that a counter lost a step before it left the map, if that is marked later and makes it legal."""
    verb, now = draft.idiom.steps[False], draft.position
    marked = (one for _, one in scene.following_twice() if isinstance(one, facts.Stepped))
    first = next((one for one in marked if one.counter == name), None)
    if not verb or first is None or first.new >= now.pieces[name].steps or "NUMBER" in draft.needs(verb):
        return
    found = (draft.attempt(action) for action in in_a_battle(draft, Action(verb, (name,)))(now))
    for loss in found:
        if loss is not None and loss.is_legal and any(draft.is_legal(one, loss.after) for one in gone(now)):
            draft.write(loss, scene.fact, Certainty.inferred)
            return


def _is_rather_lost(draft: Draft, scene: Scene, name: str, gone: Readings, loss: Readings) -> bool:
    """Whether a counter put into a box for those who leave the map is lost: only that is legal, or due."""
    if draft.game.counters[name].kind in draft.idiom.overhead or not can_be_legal(draft, scene, loss):
        return False
    return not can_be_legal(draft, scene, gone) or leaves_less(draft, loss, gone)


def _is_put_away(draft: Draft, name: str, end: str) -> bool:
    """Whether a counter is put into a box in which it has no business."""
    if not draft.idiom.away or end not in draft.game.map.boxes or draft.position.pieces[name].where == end:
        return False
    kinds = draft.world.rulebook.verbs[draft.idiom.away].kinds
    return (not kinds or draft.game.counters[name].kind in kinds) and not draft.is_setting_up


def _between_boxes(draft: Draft, name: str, end: str) -> str:
    """The verb for a counter that goes from one box to another, empty if that is nobody's business.

    It is where the rules have it, unless it is lost or has left the map.
    """
    where, idiom = draft.position.pieces[name].where, draft.idiom
    boxes, verbs = draft.game.map.boxes, draft.world.rulebook.verbs
    if not idiom.between or where == end or not {where, end} <= boxes.keys() or draft.is_setting_up:
        return ""
    kind, leaves = draft.game.counters[name].kind, idiom.exits.get(end, idiom.eliminate)
    if end in idiom.lost:
        verb = idiom.eliminate
    elif where in idiom.lost or leaves in (idiom.eliminate, idiom.exits.get(where)):
        verb = idiom.between
    else:
        verb = leaves
    return next((one for one in (verb, idiom.between) if kind in verbs[one].kinds), "")


def _put_away(draft: Draft, scene: Scene, name: str, end: str, steps: tuple[int, ...]) -> None:
    """Read a counter put into a box as lost, if it may be; else as put away, perhaps for a moment only."""
    loss, away = _losses(draft, scene, name), Action(draft.idiom.away, (name,))
    if can_be_legal(draft, scene, loss):
        choose(draft, scene, loss, steps)
        return
    if not can_be_legal(draft, scene, always(away)):
        draft.aside.add(name)
    choose(draft, scene, always(away), steps)
    draft.take_over(name, end, scene.fact.step)


def _taken_off(draft: Draft, scene: Scene, name: str, end: str, steps: tuple[int, ...]) -> bool:
    """Read a counter dragged off the hexes as lost or gone from the map, wherever it is put.

    Return whether it was read so: in a hex that nobody may enter an illegal move ends, unless the counter may
    be taken off, or a die leaves open what happened. One that may not was perhaps put aside for a moment.
    """
    if take_off(draft, scene, name, steps):
        return True
    if end != NOWHERE and not (draft.cautious and draft.is_doubtful):
        return False
    first = len(draft.readings)
    choose(draft, scene, _losses(draft, scene, name), steps)
    draft.doubt(first, "the counter may have been put aside for a moment")
    draft.aside.add(name)
    return True


def take_off(draft: Draft, scene: Scene, name: str, steps: tuple[int, ...]) -> bool:
    """Read that a counter is lost or has gone from the map, if that can be legal; say whether it was.

    A loss may come late, after the die of another battle; one that is due in a phase before is meant.
    """
    loss = _losses(draft, scene, name)
    gone = [Action(verb, (name,)) for verb in dict.fromkeys(draft.idiom.exits.values())]

    def readings(position: Position) -> list[Action]:
        return [*loss(position), *gone]

    if _was_due(draft, scene, loss, steps):
        return True
    if not (can_be_legal(draft, scene, readings) or can_be_late(draft, scene, loss)):
        return False
    choose(draft, scene, readings, steps)
    return True


def _was_due(draft: Draft, scene: Scene, loss: Readings, steps: tuple[int, ...]) -> bool:
    """Read a loss that is due in a phase before the one that the track shows; say whether it is."""
    if due := due_before(draft, scene, loss):
        write_all(draft, scene, *due, steps)
    return due is not None


def _losses(draft: Draft, scene: Scene, name: str) -> Readings:
    """What it may mean that a counter is lost."""
    return in_a_battle(draft, Action(declared_loss(draft, scene, name) or draft.idiom.eliminate, (name,)))


def _can_enter(draft: Draft, scene: Scene, name: str, points: tuple[str, ...]) -> bool:
    return can_be_legal(draft, scene, entries(draft, name, points[-1], points[0]))


def declared_loss(draft: Draft, scene: Scene, name: str) -> str:
    """What a declaration of the same step says that the loss of a counter is, empty if none does."""
    for other in scene.story.facts[max(0, scene.place - 3) : scene.place + 4]:
        if isinstance(other, facts.Declared) and (other.counter, other.step) == (name, scene.fact.step):
            return draft.idiom.losses.get(other.declaration, "")
    return ""


def _read_path(
    draft: Draft, scene: Scene, name: str, points: tuple[str, ...], steps: tuple[int, ...], *, direct: bool
) -> None:
    """From hex to hex. Drags of one hex each are the path, unless it is illegal and another is not.

    Of any others only the two ends are sure; so they are where it was dragged back on its way, which may have
    been a correction or a part of it.
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
    hint = draft.hints.pop(name, None)

    def readings(position: Position) -> list[Action]:
        found: dict[Action, None] = {}
        for verb in (hint[0],) if hint else _verbs(draft, position, name, points[-1]):
            for battle in _battles(draft, name, hint[1] if hint else None):
                if walked:
                    found[_action(draft, name, verb, points, battle, dragged=False)] = None
                found[_action(draft, name, verb, (points[0], points[-1]), battle, dragged=True)] = None
        return list(found)

    if not can_be_legal(draft, scene, readings):
        _read_company(draft, scene, points[-1], readings)
    first = len(draft.readings)
    choose(draft, scene, readings, steps, announced=hint is not None)
    _excuse_those_passing(draft, name, points[-1], first)
    if walked:
        _remark_on_correction(draft, scene, name, points)


def _read_company(draft: Draft, scene: Scene, end: str, readings: Readings) -> None:
    """Read first who was dragged to a hex in the same step, if another may come there only then.

    A stack is dragged at once; in which order its counters come is not seen.
    """
    for place, fact in scene.following():
        if fact.step != scene.fact.step:
            return
        company = isinstance(fact, facts.Shifted) and fact.target == end and place in scene.story.drags
        if company and isinstance(fact, facts.Shifted) and place not in draft.ahead:
            trial, other = draft.trial(), Scene(scene.story, place)
            read_shift(trial, other, fact)
            if can_be_legal(trial, scene, readings):
                read_shift(draft, other, fact)
                draft.ahead.add(place)
                return


def _excuse_those_passing(draft: Draft, name: str, end: str, first: int) -> None:
    """Leave open what is found since a reading about counters in a hex that go on from there later."""
    passing = {other for other in draft.underway if draft.position.pieces[other].where == end} - {name}
    breaches = (one for each in draft.readings[first:] if each.ruling for one in each.ruling.breaches)
    values = ((one.clause, value) for one in breaches for value in one.facts.values())
    clauses = {clause for clause, value in values if isinstance(value, tuple) and passing & set(value)}
    draft.doubt(first, PASSING, clauses=clauses)


def _battles(draft: Draft, name: str, said: Battle | None) -> tuple[Battle | None, ...]:
    """The battle with which a move was announced, then those that the counter is in.

    The module announces the current battle, be it that the move is of one before it.
    """
    known = draft.battles_of(name)
    return tuple(dict.fromkeys((said, *known))) if said is not None and said in draft.settling else known


def _flies(draft: Draft, scene: Scene, name: str, end: str, steps: tuple[int, ...]) -> bool:
    """Read a shift from hex to hex as a mission to a battle, if it is one or was declared as such."""
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
    if battle is None or (battle.dice and battle.dice[0] < scene.place):
        return False
    battles.declare(draft, scene, battle)
    choose(draft, scene, always(_mission(draft, name, end, battle)), steps)
    return True


def _mission(draft: Draft, name: str, end: str, battle: Battle) -> Action:
    """What a counter that fights from above does over a hex."""
    counter = draft.game.counters[name]
    own, other = draft.idiom.overhead[counter.kind]
    verb = own if counter.side == draft.position.side else other
    slots = draft.slots(verb)
    target = end if "HEX" in slots else ""
    return Action(verb, (name,), target=target, battle=0 if target else draft.numbered(verb, battle))


def _remark_on_correction(draft: Draft, scene: Scene, name: str, points: tuple[str, ...]) -> None:
    """Say that drags hex by hex were not read as the path, because it is not legal."""
    content = draft.readings[-1].statement.content if draft.readings else None
    if isinstance(content, Action) and content.pieces == (name,) and content.dragged:
        path = "-".join(points)
        draft.remark(
            scene.fact.step, f"{name} was dragged {path}, which is not a legal path; only its ends count"
        )


def _verbs(draft: Draft, position: Position, name: str, end: str) -> tuple[MoveVerb, ...]:
    """What a shift may be in a phase; what is not for the counter's side or without a battle comes last.

    Of a battle are those in it, and who comes to the hex that was attacked. What is done in a state that the
    counter is in comes first.
    """
    piece = position.pieces[name]
    passive = piece.side != position.side
    attacked = any(one.target == end for one in draft.settling)
    in_battle = draft.battles_of(name) != (None,) or attacked

    def is_strange(verb: MoveVerb) -> tuple[bool, bool, bool]:
        strange = verb.passive not in (None, passive) or (
            "NUMBER" in draft.slots(verb.verb) and not in_battle
        )
        return strange, attacked and not verb.into, not (verb.state and piece.is_(verb.state))

    verbs = tuple(sorted(draft.idiom.move_verbs.get(position.phase, ()), key=is_strange))
    if position.clock == draft.beginning and draft.idiom.deploy and draft.setting_up is not False:
        deploy = (MoveVerb(draft.idiom.deploy),)
        if draft.setting_up:
            return deploy
        return (*verbs, *deploy) if draft.idiom.begin else (*deploy, *verbs)
    return verbs or tuple({verb: None for group in draft.idiom.move_verbs.values() for verb in group})


def in_a_battle(draft: Draft, action: Action) -> Readings:
    """Return what something done to a counter may mean: for each battle that it is in, the last first.

    In some phases a loss has no battle, and another name; it costs one step then, and takes nobody with more
    steps off the map.
    """
    numbers = [draft.numbered(action.verb, battle) for battle in draft.battles_of(action.piece)]
    found = tuple(dict.fromkeys(evolve(action, battle=number) for number in numbers))

    def readings(position: Position) -> tuple[Action, ...]:
        verb = draft.idiom.instead.get(position.phase, {}).get(action.verb)
        is_whole = action.verb == draft.idiom.eliminate and position.pieces[action.piece].steps > 1
        return found if verb is None or is_whole else (evolve(action, verb=verb),)

    return readings


def _action(
    draft: Draft, name: str, verb: MoveVerb, path: tuple[str, ...], battle: Battle | None, *, dragged: bool
) -> Action:
    number = draft.numbered(verb.verb, battle)
    if "PATH" in draft.slots(verb.verb):
        return Action(verb.verb, (name,), path, dragged=dragged, words=verb.words, battle=number)
    return Action(verb.verb, (name,), target=path[-1], words=verb.words, battle=number)


def _read_entry(
    draft: Draft, scene: Scene, name: str, points: tuple[str, ...], steps: tuple[int, ...]
) -> None:
    """From a box to the map: where the counter is in the end, or where it first was and then a move."""
    end = points[-1]
    kind, verbs = draft.game.counters[name].kind, draft.world.rulebook.verbs
    if kind in draft.idiom.overhead and not any(kind in verbs[verb].kinds for verb in draft.idiom.entries):
        _read_flight(draft, scene, name, end, steps)
        return
    first = next(point for point in points if point in draft.game.map.grid)
    direct = entries(draft, name, end, points[0])
    if can_be_legal(draft, scene, direct) and not breaks_the_end(draft, direct):
        choose(draft, scene, direct, steps)
    elif draft.cautious and (found := _entered_and_moved(draft, scene, name, (points[0], end))):
        setting, actions = found
        if _is_as_good(draft, setting.position, direct, actions[0]):
            choose(draft, scene, direct, steps)
            return
        alone = [draft.attempt(action, setting.position) for action in direct(setting.position)]
        since = len(draft.readings)
        write_all(draft, scene, setting, actions, steps)
        told = {one.clause for read in draft.readings[since:] if read.ruling for one in read.ruling.breaches}
        unless = f"it entered at {actions[0].target} and moved on from there"
        breaches = (one for attempt in alone[:1] if attempt for one in attempt.ruling.breaches)
        draft.suspect((one for one in breaches if one.clause not in told), unless)
    elif first == end:
        since = len(draft.readings)
        is_open = (scene.fact.sure and _may_pass_over_phases(draft, scene)) or (
            scene.turned_to is not None and goes_on(draft, scene, draft.game.counters[name].side)
        )
        moved_on = (
            draft.cautious and is_open and _enters_and_moves_later(draft, scene, name, (points[0], end))
        )
        choose(draft, scene, direct, steps)
        if moved_on:
            draft.doubt(since, "it entered elsewhere and moved on from there in a later phase")
    else:
        choose(draft, scene, entries(draft, name, first, points[0]), steps)
        choose(draft, scene, onward(draft, name, (first, end)), steps)


def _is_as_good(draft: Draft, position: Position, direct: Readings, entry: Action) -> bool:
    """Whether a counter breaks no more clauses if it enters where it is than with another entry."""
    other = draft.attempt(entry, position)
    attempts = [draft.attempt(action, position) for action in direct(position)]
    clauses = [{one.clause for one in attempt.ruling.breaches} for attempt in attempts if attempt is not None]
    return other is not None and any(one <= {two.clause for two in other.ruling.breaches} for one in clauses)


def _entered_and_moved(
    draft: Draft, scene: Scene, name: str, points: tuple[str, str]
) -> tuple[Setting, tuple[Action, Action]] | None:
    """How a counter dragged from a box to the end of its first move may have entered, None if it cannot have.

    It comes on at some other hex, the nearest first, and moves on from there. What is doubtful of the entry
    alone, because it should have come on earlier, is no obstacle. Where it can, it enters so that the moves
    that follow are legal too.
    """
    origin, end = points
    grid = draft.game.map.grid
    nearest = sorted(grid.names, key=lambda hex_: (grid.distance(hex_, end), hex_))
    legs, found = _legs_to_come(draft, scene, name), None
    for setting in settings(draft, scene):
        for hex_ in nearest:
            for entry in entries(draft, name, hex_, origin)(setting.position) if hex_ != end else ():
                if draft.is_ruled_out(entry, setting.position):
                    continue
                entered = draft.attempt(entry, setting.position)
                if entered is None or entered.grade is Grade.illegal:
                    continue
                for move in _marches(draft, name, (hex_, end))(entered.after):
                    if not draft.is_legal(move, entered.after):
                        continue
                    if _goes_on_legally(draft, name, entered.after, move, legs):
                        return setting, (entry, move)
                    found = found or (setting, (entry, move))
    return found


def _enters_and_moves_later(draft: Draft, scene: Scene, name: str, points: tuple[str, str]) -> bool:
    """Whether a counter dragged from a box to a hex may have entered elsewhere and moved on with its side.

    Then it stays there until its side has moved, or the drags that follow are legal too.
    """
    origin, end = points
    grid, legs = draft.game.map.grid, _legs_of_its_turn(draft, scene, name)
    for setting in settings(draft, scene):
        later = _phases_of_its_turn(draft, name, setting.position.clock)
        for hex_ in (one for one in grid.names if one != end):
            for entry in entries(draft, name, hex_, origin)(setting.position):
                entered = draft.attempt(entry, setting.position)
                if entered is None or entered.grade is Grade.illegal:
                    continue
                for clock in later:
                    there = evolve(entered.after, clock=clock)
                    for move in _marches(draft, name, (hex_, end))(there):
                        if draft.is_legal(move, there) and _goes_on_legally(draft, name, there, move, legs):
                            return True
    return False


def _may_pass_over_phases(draft: Draft, scene: Scene) -> bool:
    """Whether the turn track next shows a phase beyond the one that comes next, or the log ends before."""
    now = max(draft.track or draft.position.clock, draft.position.clock)
    return scene.turned_to is None or scene.passes_over_phases(draft.world.calendar, now)


def _phases_of_its_turn(draft: Draft, name: str, clock: Clock) -> list[Clock]:
    """The later phases of a turn that are those of a counter's side."""
    stops, side = draft.world.calendar.stops, draft.game.counters[name].side
    later = range(clock.stop + 1, len(stops))
    return [evolve(clock, stop=stop) for stop in later if stops[stop].side == side]


def _legs_of_its_turn(draft: Draft, scene: Scene, name: str) -> tuple[tuple[str, str], ...]:
    """The drags of a counter from hex to hex that follow until its side has moved."""
    calendar, on_map, side = (
        draft.world.calendar,
        set(draft.game.map.grid.names),
        draft.game.counters[name].side,
    )
    found, turn = list[tuple[str, str]](), (draft.track or draft.position.clock).turn
    own = False
    for fact in scene.story.facts[scene.place + 1 :]:
        if isinstance(fact, facts.Turned):
            if fact.clock.turn != turn or (own and calendar.side(fact.clock) != side):
                break
            own = own or calendar.side(fact.clock) == side
        elif (
            isinstance(fact, facts.Shifted) and fact.counter == name and {fact.origin, fact.target} <= on_map
        ):
            found.append((fact.origin, fact.target))
    return tuple(found)


def _legs_to_come(draft: Draft, scene: Scene, name: str) -> tuple[tuple[str, str], ...]:
    """The drags of a counter from hex to hex that follow before the track is turned."""
    grid = draft.game.map.grid
    return tuple(
        (fact.origin, fact.target)
        for _, fact in scene.following()
        if isinstance(fact, facts.Shifted)
        and fact.counter == name
        and fact.origin in grid
        and fact.target in grid
    )


def _goes_on_legally(
    draft: Draft, name: str, position: Position, move: Action, legs: Sequence[tuple[str, str]]
) -> bool:
    """Whether the drags that follow a move are legal moves as well."""
    for leg in legs:
        moved = draft.attempt(move, position)
        if moved is None:
            return False
        position = moved.after
        legal = (one for one in onward(draft, name, leg)(position) if draft.is_legal(one, position))
        following = next(legal, None)
        if following is None:
            return False
        move = following
    return True


def entries(draft: Draft, name: str, place: str, origin: str) -> Readings:
    """Return what coming from a box to a hex may mean."""
    box = origin if origin in draft.game.map.boxes else draft.position.pieces[name].where
    known = draft.idiom.out_of
    verbs = known.get(f"{box} {name}", known.get(box, draft.idiom.entries))

    def readings(position: Position) -> list[Action]:
        first = position.clock == draft.beginning and draft.setting_up is not False
        deploys = (draft.idiom.deploy,) if draft.idiom.deploy and first else ()
        return [Action(verb, (name,), target=place) for verb in (*deploys, *verbs)]

    return readings


def _marches(draft: Draft, name: str, path: tuple[str, str]) -> Readings:
    """Return what the first move of a counter that has come on may be: nobody drives it out at once."""
    driven = {one.verb for one in draft.idiom.announced.values()}
    moves = onward(draft, name, path)
    return lambda position: [one for one in moves(position) if one.verb not in driven]


def onward(draft: Draft, name: str, path: tuple[str, str]) -> Readings:
    """Return what a drag from a hex to another may mean: only its ends are known."""

    def readings(position: Position) -> list[Action]:
        battle = draft.battles_of(name)[0]
        verbs = _verbs(draft, position, name, path[-1])
        return [_action(draft, name, verb, path, battle, dragged=True) for verb in verbs]

    return readings


def _read_flight(draft: Draft, scene: Scene, name: str, end: str, steps: tuple[int, ...]) -> None:
    """An air unit laid over a hex: on a mission, if that hex is attacked in this phase."""
    draft.take_over(name, end, scene.fact.step)
    battle = battles.over(scene, end)
    if battle is not None:
        battles.declare(draft, scene, battle)
        choose(draft, scene, always(_mission(draft, name, end, battle)), steps)
    elif draft.idiom.idle and not battles.may_be_attacked_later(scene, end):
        choose(draft, scene, always(Action(draft.idiom.idle, (name,), target=end)), steps)
