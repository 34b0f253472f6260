"""The events of a log in order: its facts, the drags of a counter combined, battles as stories.

Both must be known before reading begins: a drag may be one of several, and the participants of a battle are
certain only when its die is rolled.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate

from attrs import evolve, field, frozen

from referee.engine.clock import Calendar, Clock
from referee.engine.idiom import RETREAT, Idiom
from referee.scribe.engagements import (
    Battle,
    battles_in,
    is_housekeeping,
    is_taken_off,
    reach_of_consequences,
)
from referee.scribe.fact_finder import LoggedFacts
from referee.scribe.facts import (
    UNKNOWN,
    Changed,
    Corrected,
    Declared,
    Fact,
    JoinedBattle,
    LeftBattle,
    Mentioned,
    Remark,
    Resolved,
    Rolled,
    Shifted,
    Stepped,
    Turned,
)
from referee.scribe.tidying import (
    advances_after_retreats,
    from_where_they_were,
    leaving_before_coming,
    on_their_way_first,
    without_advances_taken_back,
    without_attackers_on_their_target,
    without_corrections,
    without_outings,
    without_packing_up,
    without_trials,
)
from vassalgen.game.game import Game

NOT_READ = "a die counts as rolled with the wrong button"
AROUND = 50
"""How many facts before and after a state removed behind the track are searched."""


@frozen
class Drag:
    """All drags of a counter that are one move: their places in the story, and the points in order.

    ``plain``: nothing else happened between them; ``direct``: it was never dragged back; ``tried``: it was
    dragged about and back to where its move had ended before; ``made``: the place where a move was made that
    was corrected later, -1 if that is the last.
    """

    counter: str
    places: tuple[int, ...]
    points: tuple[str, ...]
    plain: bool
    direct: bool
    tried: bool = False
    made: int = -1

    def is_made(self, place: int) -> bool:
        """Return whether the move was made before a place and is only corrected from there on."""
        return 0 <= self.made < place


@frozen(eq=False)
class Story:
    """The facts of a log in order; battles by the places of the facts about them; drags by their last place.

    ``during`` are the places of drags that a later one continues. ``ends`` gives for each place that of the
    next fact that advances the track, or the length of the story if there is none. ``reached`` gives for each
    place the last step with a fact there or before; ``late`` are by counter the places of moves that come
    after later facts.
    """

    facts: tuple[Fact, ...]
    battles: dict[int, Battle]
    drags: dict[int, Drag]
    during: dict[int, Drag]
    ends: tuple[int, ...]
    reached: tuple[int, ...]
    late: Mapping[str, Sequence[int]]
    stands: Mapping[int, Clock] = field()
    """The places of the first action after each advance of the track, and what it shows then."""

    @stands.default
    def _stands(self) -> Mapping[int, Clock]:
        found: dict[int, Clock] = {}
        shown: Clock | None = None
        for place, fact in enumerate(self.facts):
            if isinstance(fact, Turned):
                shown = fact.clock
            elif shown is not None and not self.is_of_the_track(place):
                found[place], shown = shown, None
        return found

    @cached_property
    def dragged(self) -> Mapping[str, Sequence[int]]:
        """By counter the places of drags that are not the end of its moves, in order."""
        found: dict[str, list[int]] = {}
        for place, drag in sorted(self.during.items(), key=lambda one: one[0]):
            found.setdefault(drag.counter, []).append(place)
        return found

    def is_of_the_track(self, place: int) -> bool:
        """Return whether a fact is an advance of the track, or one of its automatic changes.

        States that it removes between two phases with an announcement are between two steps that advance it,
        or, with a battle that it ends, come after the step that follows them.
        """
        fact = self.facts[place]
        if isinstance(fact, Turned) or is_housekeeping(fact) or self._is_nothing(place):
            return True
        earlier, later = self.facts[max(0, place - AROUND) : place], self.facts[place : place + AROUND]
        turned = {one.step for one in (*earlier, *later) if isinstance(one, Turned)}
        ended = any(isinstance(one, Turned) and one.step == fact.step + 1 for one in earlier)
        off = isinstance(fact, Changed) and fact.new == 0
        return off and (ended or {fact.step - 1, fact.step + 1} <= turned)

    def comes_to_nothing(self, place: int) -> bool:
        """Return whether a drag belongs to a move with which a counter returns to where it was."""
        drag = self.during.get(place) or self.drags.get(place)
        return drag is not None and len(drag.points) == 1

    def only_tidies(self, game: Game, before: Fact, place: int) -> bool:
        """Return whether a fact is only a mark, a late loss, or a counter dragged out and back, or on."""
        fact = self.facts[place]
        if isinstance(fact, Shifted):
            goes_on = isinstance(before, Shifted) and before.counter == fact.counter
            return goes_on or is_taken_off(game, fact) or self.comes_to_nothing(place)
        return isinstance(fact, Changed) or (isinstance(fact, Stepped) and fact.new < fact.old)

    def _is_nothing(self, place: int) -> bool:
        """Whether nothing is done: players talk, drag out and back, or press a wrong key and correct it."""
        fact = self.facts[place]
        if isinstance(fact, Remark | Mentioned | Corrected):
            return True
        drag = self.drags.get(place) or self.during.get(place)
        if drag is not None and len(drag.points) == 1:
            return True
        beside = (*self.facts[max(0, place - 1) : place], *self.facts[place + 1 : place + 2])
        return isinstance(fact, Stepped) and any(
            isinstance(one, Stepped) and (one.counter, one.old, one.new) == (fact.counter, fact.new, fact.old)
            for one in beside
        )

    def uncorrected(self, place: int) -> tuple[int, Story]:
        """The story with apparent corrections as they were made, and the place of the first of them.

        They are those around a place between two facts that advance the track; at the end of the log, those
        since the last of these.
        """
        first = place
        while first and not isinstance(self.facts[first - 1], Turned):
            first -= 1
        until = self.ends[place] if place < len(self.ends) else place
        known = enumerate(self.facts[first:until], first)
        meant = {at: one.fact for at, one in known if isinstance(one, Corrected)}
        facts = tuple(meant.get(at, fact) for at, fact in enumerate(self.facts))
        story = Story(facts, self.battles, self.drags, self.during, self.ends, self.reached, self.late)
        return min(meant, default=place), story

    def without(self, place: int) -> Story:
        """The story with a fact of which nothing is read."""
        fact = self.facts[place]
        nothing = Remark(step=fact.step, side=fact.side, text=NOT_READ)
        facts = (*self.facts[:place], nothing, *self.facts[place + 1 :])
        return Story(facts, self.battles, self.drags, self.during, self.ends, self.reached, self.late)

    def parted(self, drag: Drag) -> Story:
        """The story with each drag as a move of its own."""
        parts = {place: _drag(self.facts, drag.counter, [place]) for place in drag.places}
        during = {place: one for place, one in self.during.items() if one is not drag}
        return evolve(self, drags={**self.drags, **parts}, during=during)

    def joined(self, *moves: Drag, made: int) -> Story:
        """The story with several moves of a counter as one, made when it was dragged at a place.

        Before that it was on its way; everything later is a correction.
        """
        drag = _drag(self.facts, moves[0].counter, [place for one in moves for place in one.places])
        drag = evolve(drag, direct=False, tried=len(drag.points) == 1)
        drags = {place: one for place, one in self.drags.items() if one not in moves}
        if made == drag.places[-1]:
            during = {**self.during, **dict.fromkeys(drag.places[:-1], drag)}
            return evolve(self, drags={**drags, made: drag}, during=during)
        drag = evolve(drag, made=made)
        during = {**self.during, **dict.fromkeys(drag.places, drag)}
        return evolve(self, drags={**drags, made: drag}, during=during)

    def by_their_ends(self, meant: Collection[Drag]) -> Story:
        """The story with some moves of which only the two ends count, not the hexes between."""
        by_ends = {drag.places: evolve(drag, direct=False) for drag in meant}
        drags = {place: by_ends.get(drag.places, drag) for place, drag in self.drags.items()}
        during = {place: by_ends.get(drag.places, drag) for place, drag in self.during.items()}
        return evolve(self, drags=drags, during=during)


@frozen(eq=False)
class Scene:
    """The place in a story at which the scribe reads."""

    story: Story
    place: int

    @property
    def fact(self) -> Fact:
        """The fact at a place."""
        return self.story.facts[self.place]

    @property
    def end(self) -> int:
        """The place of the next fact that advances the track, or the end of the story."""
        return self.story.ends[self.place]

    @property
    def turned_to(self) -> Turned | None:
        """That fact, or the last of several in succession; None if the track is not advanced any more."""
        return self._last_turn()

    def turned_to_over(self, is_tidying: Callable[[int], bool]) -> Turned | None:
        """The same, or the last of several between which facts at some places only tidy up."""
        return self._last_turn(is_tidying)

    def _last_turn(self, is_tidying: Callable[[int], bool] = lambda place: False) -> Turned | None:
        last = None
        for place in range(self.end, len(self.story.facts)):
            fact = self.story.facts[place]
            if isinstance(fact, Turned):
                last = fact
            elif not (self.story.is_of_the_track(place) or is_tidying(place)):
                break
        return last

    def passes_over_phases(self, calendar: Calendar, shown: Clock) -> bool:
        """Return whether the track, which shows a phase, is next advanced beyond the phase after it."""
        then = self.turned_to
        return then is not None and calendar.count(then.clock) - calendar.count(shown) > 1

    @property
    def battle(self) -> Battle | None:
        """The battle that the fact belongs to."""
        return self.story.battles.get(self.place)

    def is_on_its_way(self, counter: str) -> bool:
        """Return whether a counter is between two drags of one move here."""
        places = self.story.dragged.get(counter, ())
        last = bisect_right(places, self.place)
        drag = self.story.during.get(places[last - 1]) if last else None
        return drag is not None and self.place < drag.places[-1]

    def is_late(self, counter: str) -> bool:
        """Return whether an earlier move of a counter comes after this place."""
        late, facts, now = self.story.late.get(counter, ()), self.story.facts, self.story.reached[self.place]
        return any(place > self.place and facts[place].step < now for place in late)

    def following(self) -> Iterator[tuple[int, Fact]]:
        """The facts after this one, with their places, until the track is advanced."""
        for place in range(self.place + 1, self.end):
            yield place, self.story.facts[place]

    @property
    def then(self) -> Scene | None:
        """The place where the track is next advanced, and stays; None if it is not advanced any more."""
        places = range(self.end, len(self.story.facts))
        return next((Scene(self.story, at) for at in places if at in self.story.stands), None)

    def following_twice(self) -> Iterator[tuple[int, Fact]]:
        """The facts after this one until the track is advanced, and those in the phase that it shows then,
        without what was done in that phase for certain.
        """
        yield from self.following()
        then = self.then
        if then is not None:
            yield then.place, then.fact
            yield from (one for one in then.following() if not one[1].sure)


def story_of(game: Game, log: LoggedFacts, idiom: Idiom, first: str = "") -> Story:
    """Put the facts of a log in order.

    A counter that was dragged out and back before a declared roll for having entered a hex has moved twice,
    and was not put back. A move that a counter announced, such as a retreat, ends when another is announced,
    or when a counter of its side moves without an announcement; no move continues after the declaration that
    set-up is complete. ``first`` is the side that begins.
    """
    rolling, beginning, announcing = idiom.rolling, idiom.beginning, idiom.announced
    places = {name: standing.place for name, standing in log.opening.items()}
    known = without_packing_up(game, places, tuple(from_where_they_were(places, _in_order(log))))
    apart = tuple(without_attackers_on_their_target(known))
    stayed = tuple(without_outings(game, apart, idiom.overhead, beginning, idiom.out_of, rolling))
    moved = tuple(without_trials(game, stayed, beginning))
    facts = tuple(_rolled(game, fact, rolling) for fact in leaving_before_coming(game, moved))
    settled = without_corrections(game, facts, idiom.chosen)
    found = on_their_way_first(without_advances_taken_back(game, settled, log.clock, first))
    leaving = frozenset(name for name, meant in announcing.items() if meant.verb == RETREAT)
    found = advances_after_retreats(game, found, battles_in(game, found, places, rolling), leaving)
    ends, battles = _ends(found), battles_in(game, found, places, rolling)
    reach_of_consequences(game, found, battles, ends)
    drags, during = _drags(game, found, beginning, idiom.entering, announcing)
    reached = tuple(accumulate((fact.step for fact in found), max))
    late: dict[str, list[int]] = {}
    for place, fact in enumerate(found):
        if isinstance(fact, Shifted) and fact.step < reached[place]:
            late.setdefault(fact.counter, []).append(place)
    return Story(found, battles, drags, during, ends, reached, late)


def _rolled(game: Game, fact: Fact, rolling: frozenset[str]) -> Fact:
    """The roll contained in a declaration with the die of a battle."""
    known = game.declarations.get(fact.declaration) if isinstance(fact, Declared) else None
    if known is None or not isinstance(fact, Declared) or known.dice not in rolling or not fact.faces:
        return fact
    return Rolled(
        step=fact.step,
        side=fact.side,
        dice=known.dice,
        faces=fact.faces,
        battle=fact.battle,
        counter=fact.counter,
        declaration=fact.declaration,
        check=fact.check,
    )


def _in_order(log: LoggedFacts) -> tuple[Fact, ...]:
    """All facts; automatic changes of the turn track just before it is advanced come after its advance."""
    found: list[Fact] = []
    keeping: list[Fact] = []
    for step in log.steps:
        if any(isinstance(fact, Turned) and fact.begun for fact in step.facts):
            found += [*keeping, *step.facts]
            keeping = []
            continue
        if step.facts and _is_kept(step.facts):
            keeping += step.facts
            continue
        turned = [fact for fact in step.facts if isinstance(fact, Turned)]
        if turned:
            found += [fact for fact in step.facts if fact not in turned]
            found += [turned[-1], *keeping]
            keeping = []
        elif step.facts:
            found += keeping
            keeping = []
            found += step.facts
    return (*found, *keeping)


def _is_kept(happened: Sequence[Fact]) -> bool:
    """Whether everything in a step is an automatic change of the turn track; ends of states with battles
    count.
    """
    if any(isinstance(fact, LeftBattle) for fact in happened):
        return all(isinstance(fact, LeftBattle) or _is_taken_off(fact) for fact in happened)
    return all(map(is_housekeeping, happened))


def _is_taken_off(fact: Fact) -> bool:
    return isinstance(fact, Changed) and fact.new == 0


def _ends(found: Sequence[Fact]) -> tuple[int, ...]:
    ends = [len(found)] * len(found)
    end = len(found)
    for place in range(len(found) - 1, -1, -1):
        if isinstance(found[place], Turned):
            end = place
        ends[place] = end
    return tuple(ends)


def _drags(
    game: Game,
    found: Sequence[Fact],
    beginning: frozenset[str],
    entering: Collection[str],
    announcing: Collection[str],
) -> tuple[dict[int, Drag], dict[int, Drag]]:
    """Combine the drags of each counter that are one move.

    It ends when something else is done with the counter or with one that was last dragged together with it.
    """
    drags: dict[int, Drag] = {}
    during: dict[int, Drag] = {}
    open_: dict[str, list[int]] = {}
    announced: set[str] = set()

    def close(counter: str, entered: bool = False) -> None:
        places = open_.pop(counter, [])
        announced.discard(counter)
        if not places:
            return
        drag = _drag(found, counter, places)
        if entered and len(drag.points) == 1:
            drags.update((place, _drag(found, counter, [place])) for place in places)
            return
        first = _moved_once(found, places) if len(drag.points) > 1 else len(places)
        parts = [_drag(found, counter, part) for part in (places[:first], places[first:]) if part]
        for number, part in enumerate(parts):
            drags[part.places[-1]] = move = evolve(part, tried=number > 0)
            during.update(dict.fromkeys(part.places[:-1], move))

    def close_announced(counter: str, step: int) -> None:
        side = game.counters[counter].side
        for name in [one for one in announced if one != counter and one in open_]:
            if game.counters[name].side == side and found[open_[name][-1]].step != step:
                close(name)

    for place, fact in enumerate(found):
        if isinstance(fact, Shifted):
            if _on_map(game, fact) and fact.counter not in announced:
                close_announced(fact.counter, fact.step)
            if _on_map(game, fact):
                side = game.counters[fact.counter].side
                for counter in [name for name in open_ if name != fact.counter]:
                    has_come = not _on_map(game, found[open_[counter][0]])
                    apart = found[open_[counter][-1]].step != fact.step
                    if game.counters[counter].side != side or (has_come and apart):
                        close(counter)
            elif fact.target not in game.map.grid and not _is_back(found, open_.get(fact.counter, []), fact):
                close(fact.counter)
            open_.setdefault(fact.counter, []).append(place)
        elif isinstance(fact, Turned | Resolved | Rolled) or _begins(fact, beginning):
            for counter in list(open_):
                close(counter)
        elif isinstance(fact, Declared | Changed | Stepped | JoinedBattle) and fact.counter:
            entered = isinstance(fact, Declared) and fact.declaration in entering
            for counter in _dragged_together(found, open_, fact.counter):
                close(counter, entered and counter == fact.counter)
            if isinstance(fact, Declared) and fact.declaration in announcing:
                close_announced(fact.counter, fact.step)
                announced.add(fact.counter)
    for counter in list(open_):
        close(counter)
    return drags, during


def _moved_once(found: Sequence[Fact], places: Sequence[int]) -> int:
    """The number of drags after which a counter is first where it is in the end: then it was only tried.

    Drags before it was back at its start do not count: they were undone.
    """
    origin = getattr(found[places[0]], "origin", UNKNOWN)
    ends = [getattr(found[place], "target", UNKNOWN) for place in places]
    since = max((number + 1 for number, end in enumerate(ends) if end == origin), default=0)
    return ends.index(ends[-1], since) + 1


def _begins(fact: Fact, beginning: frozenset[str]) -> bool:
    return isinstance(fact, Declared) and fact.declaration in beginning


def _dragged_together(found: Sequence[Fact], open_: Mapping[str, list[int]], counter: str) -> list[str]:
    """A counter on its way, after those that were last dragged in the same step as it."""
    if counter not in open_:
        return []
    step = found[open_[counter][-1]].step
    together = [name for name, places in open_.items() if found[places[-1]].step == step]
    return [*(name for name in together if name != counter), counter]


def _is_back(found: Sequence[Fact], places: Sequence[int], fact: Shifted) -> bool:
    """Whether a drag puts a counter back into the box from which its move began."""
    first = found[places[0]] if places else None
    return isinstance(first, Shifted) and first.origin == fact.target


def _on_map(game: Game, fact: Fact) -> bool:
    return isinstance(fact, Shifted) and fact.origin in game.map.grid and fact.target in game.map.grid


def _drag(found: Sequence[Fact], counter: str, places: Sequence[int]) -> Drag:
    shifts = [found[place] for place in places]
    steps = {fact.step for fact in shifts}
    between = found[places[0] : places[-1]]
    plain = all(fact.step in steps or isinstance(fact, Remark | Mentioned) for fact in between)
    raw = tuple(_points(shifts))
    points = tuple(_without_loops(raw))
    return Drag(counter, tuple(places), points, plain, len(points) == len(raw))


def _points(shifts: Sequence[Fact]) -> Iterator[str]:
    for number, fact in enumerate(shifts):
        assert isinstance(fact, Shifted)
        if number == 0:
            yield fact.origin
        yield fact.target


def _without_loops(points: Iterable[str]) -> list[str]:
    """The points without those that were undone: returning to a place removes everything in between."""
    found: list[str] = []
    for point in points:
        if point in found:
            del found[found.index(point) + 1 :]
        else:
            found.append(point)
    return found
