"""What players may have done without a trace in the log; tried when an action is illegal.

If the turn track skips phases, it is unknown what was done in them; and a casualty that is removed later in
the phase was already out of play. If such a reading of the events that led to an accusation breaks no rule,
nothing is proved: the accusation becomes ``unproven``, with the circumstance that would make it legal.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice, pairwise, product

from attrs import define, evolve, field, frozen

from referee.engine.actions import Action
from referee.engine.clock import Clock
from referee.engine.rulings import Breach, Grade
from referee.record import Place
from referee.scribe import facts
from referee.scribe.choosing import MAY_BE_UNDECLARED
from referee.scribe.done_later import (
    carry_out_early,
    forgotten_losses,
    losses_of_steps,
    marks,
    marks_off,
    of_no_later_battle,
    reduce_early,
    removals,
)
from referee.scribe.draft import Draft
from referee.scribe.excuses import (
    LEFT_ON,
    RESTS_ON_A_DOUBT,
    SET_BACK,
    WAS_DUE,
    WRONG_BUTTON,
    is_of_a_phase_not_over,
    is_of_a_wrong_button,
    rests_on_a_doubt,
    was_due,
    was_left_on,
)
from referee.scribe.moves import NOT_THE_PATH
from referee.scribe.moves_as_one import MovesAsOne, is_back
from referee.scribe.reader import (
    ADVANCED_LATE,
    Reader,
    comes_off_as_a_phase_ends,
    take,
)
from referee.scribe.reading import Certainty, Reading
from referee.scribe.skipped_phases import GONE_ON, PHASE_PASSED, excused, left_open, may_have_gone_on
from referee.scribe.story import NOT_READ, Drag, Scene, Story
from referee.scribe.unfinished import AFTER_THE_END, ends_before, is_left_undone, not_removed, remove

TRIED = 6
"""How many earlier actions of the accused are tried as the beginning of another reading."""
REMEMBERED = 400
"""How many facts earlier another reading may begin."""
MOST_WITHOUT_SUCCESS = 4
"""After this many accusations without another reading, none is looked for until the track advances."""
CASUALTIES_LATE = "units that are removed or reduced later count as already lost"
MARKED_LATE = "results that are marked later count as already carried out"
MARKS_OFF_EARLY = "markers that come off when a phase ends were removed before its end"
PUT_RIGHT = "its drags were one move, which was corrected"
PUT_RIGHT_LATER = "its drags were one move, which was corrected after others had acted"
BY_THE_ENDS = "the hexes over which it was dragged earlier were not its path"
IN_ITS_PHASE = "actions after the turn track was advanced belong to the phase that it shows"
AHEAD = "actions before the turn track was advanced belong to the phase that follows"
ROLLED_LATER = "the result of a battle was carried out before its die was rolled"
MARKS_OFF_LATE = "markers that were removed later had already come off"


@frozen(eq=False)
class Remembered:
    """A reader as it was before a place: its draft, and the drafts of moves that had begun."""

    draft: Draft
    begun: Mapping[int, Draft]


@frozen(eq=False)
class Alternative:
    """What players may have done before a place.

    ``says`` puts it in words, ``reader`` is the reader at that place; ``happened`` carries it out in a draft.
    """

    says: str
    reader: CautiousReader
    place: int
    happened: Callable[[Draft], None]


@define(eq=False)
class CautiousReader(Reader):
    """Reads in the simplest way; after an accusation it tries other readings from an earlier place on.

    ``since`` is the place at which the track was last advanced, ``earlier`` the place of the time before,
    ``remembered`` are the readers by place since then, ``without_success`` counts the accusations since the
    last one for which another reading was found.
    """

    remembered: dict[int, Remembered] = field(factory=dict)
    since: int = 0
    earlier: int = 0
    without_success: int = 0

    def read(self, place: int) -> None:
        """Read a fact; if it leads to an accusation, look for another reading with fewer."""
        before, first = self.draft, len(self.draft.readings)
        self._read_plainly(place)
        if self.draft is not before:
            first = _alike(before.readings, self.draft.readings)
        accused = [one for one in self.draft.readings[first:] if any(_illegal(one))]
        if not accused or not self.draft.cautious:
            return
        if place in self.remembered and self.without_success < MOST_WITHOUT_SUCCESS:
            other = self._more_innocent(place, accused)
            if other is not None:
                self.draft, self.story = other.draft, other.story
                self.begun, self.remembered = other.begun, other.remembered
                return
            self.without_success += 1
        self._leave_open(place, first)

    def _leave_open(self, place: int, first: int) -> None:
        """Make accusations unproven if the track leaves open in which phase the actions were done."""
        scene = Scene(self.story, place)
        for at in range(first, len(self.draft.readings)):
            reading = self.draft.readings[at]
            if not any(_illegal(reading)):
                continue
            if is_left_undone(self.draft, self.story, place, reading):
                self.draft.doubt(at, AFTER_THE_END, only=True)
                continue
            if was_left_on(self.draft, reading):
                self.draft.doubt(at, LEFT_ON, only=True)
                continue
            if is_of_a_wrong_button(self.draft, self.story, place, at):
                self.draft.doubt(at, WRONG_BUTTON, only=True)
                continue
            if may_have_gone_on(self.draft, reading, scene.fact if place < len(self.story.facts) else None):
                self.draft.doubt(at, GONE_ON, only=True)
                continue
            if was_due(self.draft, reading):
                self.draft.doubt(at, WAS_DUE, only=True)
                continue
            if is_of_a_phase_not_over(self.draft, self.story, place, reading):
                self.draft.doubt(at, SET_BACK, only=True)
                continue
            if clauses := rests_on_a_doubt(self.draft, at):
                self.draft.doubt(at, RESTS_ON_A_DOUBT, only=True, clauses=clauses)
                if not any(_illegal(self.draft.readings[at])):
                    continue
                reading = self.draft.readings[at]
            is_late = reading.before.clock < (self.draft.track or reading.before.clock)
            since, phases = self.since, self._passed_since(self.since, place) if is_late else ()
            if is_late and not phases:
                since, phases = self.earlier, self._passed_since(self.earlier, self.since)
            phases = phases or tuple(self._phases(place, reading.before.clock))
            if phases and (unless := left_open(self.draft, scene, since, phases, reading)):
                self.draft.doubt(at, unless, only=True)
                _take_off(self.draft, reading)
            elif phases and (clauses := excused(self.draft, phases, reading)):
                self.draft.doubt(at, PHASE_PASSED, only=True, clauses=clauses)

    def _passed_since(self, since: int, until: int) -> tuple[Clock, ...]:
        """The phases that the track skipped between two places at which it was advanced.

        After the last fact of the log, the phases up to the one that it shows in the end.
        """
        calendar, stands = self.draft.world.calendar, self.story.stands
        last = self.draft.track if until == len(self.story.facts) else stands.get(until)
        if last is None or until == since:
            return ()
        clock = stands.get(since, self.draft.opened or self.draft.beginning)
        if calendar.count(last) - calendar.count(clock) <= 1:
            return ()
        phases = [clock]
        while phases[-1] < last:
            phases.append(calendar.after(phases[-1]))
        return tuple(phases)

    def _read_plainly(self, place: int) -> None:
        """Read a fact in the simplest way; the state before it is kept as long as another reading is
        possible.
        """
        if place in self.story.stands:
            self.remembered = {at: one for at, one in self.remembered.items() if at >= self.since}
            self.earlier, self.since, self.without_success = self.since, place, 0
        self.remembered[place] = Remembered(self.draft.copy(), dict(self.begun))
        if len(self.remembered) > REMEMBERED:
            del self.remembered[next(iter(self.remembered))]
        super().read(place)

    def _more_innocent(self, place: int, accused: Sequence[Reading]) -> CautiousReader | None:
        """Another reading of what led to an accusation, without any accusation; None if there is none.

        It must not leave more unread, nor take over more from the table, than the simple reading, nor lead to
        accusations later. Findings of the simple reading that the other one does not have are kept as
        unproven.
        """
        units = {name for one in accused for name in _accused(one)}
        for alternative in chain(self._removed_later(place, accused), self._alternatives(place, units)):
            before = alternative.reader.draft
            doubts = _doubts(self.draft.readings[len(before.readings) :])
            if alternative.says == IN_ITS_PHASE:
                doubts += sum(1 for one in accused for _ in _illegal(one))
            other = alternative.reader.read_on(alternative, place, doubts)
            if (
                other is not None
                and other._unread(before) <= self._unread(before)
                and other._accused_until_the_track_moves(place) <= self._accused_until_the_track_moves(place)
            ):
                since = len(before.readings)
                known = {breach.says for breach in _serious(other.draft.readings[since:])}
                serious = {one.says: one for one in _serious([*self.draft.readings[since:], *accused])}
                lost = [one for says, one in serious.items() if says not in known]
                if alternative.says == PUT_RIGHT:
                    return other
                if not lost or other.draft.suspect(lost, alternative.says, since):
                    return other
        return None

    def _removed_later(self, place: int, accused: Sequence[Reading]) -> Iterator[Alternative]:
        """Assume that the units in the way of the accused are removed after the end of the log."""
        if ends_before(self.story, place):
            now, scene = self._back_to(place, self.story), Scene(self.story, place)
            if names := not_removed(now.draft, self.story, place, accused):
                yield Alternative(AFTER_THE_END, now, place, partial(remove, scene=scene, names=names))

    def _alternatives(self, place: int, units: Collection[str]) -> Iterator[Alternative]:
        now = self._back_to(place, self.story)
        over = place == len(self.story.facts)
        later = [] if over else list(Scene(self.story, place).following_twice())
        until = max((at for at, _ in later), default=place) + 1
        forgotten = forgotten_losses(now.draft, self.story, until)
        found = list(removals(now.draft, self.story, [*later, *forgotten]))
        lost = list[Scene]()
        for scenes in (
            list(of_no_later_battle(found, later)),
            [one for one in found if one.place < until],
            found,
        ):
            if len(scenes) > len(lost):
                lost = scenes
                yield Alternative(CASUALTIES_LATE, now, place, partial(carry_out_early, scenes=lost))
        if again := list(losses_of_steps(now.draft, self.story, later)):
            yield Alternative(CASUALTIES_LATE, now, place, partial(reduce_early, scenes=again, before=lost))
        if marked := list(marks(now.draft, self.story, later)):
            yield Alternative(MARKED_LATE, now, place, partial(carry_out_early, scenes=[*lost, *marked]))
        if left := list(marks_off(now.draft, self.story, later)):
            yield Alternative(MARKS_OFF_LATE, now, place, partial(carry_out_early, scenes=left))
        for at, die in islice(self._rolled_later(place, units), TRIED):
            rolled = partial(_roll, scene=Scene(self.story, die))
            yield Alternative(ROLLED_LATER, self._back_to(at, self.story), at, rolled)
        if off := [at for at in self.remembered if self.earlier <= at < place and self._comes_off(at)]:
            before = self._back_to(off[0], self.story)
            yield Alternative(MARKS_OFF_EARLY, before, off[0], _wait_for_the_end)
        if self.since < place and (late := self._done_in_the_phase_before()):
            yield late
        for at in islice(self._dice_of_tests(place), TRIED):
            yield Alternative(WRONG_BUTTON, self._back_to(at, self.story.without(at)), at, _nothing)
        if walked := self._walked(place, units):
            first, story = walked[0].places[0], self.story.by_their_ends(walked)
            yield Alternative(BY_THE_ENDS, self._back_to(first, story), first, _nothing)
        grid = self.draft.game.map.grid
        put_right = [
            (all(to in grid for one in moves for to in one.points), moves)
            for moves in self._moves_as_one.together(place, units)
        ]
        for moves in (moves for stays, moves in put_right if stays):
            yield from self._as_one(moves)
        for reader, at in islice(self._beginnings(place, units), TRIED):
            if reader.story is not self.story or reader.draft.position.clock > self._clock(at):
                yield Alternative(PHASE_PASSED, reader, at, _nothing)
            elif at < place:
                since = Scene(self.story, at).following_twice()
                if lost := list(removals(reader.draft, self.story, since)):
                    yield Alternative(CASUALTIES_LATE, reader, at, partial(carry_out_early, scenes=lost))
            fact = self.story.facts[min(at, len(self.story.facts) - 1)]
            for clock in reader.passed(at):
                yield Alternative(PHASE_PASSED, reader, at, partial(_go_on, clock=clock, fact=fact))
        for moves in (moves for stays, moves in put_right if not stays):
            yield from self._as_one(moves)
        if ahead := self._done_in_the_phase_after(units):
            yield ahead

    def _as_one(self, moves: Sequence[Drag]) -> Iterator[Alternative]:
        """Assume that several moves of a counter were one, made with the first, the last or another of its
        drags, together with moves of others that were dragged along each time.
        """
        together = [moves, *self._moves_as_one.dragged_along(moves)]
        places = [[at for one in each for at in one.places] for each in together]
        first, last = min(each[0] for each in places), len(places[0]) - 1
        ends = (len(moves[0].places) - 1, last)
        between = [made for made in range(last) if made not in ends]
        is_late = any(isinstance(one, facts.Turned) for one in self.story.facts[first : places[0][-1]])
        groups = (together, [moves]) if together[1:] else ([moves],)
        for group, made in product(groups if first in self.remembered else (), (*ends, *between[:TRIED])):
            story = self.story
            for one, at in zip(group, places, strict=False):
                story = story.joined(*one, made=at[made])
            says = PUT_RIGHT if made in ends and (is_back(moves) or not is_late) else PUT_RIGHT_LATER
            yield Alternative(says, self._back_to(first, story), first, _nothing)

    @property
    def _moves_as_one(self) -> MovesAsOne:
        return MovesAsOne(self.draft, self.story, {at: one.draft for at, one in self.remembered.items()})

    def _done_in_the_phase_before(self) -> Alternative | None:
        """Assume that something read as done late, before the phase shown by the track, was done in that
        earlier phase.
        """
        track = self.draft.track
        before = self._back_to(self.since, self.story) if self.since in self.remembered else None
        if before is None or track is None or before.draft.track != track:
            return None
        if before.draft.position.clock >= track:
            return None
        fact = self.story.facts[self.since]
        return Alternative(IN_ITS_PHASE, before, self.since, partial(_go_on, clock=track, fact=fact))

    def _done_in_the_phase_after(self, units: Collection[str]) -> Alternative | None:
        """Assume that an action of the accused, read as done late, was done ahead of the phase shown by the
        track.
        """
        clock = self.story.stands.get(self.since)
        if clock is None:
            return None
        theirs = (
            at
            for at in self.remembered
            if self.earlier <= at < self.since and getattr(self.story.facts[at], "counter", "") in units
        )
        for at in theirs:
            draft = self.remembered[at].draft
            if draft.track is not None and draft.position.clock < draft.track:
                happened = partial(_go_on, clock=clock, fact=self.story.facts[at])
                return Alternative(AHEAD, self._back_to(at, self.story), at, happened)
        return None

    def _comes_off(self, place: int) -> bool:
        """Whether a mark is removed that comes off at the end of a phase."""
        fact = self.story.facts[place]
        return isinstance(fact, facts.Changed) and bool(comes_off_as_a_phase_ends(self.draft, fact))

    def _rolled_later(self, place: int, units: Collection[str]) -> Iterator[tuple[int, int]]:
        """The places where results of the accused's battles begin whose dice are rolled later in the phase,
        with the dice.
        """
        until = self.story.ends[place] if place < len(self.story.ends) else place
        for battle in dict.fromkeys(self.story.battles.values()):
            die = battle.dice[0] if battle.dice else until
            for at in range(battle.joined + 1, min(place + 1, die)) if die < until else ():
                name = getattr(self.story.facts[at], "counter", "")
                if at in self.remembered and name in battle.participants and battle.participants & {*units}:
                    yield at, die

    def _dice_of_tests(self, place: int) -> Iterator[int]:
        """The places of dice for a counter that were rolled by a button before a place, the last first."""
        for at in (at for at in reversed(self.remembered) if at < place):
            fact = self.story.facts[at]
            if isinstance(fact, facts.Rolled) and facts.is_bare(fact):
                verb = self.draft.idiom.dice.get(fact.dice, "")
                of_a_counter = bool({"PIECE", "PIECES"} & self.draft.slots(verb))
                if of_a_counter and verb not in self.draft.idiom.all_rolls:
                    yield at

    def _walked(self, place: int, units: Collection[str]) -> list[Drag]:
        """The moves of the accused before a place that were dragged over more hexes than the two ends."""
        drags = (self.story.drags.get(at) for at in self.remembered if at < place)
        return [
            drag
            for drag in drags
            if drag is not None
            and drag.counter in units
            and drag.direct
            and len(drag.points) > 2
            and drag.places[0] in self.remembered
        ]

    def _beginnings(self, place: int, units: Collection[str]) -> Iterator[tuple[CautiousReader, int]]:
        """Readers as they were before an action of the accused, the last first, each with its place.

        An apparent correction may have been made in two phases, and so may the drags of an apparent single
        move.
        """
        for at in reversed(self.remembered):
            fact = self.story.facts[min(at, len(self.story.facts) - 1)]
            drag = self.story.drags.get(at)
            if (
                drag is not None
                and drag.places[0] in self.remembered
                and (at == place or drag.counter in units)
            ):
                for part in reversed(drag.places[1:]):
                    yield from self._up_to(part, drag.places[0], self.story.parted(drag))
            if isinstance(fact, facts.Corrected):
                first, story = self.story.uncorrected(at)
                if fact.fact.counter in units and first in self.remembered:
                    yield from self._up_to(at, first, story)
            elif at == place or getattr(fact, "counter", "") in units:
                yield self._back_to(at, self.story), at
                if at == place and (ended := self._ended_earlier(at)):
                    yield ended, at

    def _up_to(self, at: int, first: int, story: Story) -> Iterator[tuple[CautiousReader, int]]:
        """The reader before a place, if another story from an earlier place on leads to no accusation."""
        reader = self._back_to(first, story)
        since = len(reader.draft.readings)
        for place in range(first, at):
            reader._read_plainly(place)
        if not any(any(_illegal(one)) for one in reader.draft.readings[since:]):
            yield reader, at

    def _clock(self, at: int) -> Clock:
        """The phase before a place."""
        return self.remembered[at].draft.position.clock

    def _ended_earlier(self, place: int) -> CautiousReader | None:
        """The reader before a place, if the phase ended before the last actions of those with whom something
        would be wrong if it ended here, and nothing would be wrong then; None if it did not.
        """
        found, wrong = self.story.facts, set[str]()
        clock = self.draft.world.calendar.after(self._clock(place))
        if clock not in self._phases(place, clock):
            return None
        for at in reversed(range(place + 1)):
            if at not in self.remembered or (at < place and getattr(found[at], "counter", "") not in wrong):
                return None
            reader = self._back_to(at, self.story)
            since = len(reader.draft.readings)
            _go_on(reader.draft, clock, found[min(at, len(found) - 1)])
            end = {word for breach in _serious(reader.draft.readings[since:]) for word in breach.words}
            wrong |= end
            if not end:
                for again in range(at, place):
                    reader._read_plainly(again)
                return reader if wrong and reader._is_innocent(since, 0) else None
        return None

    def _back_to(self, at: int, story: Story) -> CautiousReader:
        """The reader as it was before a place."""
        then = self.remembered[at]
        earlier = {place: one for place, one in self.remembered.items() if place < at}
        return evolve(self, draft=then.draft.copy(), story=story, begun=dict(then.begun), remembered=earlier)

    def read_on(self, alternative: Alternative, place: int, doubts: int) -> CautiousReader | None:
        """Read on up to a place after an assumption.

        None if there is still an accusation, or more than ``doubts`` findings are unproven.
        """
        other = evolve(
            self, draft=self.draft.copy(), begun=dict(self.begun), remembered=dict(self.remembered)
        )
        since = len(other.draft.readings)
        alternative.happened(other.draft)
        for again in range(alternative.place, place + 1):
            if not other._is_innocent(since, doubts):
                return None
            other._read_plainly(again)
        return other if other._is_innocent(since, doubts) else None

    def _accused_until_the_track_moves(self, place: int) -> int:
        """How much of what follows, read in the simplest way, would be illegal: an excuse must not lead to
        accusations of others.
        """
        if place == len(self.story.facts):
            return 0
        ahead = evolve(
            self, draft=self.draft.copy(), begun=dict(self.begun), remembered=dict(self.remembered)
        )
        since = len(ahead.draft.readings)
        for later in range(place + 1, self.story.ends[place]):
            ahead._read_plainly(later)
        return sum(1 for one in ahead.draft.readings[since:] for _ in _illegal(one))

    def _unread(self, before: Draft) -> int:
        """How much could not be read since a place: what was noted, and what was taken over from the table.

        Counters on their way are moved back and forth in the meantime, which does not count. Actions that may
        belong to an undeclared battle are read, and count among the doubts; a move of which only the ends
        count is read too.
        """
        on_their_way = {drag.counter for drag in self.story.during.values() if not drag.plain}
        contents = (reading.statement.content for reading in self.draft.readings[len(before.readings) :])
        adopted = sum(
            isinstance(content, Place) and not on_their_way.issuperset(content.pieces) for content in contents
        )
        noted = (one.text for one in self.draft.unread[len(before.unread) :])
        known = ADVANCED_LATE, MAY_BE_UNDECLARED, NOT_THE_PATH, NOT_READ
        return adopted + sum(not text.endswith(known) for text in noted)

    def _is_innocent(self, since: int, doubts: int) -> bool:
        read = self.draft.readings[since:]
        return not any(any(_illegal(one)) for one in read) and _doubts(read) <= doubts

    def passed(self, at: int) -> Iterator[Clock]:
        """The phases that the track skips until it stops after a place, and the phase where it stops.

        None if it advances phase by phase, or if players have noted the phase. At the end of a log it is
        assumed to skip as many as it ever did.
        """
        shown = self.draft.track or self.draft.position.clock
        after = max(shown, self.draft.position.clock)
        yield from (clock for clock in self._phases(at, shown) if clock > after)

    def _phases(self, at: int, first: Clock) -> Iterator[Clock]:
        """The phases, from the first one on, in which something may have been done, if the
        track skips any. A die rolled while it is advanced does not stop it.
        """
        if at == len(self.story.facts) or self.story.facts[at].sure:
            return
        calendar, found = self.draft.world.calendar, self.story.facts
        limit = Scene(self.story, at).turned_to_over(lambda place: facts.is_bare(found[place]))
        shown = self.draft.track or self.draft.position.clock
        far = calendar.count(limit.clock) - calendar.count(shown) if limit is not None else self._stride()
        if far <= 1:
            return
        clock = min(first, shown)
        while calendar.count(clock) <= calendar.count(shown) + far:
            yield clock
            clock = calendar.after(clock)

    def _stride(self) -> int:
        """The largest number of phases that the track skips at once in this log."""
        count = self.draft.world.calendar.count
        stands = pairwise(self.story.stands.values())
        return max((count(to) - count(since) for since, to in stands), default=0)


def _nothing(draft: Draft) -> None:
    """Nothing is assumed except that the story is a different one."""


def _roll(draft: Draft, scene: Scene) -> None:
    """Read the die of a battle before the preceding facts."""
    take(draft, scene)
    draft.moves.ahead.add(scene.place)


def _wait_for_the_end(draft: Draft) -> None:
    """Marks that come off from here on, before their phase has ended, stay on until it does."""
    draft.marks.coming_off = {}


def _go_on(draft: Draft, clock: Clock, fact: facts.Fact) -> None:
    """Go on to a phase beyond what the track shows."""
    if draft.track is not None and draft.position.clock < draft.track < clock:
        draft.go_on(draft.track, fact, Certainty.seen)
    draft.go_on(clock, fact, Certainty.inferred)


def _alike(readings: Sequence[Reading], others: Sequence[Reading]) -> int:
    """The number of identical readings in two drafts, from the beginning on."""
    pairs = enumerate(zip(readings, others, strict=False))
    return next((place for place, (one, other) in pairs if one is not other), min(len(readings), len(others)))


def _serious(readings: Iterable[Reading]) -> Iterator[Breach]:
    """The findings in readings that are more than slips."""
    for one in readings:
        if one.ruling is not None:
            yield from (breach for breach in one.ruling.breaches if breach.grade > Grade.slip)


def _doubts(readings: Sequence[Reading]) -> int:
    """The number of findings in readings that would be illegal if they were proved."""
    return sum(breach.grade is Grade.unproven for breach in _serious(readings))


def _illegal(reading: Reading) -> Iterator[Breach]:
    yield from (breach for breach in _serious([reading]) if breach.grade is Grade.illegal)


def _accused(reading: Reading) -> Iterator[str]:
    """The counters that a reading and its findings concern."""
    content = reading.statement.content
    if isinstance(content, Action):
        yield from content.pieces
    for breach in _illegal(reading):
        yield from (word for word in breach.words if word in reading.before.game.counters)


def _take_off(draft: Draft, reading: Reading) -> None:
    """Treat counters that were dragged off the hexes as lost."""
    action = reading.statement.content
    if isinstance(action, Action) and action.path and draft.is_off_the_hexes(action.end):
        for name in action.pieces:
            if box := draft.lost_box(name):
                draft.take_over(name, box, reading.steps[-1])
