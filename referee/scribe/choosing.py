"""Chooses among several readings: one that breaks no rule, if there is any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from attrs import evolve, frozen

from referee.carrying_out import carry_out
from referee.engine.actions import NEXT, Action
from referee.engine.clock import Clock
from referee.engine.idiom import MoveVerb
from referee.engine.position import Position
from referee.engine.rulings import Grade
from referee.record import At, Statement
from referee.scribe import facts
from referee.scribe.attempts import Attempt
from referee.scribe.draft import Draft
from referee.scribe.reading import Certainty
from referee.scribe.story import Scene
from referee.scribe.undeclared_battles import (
    acts_in_its_turn,
    broken_by_it_alone,
    comes_out_of_a_box,
    marks,
    may_be_after_a_battle,
    may_be_undeclared,
    may_have_fought,
    skips_a_player_turn,
)

SKIPPED = "it was done in the phase that the turn track shows; the later phases were still to come"
UNDECLARED = "it is the result of a battle that was neither declared nor rolled for in the module"
MAY_BE_UNDECLARED = "this action may belong to a battle that was not declared"

Readings: TypeAlias = Callable[[Position], Sequence[Action]]
"""The possible meanings of something in a position."""


def always(*actions: Action) -> Readings:
    """Return readings that are the same in every position."""
    return lambda position: actions


@frozen
class Setting:
    """A phase in which something may have been done: how to get there, and the position to judge it in."""

    position: Position
    clock: Clock | None
    how: Certainty


def choose(
    draft: Draft,
    scene: Scene,
    readings: Readings,
    steps: tuple[int, ...] = (),
    *,
    announced: bool = False,
    tidy: bool = False,
    mistaken: bool = False,
) -> None:
    """Write the first reading that is legal, or else the one that breaks least.

    It is tried first in the phase that the track shows; then in the previous one, because the track may have
    been advanced too early; then in later ones, because it may have been forgotten. ``announced``: the
    players said what they did, so that nothing is inferred. ``tidy``: it is done when a phase is over, so the
    phase that the position has not left comes first if something is still to be done there. ``mistaken``: it
    was undone, so it does not show that a later phase had begun, and is not written if it needs one.
    """
    sure = Certainty.announced if announced else Certainty.seen
    tried: list[tuple[Setting, Sequence[Action]]] = []
    uncalled = set[str]()
    before = (Setting(draft.position, None, Certainty.inferred),) if tidy and _has_duties_left(draft) else ()
    for setting in (*before, *settings(draft, scene)):
        actions = readings(setting.position)
        legal: Sequence[Action] = [one for one in actions if draft.is_legal(one, setting.position)]
        if not announced and legal[:1] != list(actions[:1]):
            uncalled.update(_uncalled_for(draft, scene, setting.position, actions))
            legal, actions = _without(legal, uncalled), _without(actions, uncalled)
        tried.append((setting, actions))
        if legal and not announced:
            legal = _fitting_its_mark(draft, scene, setting.position, legal, actions)
        if legal:
            inferred = Certainty.inferred if len(legal) == 1 else Certainty.ambiguous
            how = inferred if len(actions) > 1 and not announced else sure
            _do(draft, scene, setting, legal[0], how, steps)
            return
    if late := _late(draft, scene, tried):
        setting, attempt = late
        _write(draft, scene, setting, attempt, sure, steps)
        return
    said = announced or comes_out_of_a_box(draft, scene.fact)
    undeclared = not (said and _are_of_no_battle(draft, tried)) and may_be_undeclared(draft, scene)
    if not (draft.is_doubtful and (undeclared or may_be_after_a_battle(draft, scene))) and (
        forgotten := _forgotten_turn(
            draft, scene, lambda position: _without(readings(position), uncalled), tried[0][0].position
        )
    ):
        setting, action = forgotten
        if mistaken:
            draft.remark(scene.fact.step, "this was declared before its phase had begun, and called off")
            return
        first, skipped = len(draft.readings), skips_a_player_turn(draft, setting.clock)
        _do(draft, scene, setting, action, Certainty.inferred, steps)
        if skipped:
            draft.doubt(first, SKIPPED)
        _note_if_marked_early(draft, scene, list(_attempts(draft, tried)))
    elif undeclared:
        draft.remark(scene.fact.step, MAY_BE_UNDECLARED)
        if draft.is_doubtful:
            draft.leave_result_open(scene.fact)
        everything = sorted(_attempts(draft, tried), key=lambda one: one[1].grade)
        if draft.is_doubtful and not draft.dice.generic and draft.has_battles(draft.position.phase):
            here = [(Setting(draft.position, None, Certainty.inferred), readings(draft.position))]
            _doubt(draft, scene, list(_attempts(draft, here)), steps)
        elif (
            not (draft.is_doubtful and may_have_fought(draft, scene, scene.fact))
            or _is_of_battle(draft, scene)
            or acts_in_its_turn(draft, scene.fact)
        ):
            _doubt(draft, scene, everything, steps)
        elif everything and (clauses := broken_by_it_alone(draft, everything[0][1])):
            _doubt(draft, scene, everything, steps, only=clauses)
    elif everything := list(_attempts(draft, tried)):
        setting, attempt = min(everything, key=lambda one: (one[1].grade, not _hangs_on_a_die(draft, one)))
        how = sure if announced or len(tried[0][1]) == 1 else Certainty.ambiguous
        _write(draft, scene, setting, attempt, how, steps)
    else:
        draft.remark(scene.fact.step, "this action makes no sense in this game")


def _uncalled_for(draft: Draft, scene: Scene, position: Position, actions: Sequence[Action]) -> Iterator[str]:
    """The verbs of actions that nothing requires, if a counter may also have moved voluntarily.

    A counter that makes room must be marked, like others that are driven out. If it is not marked, and
    nothing else is done with it, before the track has been advanced, it moved.
    """
    driven = {one.verb for one in draft.idiom.announced.values()}
    if not actions or actions[0].verb in driven or not any(one.verb in driven for one in actions):
        return
    others = (fact for _, fact in scene.following_twice() if not isinstance(fact, facts.Shifted))
    later = (getattr(fact, "counter", "") for fact in others)
    if not set(actions[0].pieces).isdisjoint(later):
        return
    due = _due(draft, position)
    for action in actions:
        after = draft.attempt(action, position) if action.verb in driven else None
        if after is not None and due < _due(draft, after.after):
            yield action.verb


def _fitting_its_mark(
    draft: Draft, scene: Scene, position: Position, legal: Sequence[Action], actions: Sequence[Action]
) -> Sequence[Action]:
    """Legal actions; if a counter that moved or was driven out is marked next, those that allow the mark.

    If none does, those that are themselves at most doubtful.
    """
    driven = {one.verb for one in draft.idiom.announced.values()}
    if legal[0].verb in driven or not any(one.verb in driven for one in actions):
        return legal
    later = (fact for _, fact in scene.following() if getattr(fact, "counter", "") in legal[0].pieces)
    mark = next(later, None)
    verb = draft.idiom.states.get(mark.state, ("", ""))[0] if isinstance(mark, facts.Changed) else ""
    if not verb or not isinstance(mark, facts.Changed) or not marks(draft, mark):
        return legal
    marking = Action(verb, (mark.counter,))
    allowed, doubtful = (
        [
            one
            for one in group
            if (then := draft.attempt(one, position)) is not None
            and then.grade is not Grade.illegal
            and draft.is_legal(marking, then.after)
        ]
        for group in (legal, [one for one in actions if one.verb in driven and one not in legal])
    )
    if allowed:
        return allowed if any(one.verb in driven for one in legal) else legal
    return doubtful or legal


def _without(actions: Sequence[Action], verbs: Collection[str]) -> Sequence[Action]:
    return [action for action in actions if action.verb not in verbs] if verbs else actions


def _due(draft: Draft, position: Position) -> Counter[str]:
    """The clauses that would be broken, and how often, if the phase of a position ended now."""
    ending = draft.attempt(Action(NEXT.name, clock=draft.world.calendar.after(position.clock)), position)
    return Counter(one.clause for one in ending.ruling.breaches) if ending is not None else Counter()


def _doubt(
    draft: Draft,
    scene: Scene,
    everything: Sequence[tuple[Setting, Attempt]],
    steps: tuple[int, ...],
    only: Collection[str] = (),
) -> None:
    """Write what only an unlogged battle could explain, and make it unproven.

    If ``only`` some clauses are named, nothing else is found.
    """
    if not everything:
        return
    setting, attempt = min(everything, key=lambda one: one[1].grade)
    if only:
        breaches = tuple(one for one in attempt.ruling.breaches if one.clause in only)
        attempt = evolve(attempt, ruling=evolve(attempt.ruling, breaches=breaches))
    _write(draft, scene, setting, attempt, Certainty.ambiguous, steps)
    draft.doubt(len(draft.readings) - 1, UNDECLARED)


def _note_if_marked_early(draft: Draft, scene: Scene, plain: Sequence[tuple[Setting, Attempt]]) -> None:
    """Note a possible accusation of a counter if its mark was not meant for a later phase, that of the
    position.

    Only if the reason for the mark is still to come in that phase: if it ended now, the mark would be wrong.
    """
    here, fact = draft.position, scene.fact
    if not plain or not isinstance(fact, facts.Changed) or not marks(draft, fact):
        return
    ending = draft.attempt(Action(NEXT.name, clock=draft.world.calendar.after(here.clock)))
    if ending is not None and ending.ruling.accuses(fact.counter):
        _, attempt = min(plain, key=lambda one: one[1].grade)
        draft.marks.early[len(draft.readings) - 1] = attempt.ruling.breaches


def _has_duties_left(draft: Draft) -> bool:
    """Whether something must still be done in the phase that the position has not left."""
    here, track = draft.position, draft.track
    if track is None or track <= here.clock:
        return False
    return not draft.is_legal(Action(NEXT.name, clock=track))


def is_due(draft: Draft, action: Action) -> bool:
    """Return whether an action is one that must still be done in the phase that the position has not left."""
    if not _has_duties_left(draft):
        return False
    attempt = draft.attempt(action)
    if attempt is None or not attempt.is_legal:
        return False
    return _left(draft, attempt.after) < _left(draft, draft.position)


def due_before(draft: Draft, scene: Scene, readings: Readings) -> tuple[Setting, list[Action]] | None:
    """Return what must still be done in a phase before the one that the track shows, and in which.

    It is the last such phase that the position has not left.
    """
    here, track, calendar = draft.position, draft.track, draft.world.calendar
    if track is None or track <= here.clock or scene.fact.sure:
        return None
    phases = [here.clock]
    while (clock := calendar.after(phases[-1])) < track:
        phases.append(clock)
    for clock in reversed(phases):
        is_here = clock == here.clock
        position = here if is_here else gone_on(here, clock)
        for action in readings(position):
            attempt = draft.attempt(action, position)
            if attempt is None or not attempt.is_legal:
                continue
            if _left(draft, attempt.after) < _left(draft, position):
                return Setting(position, None if is_here else clock, Certainty.inferred), [action]
    return None


def _left(draft: Draft, position: Position) -> int:
    """How much must still be done in the phase of a position."""
    ruling, _ = carry_out(position, Statement(Action(NEXT.name, clock=draft.track)))
    return len(ruling.breaches) if ruling is not None else 0


def breaks_the_end(draft: Draft, readings: Readings) -> bool:
    """Return whether a phase ends with more breaches if something was done in it and not later."""
    here, track = draft.position, draft.track
    if (
        track is None
        or track <= here.clock
        or any(draft.is_legal(one, now(draft)) for one in readings(now(draft)))
    ):
        return False
    attempts = (draft.attempt(action) for action in readings(here))
    legal = next((one for one in attempts if one is not None and one.is_legal), None)
    return legal is not None and _left(draft, legal.after) > _left(draft, here)


def leaves_less(draft: Draft, readings: Readings, others: Readings) -> bool:
    """Return whether one action leaves less to do in the unsettled battles than another."""
    first, second = (_unsettled(draft, one(draft.position)) for one in (readings, others))
    return first < second


def _unsettled(draft: Draft, actions: Sequence[Action]) -> int:
    """How much is left to do in the unsettled battles after the best of some actions."""
    verb, battles = draft.idiom.settle, draft.battles.settling
    settling = [Action(verb, battle=one.number) for one in battles if verb]
    found: list[int] = []
    for attempt in map(draft.attempt, actions):
        if attempt is not None:
            left = [draft.attempt(one, attempt.after) for one in settling]
            found.append(sum(len(one.ruling.breaches) for one in left if one is not None))
    return min(found, default=0)


def _late(
    draft: Draft, scene: Scene, tried: Sequence[tuple[Setting, Sequence[Action]]]
) -> tuple[Setting, Attempt] | None:
    """Read an action of units that fought as the result of their battle, if that is at most untidy."""
    if not _is_of_battle(draft, scene):
        return None
    untidy = (one for one in _attempts(draft, tried) if one[1].grade == Grade.slip)
    return next(untidy, None)


def can_be_late(draft: Draft, scene: Scene, readings: Readings) -> bool:
    """Return whether an action of units that fought is at most untidy as the result of their battle."""
    tried = [(setting, readings(setting.position)) for setting in settings(draft, scene)]
    return _late(draft, scene, tried) is not None


def can_be_legal(draft: Draft, scene: Scene, readings: Readings) -> bool:
    """Return whether a reading is legal in the phase that the track shows, or in the previous one."""
    return any(
        draft.is_legal(action, setting.position)
        for setting in settings(draft, scene)
        for action in readings(setting.position)
    )


def _attempts(
    draft: Draft, tried: Iterable[tuple[Setting, Sequence[Action]]]
) -> Iterator[tuple[Setting, Attempt]]:
    """All sensible readings, carried out in their settings."""
    for setting, actions in tried:
        for action in actions:
            if (attempt := draft.attempt(action, setting.position)) is not None:
                yield setting, attempt


def _are_of_no_battle(draft: Draft, tried: Sequence[tuple[Setting, Sequence[Action]]]) -> bool:
    """Whether no reading is an action in a battle."""
    return not any("NUMBER" in draft.slots(action.verb) for _, actions in tried for action in actions)


def _hangs_on_a_die(draft: Draft, tried: tuple[Setting, Attempt]) -> bool:
    """Whether something that is not a move may be the result of an unexplained die in its phase."""
    setting, attempt = tried
    return not attempt.ruling.action.path and draft.is_open_in(setting.position, attempt.ruling)


def settings(draft: Draft, scene: Scene) -> Iterator[Setting]:
    """Yield the phase that the track shows, and the one before it if the position has not left that yet.

    What units that fought do may be the result of a battle, however often the turn track was advanced since,
    but not in a player turn of their own. If players have noted the phase, only that one.
    """
    here, track, calendar = draft.position, draft.track, draft.world.calendar
    if track is None or track <= here.clock:
        yield Setting(here, None, Certainty.seen)
        return
    yield Setting(gone_on(here, track), track, Certainty.seen)
    if scene.fact.sure:
        return
    before, clock = here.clock, calendar.after(here.clock)
    while clock < track:
        before, clock = clock, calendar.after(clock)
    if before != here.clock:
        yield Setting(gone_on(here, before), before, Certainty.inferred)
    if before == here.clock or _is_of_battle(draft, scene, calendar.side(track)):
        yield Setting(here, None, Certainty.inferred)


def _is_of_battle(draft: Draft, scene: Scene, active: str = "") -> bool:
    """Whether something happens to a counter of the inactive side in a battle that is not settled."""
    fact = scene.fact
    if not isinstance(fact, facts.CounterFact) or draft.battles_of(fact.counter) == (None,):
        return False
    return not active or draft.game.counters[fact.counter].side != active


def now(draft: Draft) -> Position:
    """Return the position in the phase that the track shows, or that players have reached beyond it."""
    here, track = draft.position, draft.track
    return here if track is None or track <= here.clock else gone_on(here, track)


def gone_on(position: Position, clock: Clock) -> Position:
    """Return the position after going on to a phase."""
    _, after = carry_out(position, Statement(Action(NEXT.name, clock=clock)))
    return after


def write_all(
    draft: Draft, scene: Scene, setting: Setting, actions: Sequence[Action], steps: tuple[int, ...]
) -> None:
    """Write the several actions that one change on the table means."""
    for action in actions:
        here = evolve(setting, position=draft.position) if action is not actions[0] else setting
        attempt = draft.attempt(action, here.position)
        if attempt is not None:
            _write(draft, scene, here, attempt, Certainty.inferred, steps)


def _do(
    draft: Draft,
    scene: Scene,
    setting: Setting,
    action: Action,
    certainty: Certainty,
    steps: tuple[int, ...],
) -> None:
    attempt = draft.attempt(action, setting.position)
    if attempt is not None:
        _write(draft, scene, setting, attempt, certainty, steps)


def _write(
    draft: Draft,
    scene: Scene,
    setting: Setting,
    attempt: Attempt,
    certainty: Certainty,
    steps: tuple[int, ...],
) -> None:
    if setting.clock is not None and setting.clock != draft.position.clock:
        turn = scene.turned_to
        is_unseen = draft.is_unseen and (turn is None or turn.clock > setting.clock)
        draft.go_on(setting.clock, scene.fact, setting.how)
        if is_unseen:  # it may have begun before the log did
            draft.state(At(setting.clock, underway=True), scene.fact.step, setting.how)
    draft.lagging = draft.track is not None and draft.position.clock < draft.track
    draft.write(attempt, scene.fact, certainty, steps)


def _forgotten_turn(
    draft: Draft, scene: Scene, readings: Readings, position: Position
) -> tuple[Setting, Action] | None:
    """The later phase in which an action would be legal, if the track was not advanced to it.

    At first only the clock is changed, and the other side's actions in the phase are assumed to be over: this
    way actions that are wrong in every phase stay wrong. But the action must also be legal with everything
    else that is over by then, such as battles, and the phases between must be legal without any action in
    them. Afterwards the track must not be set to an earlier phase, nor first to one between with a marker
    that only that one requires; nor may the side whose turn it shows continue before it is advanced, if the
    other side acts, or if a counter was only marked. A turn is not over while a side continues that has no
    phase of the next one before the track is advanced. A reinforcement that is illegal now and legal in no
    later phase arrives in the first phase in which its arrival is only doubtful.
    """
    calendar = draft.world.calendar
    clock, side = calendar.after(position.clock), position.side
    limit = scene.turned_to_over(partial(scene.story.only_tidies, draft.game, scene.fact))
    if scene.fact.sure or (isinstance(scene.fact, facts.Changed) and side and goes_on(draft, scene, side)):
        return None
    if limit is not None:
        limit = _beyond_a_forgotten_phase(draft, scene, limit)
    if limit is not None and limit.clock < position.clock:
        limit = None  # the track is set back: it does not show what was forgotten
    is_off = isinstance(scene.fact, facts.Changed) and not scene.fact.new
    late_entry: tuple[Setting, Action] | None = None
    attempts = [draft.attempt(action, position) for action in readings(position)]
    is_illegal = all(one is None or one.grade is Grade.illegal for one in attempts)
    for _ in calendar.stops:
        if limit is not None and (clock > limit.clock or _leaves_marks_behind(draft, scene, clock)):
            break
        if limit is None and is_off and clock.turn > position.turn:
            break  # nothing shows that another turn was begun
        if limit and side and calendar.side(clock) != side and goes_on(draft, scene, side):
            break
        if limit and clock.turn > position.turn and _goes_on_before(draft, scene, clock, limit.clock):
            break
        other_side = calendar.side(clock) != position.side
        now_over = evolve(position.without_notes(("phase",)), battles=()) if other_side else position
        later = evolve(now_over, clock=clock)
        verbs = draft.idiom.move_verbs.get(calendar.phase(clock), ())
        for action in readings(later):
            fits = _fits(draft, action, verbs) and draft.is_legal(action, later)
            then = gone_on(position, clock) if fits else later
            legal = fits and _has_its_battle(draft, action, then) and draft.is_legal(action, then)
            if legal and not _breaks_more_on_the_way(draft, position, clock, ended=limit is not None):
                return Setting(later, clock, Certainty.inferred), action
            enters = is_illegal and action.verb in draft.idiom.entries
            if late_entry is None and enters and clock.turn == position.turn:
                attempt = draft.attempt(action, later)
                if attempt is not None and attempt.grade is Grade.unproven:
                    late_entry = Setting(later, clock, Certainty.inferred), action
        clock = calendar.after(clock)
    return late_entry


def _beyond_a_forgotten_phase(draft: Draft, scene: Scene, limit: facts.Turned) -> facts.Turned:
    """The phase to which the track is advanced after a phase of the other side in which only the acting side
    continues.

    Its own phase was forgotten then, and its earlier actions may have been in that phase already.
    """
    name, calendar = getattr(scene.fact, "counter", ""), draft.world.calendar
    acting = draft.game.counters[name].side if name else ""
    if not acting or acting in (calendar.side(limit.clock), draft.position.side):
        return limit
    found = scene.story.facts
    first = next(at for at in range(scene.end, len(found)) if found[at] is limit) + 1
    if first == len(found):
        return limit
    there = Scene(scene.story, first)
    further = there.turned_to
    if further is None or not goes_on(draft, there, acting):
        return limit
    others = set(draft.game.sides) - {acting}
    return limit if any(goes_on(draft, there, side) for side in others) else further


def _leaves_marks_behind(draft: Draft, scene: Scene, clock: Clock) -> bool:
    """Whether a marker is placed or removed legally when the track shows a phase between, but not at that
    time.
    """
    shown: Clock | None = None
    for fact in scene.story.facts[scene.end :]:
        if isinstance(fact, facts.Turned):
            if fact.clock >= clock:
                return False
            shown = fact.clock
        elif isinstance(fact, facts.Changed) and shown is not None:
            verb = draft.idiom.states.get(fact.state, ("", ""))[not marks(draft, fact)]
            action, then = Action(verb, (fact.counter,)), gone_on(draft.position, shown)
            if verb and draft.is_legal(action, then) and not draft.is_legal(action, gone_on(then, clock)):
                return True
    return False


def _breaks_more_on_the_way(draft: Draft, position: Position, clock: Clock, *, ended: bool) -> bool:
    """Whether going on to a phase breaks more rules than the end of the current one.

    If the track does not show that it has ``ended``, its duties may still be fulfilled: then any breach
    counts.
    """
    first = draft.world.calendar.after(position.clock)
    due = _left_undone(draft, position, first) if ended else Counter[str]()
    return bool(_left_undone(draft, position, clock) - due)


def _left_undone(draft: Draft, position: Position, clock: Clock) -> Counter[str]:
    """The clauses that are certainly broken, and how often, if play continues to a phase."""
    ending = draft.attempt(Action(NEXT.name, clock=clock), position)
    found = ending.ruling.breaches if ending is not None else ()
    return Counter(one.clause for one in found if one.grade is Grade.illegal)


def _fits(draft: Draft, action: Action, verbs: Sequence[MoveVerb]) -> bool:
    """Whether a verb is possible in a phase, as far as moves are concerned."""
    shifts = {one.verb for group in draft.idiom.move_verbs.values() for one in group}
    return action.verb not in shifts or any(one.verb == action.verb for one in verbs)


def _has_its_battle(draft: Draft, action: Action, then: Position) -> bool:
    """Whether the battle of an action is still open in a later position; an attack begins one."""
    attacks = (draft.idiom.attack, *draft.idiom.attacks.values())
    return not action.battle or action.verb in attacks or then.battle(action.battle) is not None


def _goes_on_before(draft: Draft, scene: Scene, clock: Clock, last: Clock) -> bool:
    """Whether a side continues before the track is advanced although it has no phase from a clock to the last
    one.
    """
    calendar = draft.world.calendar
    sides = set(draft.game.sides)
    while clock <= last:
        sides.discard(calendar.side(clock))
        clock = calendar.after(clock)
    return any(goes_on(draft, scene, side) for side in sides)


def goes_on(draft: Draft, scene: Scene, side: str) -> bool:
    """Return whether a side still moves or attacks before the track is advanced.

    Actions of counters that fight in this phase, or fought in the previous one, may be the result of a
    battle. Counters that are dragged out and back do not move.
    """
    counters, grid, story = draft.game.counters, draft.game.map.grid, scene.story
    shown = [place for place in story.stands if place <= scene.place]
    since = max(shown[:-1], default=0)
    battles = [one for one in story.battles.values() if since <= one.first < scene.end]
    for place, fact in scene.following():
        if isinstance(fact, facts.JoinedBattle):
            if fact.role == "A" and counters[fact.counter].side == side:
                return True
        elif story.comes_to_nothing(place):
            continue
        elif isinstance(fact, facts.Shifted) and counters[fact.counter].side == side:
            fights = any(fact.counter in battle.participants for battle in battles)
            if fact.origin in grid and fact.target in grid and not fights:
                return True
    return False
