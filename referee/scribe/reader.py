"""Reads the facts of a story one after the other, in the simplest way.

Among several readings, one that breaks no rule is chosen: what is hidden or forgotten is read in the players'
favour. After each step the position is compared with the table, and differences that no action explains are
taken over.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import takewhile

from attrs import define, evolve, field

from referee.engine.actions import Action
from referee.engine.clock import Clock
from referee.engine.position import Position
from referee.engine.rulings import Grade
from referee.record import Place
from referee.scribe import battles, declarations, dice, facts, leaving, markers, meanings, moves
from referee.scribe.adoption import adoption
from referee.scribe.choosing import (
    Readings,
    always,
    can_be_legal,
    choose,
    is_due,
    now,
)
from referee.scribe.draft import Draft
from referee.scribe.engagements import is_taken_off
from referee.scribe.fact_finder import LoggedFacts
from referee.scribe.facts import Condition, Standing
from referee.scribe.reading import Certainty
from referee.scribe.story import Drag, Scene, Story
from vassalgen.problems import Failure

CLEANED = "the unit was lost, and its marker was removed before it"
FORGOTTEN_FOR = 2
"""For how many phases after the beginning of a log losses of an earlier battle may be carried out."""
ADVANCED_LATE = "the turn track was advanced late, after actions of the new phase"


@define(eq=False)
class Reader:
    """Reads a story fact by fact, and goes back to the beginning of a move that is not legal as a single
    move.

    ``changed`` are the counters that each step changed, ``standings`` their states from a step on. ``begun``
    are the drafts at the beginning of moves of several drags, by the place of the first drag.
    """

    draft: Draft
    story: Story
    changed: Mapping[int, Sequence[str]]
    standings: Mapping[str, Sequence[tuple[int, Standing]]]
    begun: dict[int, Draft] = field(factory=dict)

    def read(self, place: int) -> None:
        """Read a fact; if it ends a move that breaks a rule, check whether its drags one by one break less.

        After the last fact the story is closed.
        """
        if place == len(self.story.facts):
            _close(self.draft, self.story)
            return
        self._take(place)
        drag = self.story.drags.get(place)
        before = self.begun.pop(drag.places[0], None) if drag is not None else None
        since = len(before.readings) if before is not None else 0
        if drag is None or before is None or self._faults(drag, since) == (0, 0):
            return
        other = Reader(before.copy(), self.story.parted(drag), self.changed, self.standings)
        for earlier in range(drag.places[0], place + 1):
            other._take(earlier)
        if other._faults(drag, since) < self._faults(drag, since):
            kept = {first: draft for first, draft in self.begun.items() if first < drag.places[0]}
            self.draft, self.story, self.begun = other.draft, other.story, {**kept, **other.begun}

    def _take(self, place: int) -> None:
        """Take a fact; if the referee fails at it, it is left out, and the next one is taken."""
        try:
            self._take_fact(place)
        except Exception as error:
            self.draft.fail(self.story.facts[place].step, Failure.of(error))

    def _take_fact(self, place: int) -> None:
        drag, fact = self.story.during.get(place), self.story.facts[place]
        if isinstance(fact, facts.Corrected):
            return
        if drag is not None and drag.places[0] == place:
            self.begun[place] = self.draft.copy()
        scene = Scene(self.story, place)
        if self.draft.begun is not None and sum(at <= place for at in self.story.stands) > FORGOTTEN_FOR:
            self.draft.begun = None
        take(self.draft, scene)
        rest = (self.story.facts[at] for at in range(place + 1, len(self.story.facts)))
        coming = next((one for one in rest if not isinstance(one, facts.Corrected)), None)
        if coming is None or coming.step != fact.step:
            changed = self.changed.get(fact.step, ())
            _compare(self.draft, scene, {name: self._stands(name, place) for name in changed})

    def _stands(self, counter: str, place: int) -> Standing:
        """The state of a counter after the last step that has been read at a place.

        What has been changed in the phase, and is going to be changed back, is as it was before.
        """
        seen, kept = self._shows(counter, self.story.reached[place]), dict[str, Condition]()
        since = takewhile(
            lambda one: not isinstance(one, facts.Turned), reversed(self.story.facts[: place + 1])
        )
        for one in [one.fact for one in since if isinstance(one, facts.Corrected)][::-1]:
            if one.counter == counter:
                before = self._shows(counter, one.step - 1).states.get(one.state, Condition(one.old))
                if kept.setdefault(one.state, before).level == one.new:
                    del kept[one.state]
        states = {state: one for state, one in {**seen.states, **kept}.items() if one.level}
        return evolve(seen, states=states) if kept else seen

    def _shows(self, counter: str, step: int) -> Standing:
        """What the table shows of a counter after a step."""
        known = self.standings[counter]
        at = bisect_right(known, step, key=lambda since: since[0])
        return known[at - 1][1] if at else Standing()

    def _faults(self, drag: Drag, since: int) -> tuple[int, int]:
        """The number of illegal actions that were read since then, and of actions with a breach or failure.

        A move that was not read at all counts as one more.
        """
        read = [one for one in self.draft.readings[since:] if one.ruling is not None]
        failed = sum(1 for one in read if one.ruling is not None and one.ruling.failure)
        contents = [one.statement.content for one in read]
        lost = len(drag.points) > 1 and not any(
            isinstance(content, Action) and drag.counter in content.pieces for content in contents
        )
        grades = [one.ruling.grade for one in read if one.ruling is not None]
        return grades.count(Grade.illegal), failed + lost + sum(one > Grade.slip for one in grades)


def standings(log: LoggedFacts) -> Mapping[str, Sequence[tuple[int, Standing]]]:
    """Each counter's state from each step on.

    A counter that no fact has taken off the map, as when a step was undone, is where it was.
    """
    found: dict[str, list[tuple[int, Standing]]] = {}
    places = {name: standing.place for name, standing in log.opening.items()}
    for step in log.steps:
        places |= {one.counter: one.target for one in step.facts if isinstance(one, facts.Shifted)}
        for name, standing in step.after.items():
            place = standing.place if standing.place != facts.NOWHERE else places.get(name, facts.NOWHERE)
            seen = standing if standing.place == place else evolve(standing, place=place)
            found.setdefault(name, []).append((step.step, seen))
    return found


def take(draft: Draft, scene: Scene) -> None:
    """Read one fact."""
    match scene.fact:
        case facts.Remark() as fact:
            draft.remark(fact.step, fact.text, hidden=fact.hidden)
        case facts.Turned() as fact:
            _turn(draft, fact)
        case facts.Shifted() as fact:
            moves.read_shift(draft, scene, fact)
        case facts.Changed() as fact:
            _read_change(draft, scene, fact)
        case facts.Stepped() as fact:
            read_steps(draft, scene, fact)
        case facts.Faced() as fact:
            _read_face(draft, scene, fact)
        case facts.Declared() as fact:
            declarations.read_declaration(draft, scene, fact)
        case facts.Contested() as fact:
            dice.read_contest(draft, scene, fact)
        case facts.JoinedBattle():
            battles.join(draft, scene)
        case facts.CalledOff():
            battles.call_off(draft, scene)
        case facts.Resolved() as fact:
            dice.resolve(draft, scene, fact, take)
        case facts.Rolled() as fact:
            dice.read_roll(draft, scene, fact, take)
        case facts.Marked() as fact:
            markers.read_marker(draft, scene, fact)


def _turn(draft: Draft, fact: facts.Turned) -> None:
    """Note what the track shows; the position follows with the next action."""
    earlier, draft.track = draft.track, fact.clock
    draft.turned = [(to, step) for to, step in draft.turned if to < fact.clock] + [(fact.clock, fact.step)]
    if fact.sure or (earlier is not None and fact.clock < earlier):
        if fact.clock < draft.position.clock:
            draft.go_on(fact.clock, fact, Certainty.seen)
    elif fact.clock < draft.position.clock:
        draft.remark(fact.step, ADVANCED_LATE)


def _read_change(draft: Draft, scene: Scene, fact: facts.Changed) -> None:
    """A state set or removed, if the game has a verb for it; nothing for a counter that is already lost."""
    if draft.position.pieces[fact.counter].where in draft.idiom.lost:
        return
    if fact.state in draft.idiom.by_hand:
        _read_state_by_hand(draft, scene, fact)
        return
    if not fact.new and (fact.counter, fact.state) in draft.marks.left_on:
        draft.marks.left_on.discard((fact.counter, fact.state))
        return
    set_, taken_off = draft.idiom.states.get(fact.state, ("", ""))
    if draft.game.states[fact.state].is_count:
        full = fact.new == draft.game.states[fact.state].most(draft.game.counters[fact.counter])
        verb = (taken_off if full else "" if fact.new else set_) if fact.announced else ""
        if fact.announced and fact.new and not full and fact.state in draft.idiom.points:
            points = Action(draft.idiom.points[fact.state], (fact.counter,), words=(str(fact.new),))
            choose(draft, scene, always(points))
            return
    else:
        verb = "" if fact.new and fact.old else set_ if fact.new else taken_off
    if not verb:
        return
    action = Action(verb, (fact.counter,))
    if draft.marks.coming_off is not None:
        draft.marks.coming_off.pop((fact.counter, fact.state), None)
        if comes_off_as_a_phase_ends(draft, fact) == draft.position.phase:
            draft.marks.coming_off[fact.counter, fact.state] = action
            return
    readings = meanings.in_a_battle(draft, action) if fact.new else always(action)
    known = draft.position.pieces[fact.counter].is_(fact.state) and mark_of(draft, fact)
    if known and not can_be_legal(draft, scene, readings):
        return  # the marker only shows an existing state
    is_cleaned = draft.cautious and not fact.new and _is_removed_next(draft, scene, fact.counter)
    if is_cleaned and not can_be_legal(draft, scene, readings):
        first = len(draft.readings)
        draft.act(action, fact, Certainty.seen)
        draft.doubt(first, CLEANED)
        return
    due = bool(fact.new) and any(is_due(draft, one) for one in readings(draft.position))
    choose(draft, scene, readings, tidy=due)
    if fact.new:
        draft.leave_date_open(fact.counter, fact.state)


def _is_removed_next(draft: Draft, scene: Scene, name: str) -> bool:
    """Whether the next change of a counter, except to its steps, is its removal from the map,
    possibly late.
    """
    later = (one for _, one in scene.following_twice() if getattr(one, "counter", "") == name)
    then = next((one for one in later if not isinstance(one, facts.LeftBattle | facts.Stepped)), None)
    return isinstance(then, facts.Shifted) and is_taken_off(draft.game, then)


def comes_off_as_a_phase_ends(draft: Draft, fact: facts.Changed) -> str:
    """Return the phase at whose end a removed mark comes off, empty for another change."""
    state = draft.game.states[fact.state]
    return "" if fact.new or state.is_count or fact.state not in draft.idiom.states else state.ends


def mark_of(draft: Draft, fact: facts.Changed) -> str:
    """Return the verb for a state with which a counter is marked, empty for another change."""
    set_, _ = draft.idiom.states.get(fact.state, ("", ""))
    return set_ if fact.new and not fact.old and not draft.game.states[fact.state].is_count else ""


def mark_taken_off(draft: Draft, fact: facts.Changed) -> str:
    """Return the verb for a state that a counter loses with its mark, empty for another change."""
    _, taken_off = draft.idiom.states.get(fact.state, ("", ""))
    return taken_off if fact.old and not fact.new and not draft.game.states[fact.state].is_count else ""


def _read_state_by_hand(draft: Draft, scene: Scene, fact: facts.Changed) -> None:
    """A state that belongs to something else, set or removed without it.

    An existing state is ignored, and so are states that the module removes at the end of the phase.
    """
    track = draft.track or draft.position.clock
    if not fact.new and draft.world.calendar.phase(track) == draft.game.states[fact.state].ends:
        return
    verb = draft.idiom.by_hand[fact.state][not fact.new]
    if verb and fact.announced and now(draft).pieces[fact.counter].is_(fact.state) is not bool(fact.new):
        choose(draft, scene, always(Action(verb, (fact.counter,))))


def read_steps(draft: Draft, scene: Scene, fact: facts.Stepped) -> None:
    """Steps lost or regained on the map, one after the other, if the game has a verb for it.

    Steps that have been read already, for example from a declaration, are ignored.
    """
    verb, piece = draft.idiom.steps[fact.new > fact.old], draft.position.pieces[fact.counter]
    if piece.steps == fact.new or piece.where not in draft.game.map.grid:
        return
    if not verb:
        return
    if not fact.meant and _is_given_back(draft, scene, fact, loss_of_a_step(draft, scene, fact)):
        return
    at_once = "NUMBER" in draft.needs(verb)
    for _ in range(1 if at_once else abs(fact.new - fact.old)):
        choose(draft, scene, loss_of_a_step(draft, scene, fact), tidy=at_once)


def _is_given_back(draft: Draft, scene: Scene, fact: facts.Stepped, readings: Readings) -> bool:
    """Whether a step was taken without a reason and given back in the phase: by mistake, which is reported.

    If something was done in the meantime, it may have been regained in a phase that the track does not show.
    """
    later = ((at, one) for at, one in scene.following() if isinstance(one, facts.Stepped))
    place, back = next(((at, one) for at, one in later if one.counter == fact.counter), (0, None))
    if fact.new > fact.old or back is None or (back.old, back.new) != (fact.new, fact.old):
        return False
    verb, here = draft.idiom.steps[True], now(draft)
    amount = (str(fact.old - fact.new),) if "NUMBER" in draft.slots(verb) else ()
    regained = Action(verb, (fact.counter,), words=amount)
    reduced = here.with_piece(fact.counter, steps=fact.new)
    if can_be_legal(draft, scene, readings) and (
        draft.is_legal(regained, reduced) or _is_regained_later(draft, scene, place, regained, reduced)
    ):
        return False
    draft.remark(fact.step, f"{fact.counter} lost a step, which was given back later")
    return True


def _is_regained_later(draft: Draft, scene: Scene, place: int, regained: Action, reduced: Position) -> bool:
    """Whether something was done before a step is given back at a place, which is legal in a later phase.

    That is a phase that the track skips next; other breaches in the meantime do not matter here.
    """
    between = [one for at, one in scene.following() if at < place]
    if not any(getattr(one, "counter", "") for one in between):
        return False
    for one in between:
        if isinstance(one, facts.Shifted) and one.target != facts.UNKNOWN:
            reduced = reduced.with_piece(one.counter, where=one.target)
    later, limit = evolve(reduced, battles=()).without_notes(("phase",)), Scene(scene.story, place).turned_to
    calendar, clock = draft.world.calendar, reduced.clock
    until = limit.clock if limit is not None else Clock(clock.turn, len(calendar.stops) - 1)
    while clock < until:
        clock = calendar.after(clock)
        if draft.is_legal(regained, evolve(later, clock=clock)):
            return True
    return False


def loss_of_a_step(draft: Draft, scene: Scene, fact: facts.Stepped) -> Readings:
    """Return the possible meanings of a counter's losing or regaining a step, or all steps if
    they are named.
    """
    verb = draft.idiom.steps[fact.new > fact.old]
    verb = leaving.declared_loss(draft, scene, fact.counter) or verb
    amount = str(abs(fact.new - draft.position.pieces[fact.counter].steps))
    words = (amount,) if "NUMBER" in draft.needs(verb) else ()
    return meanings.in_a_battle(draft, Action(verb, (fact.counter,), words=words))


def _read_face(draft: Draft, scene: Scene, fact: facts.Faced) -> None:
    """A counter turned face up or face down, if the game has a verb for it."""
    verb = draft.idiom.faces[fact.face == "down"]
    if verb and draft.position.pieces[fact.counter].face != fact.face:
        action = Action(verb, (fact.counter,))
        choose(draft, scene, always(action), tidy=fact.face == "down" and is_due(draft, action))


def _compare(draft: Draft, scene: Scene, after: Mapping[str, Standing]) -> None:
    """Take over what differs on the table from the position; moves that continue can wait.

    So can moves that are shown later than they were made, casualties that are removed later, states that an
    action sets and the table shows later, announced moves, with the states that the module sets then, and
    automatic effects of the rules when the position goes on to the phase that the track shows.
    """
    for name, standing in after.items():
        place = adoption(draft, name, standing)
        if place is None:
            continue
        waits = scene.is_on_its_way(name) or scene.is_late(name) or _is_lost_later(draft, scene, name)
        waits = waits or (name in draft.marks.unmarked and place.where is None and not place.states)
        waits = waits or _is_marked_later(draft, scene, name, place) or _is_left_on(draft, name, place)
        if waits or _was_announced(draft, name, place):
            continue
        if adoption(draft, name, standing, position=now(draft)) is not None:
            draft.state(place, scene.fact.step, Certainty.adopted)


def _is_lost_later(draft: Draft, scene: Scene, name: str) -> bool:
    """Whether a lost counter is removed later, or a reduced one shows its steps later.

    Casualties may stay on the map until the next phase has begun.
    """
    piece = draft.position.pieces[name]
    if piece.where not in draft.idiom.lost:
        mine = (one for _, one in scene.following_twice() if getattr(one, "counter", "") == name)
        return any(isinstance(one, facts.Stepped) and one.new == piece.steps for one in mine)
    shifted = (one for _, one in scene.following_twice() if isinstance(one, facts.Shifted))
    first = next((one for one in shifted if one.counter == name), None)
    return first is not None and is_taken_off(draft.game, first)


def _is_marked_later(draft: Draft, scene: Scene, name: str, adoption: Place) -> bool:
    """Return whether the only differences are states that an action has set and that are marked in the same
    phase.
    """
    if (adoption.where, adoption.steps, adoption.face) != (None, None, ""):
        return False
    states = draft.position.pieces[name].states
    missing = states.keys() - adoption.states.keys()
    if dict(adoption.states) != {state: mark for state, mark in states.items() if state not in missing}:
        return False
    first = dict[str, bool]()
    for _, one in scene.following():
        if isinstance(one, facts.Changed) and one.counter == name:
            first.setdefault(one.state, one.new > one.old)
    return all(first.get(state, False) for state in missing)


def _is_left_on(draft: Draft, name: str, place: Place) -> bool:
    """Return whether the only differences are marks that are still on the table but have ended
    by the rules.
    """
    if (place.where, place.steps, place.face) != (None, None, ""):
        return False
    known = draft.position.pieces[name].states
    more = place.states.keys() - known.keys()
    return known.keys() <= place.states.keys() and all((name, state) in draft.marks.left_on for state in more)


def _was_announced(draft: Draft, name: str, adoption: Place) -> bool:
    """Return whether the only difference is the state that the module sets when a coming move
    is announced.
    """
    if name not in draft.moves.hints or (adoption.where, adoption.steps, adoption.face) != (None, None, ""):
        return False
    piece, hint = draft.position.pieces[name], draft.moves.hints[name][0]
    declared = (draft.game.declarations[one] for one, other in draft.idiom.announced.items() if other == hint)
    changed = set(adoption.states.items()) ^ set(piece.states.items())
    return {state for state, _ in changed} <= {declaration.state for declaration in declared}


def _close(draft: Draft, story: Story) -> None:
    """At the end of a log go on to what the track shows, unless it is ahead of the players."""
    last = next((fact for fact in reversed(story.facts) if isinstance(fact, facts.Turned)), None)
    if (
        last is not None
        and draft.track is not None
        and draft.track > draft.position.clock
        and not draft.lagging
    ):
        draft.go_on(draft.track, last, Certainty.seen)
