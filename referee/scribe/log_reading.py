"""One log, read from its first fact to its last, and read again with other facts in some of its steps.

A log that differs in a few steps only is taken up again shortly before them, and left as soon as everything
stands as it did in the first reading.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

from attrs import define, evolve

from referee.engine.actions import Action
from referee.engine.clock import Clock
from referee.record import At, Place
from referee.scribe import facts
from referee.scribe.adoption import adoption
from referee.scribe.alternatives import CautiousReader
from referee.scribe.any_order import doubt_the_order
from referee.scribe.draft import Draft
from referee.scribe.fact_finder import LoggedFacts
from referee.scribe.facts import Standing
from referee.scribe.left_out import LeftOut
from referee.scribe.markers import take_over_markers
from referee.scribe.missing_dice import are_dice_missing
from referee.scribe.reader import standings
from referee.scribe.reading import Certainty
from referee.scribe.story import Story, story_of
from referee.scribe.undeclared_battles import lacks_answers, may_happen
from referee.scribe.unkept_track import doubt_the_track

UNSEEN = 2
"""In how many phases of battles a log must show results, but none of the battles."""
EARLIER = 2
"""How many advances of the turn track before the first difference a log is taken up again."""
PREPARED = 10
"""To put the facts of a log in order costs as much as to read one in so many of them."""
IN_A_ROW = 2
"""At so many advances in a row everything must stand as in the first reading, for the rest to be the same."""


@define(eq=False)
class LogReading:
    """A log as it was read, with the places where it can be taken up again.

    ``before`` is the draft that it continues, with the readings of this log from ``first`` and its notes from
    ``noted`` on; ``lacks_dice``: battles count as fought without their dice. ``stops`` are by place the
    drafts before the first actions after an advance of the turn track; ``end`` is that after the last fact.
    ``read_again`` counts the facts that have been read again so far.
    """

    before: Draft
    story: Story
    lacks_dice: bool
    first: int
    noted: int
    stops: Mapping[int, Draft]
    end: Draft
    read_again: int = 0

    @cached_property
    def draft(self) -> Draft:
        """The finished draft, with what only the whole log shows."""
        return self._finished(self.end.copy(), self.story)

    def again(self, log: LoggedFacts, *, die: int = 0) -> Draft | None:
        """Return the draft of the log with other facts in some of its steps.

        What the log leaves out, such as dice, is the same. None if the die in a step is named and nothing is
        read from it.
        """
        draft, story = _opened(self.before, log, self.lacks_dice)
        draft.left_out = self.end.left_out
        first, last = self._difference(story)
        earlier = [place for place in self.stops if place <= first]
        start = 0
        if len(earlier) > EARLIER:
            start = earlier[-1 - EARLIER]
            draft = self.stops[start].copy()
        reader = _reader(draft, story, log, start)
        in_a_row, more = 0, len(story.facts) - len(self.story.facts)
        for place in _stops(reader, story, start):
            if _is_unread(reader.draft, die):
                end = reader.draft
                break
            then = self.stops.get(place - more) if place > last else None
            in_a_row = in_a_row + 1 if then is not None and _open_in(then) == _open_in(reader.draft) else 0
            if then is not None and in_a_row == IN_A_ROW:
                end = _continued(reader.draft, then, self.end)
                break
        else:
            place, end = len(story.facts), reader.draft
        self.read_again += place - start + len(story.facts) // PREPARED
        draft = self._finished(end, story)
        return None if _is_unread(draft, die) else draft

    def _difference(self, story: Story) -> tuple[int, int]:
        """The first and the last place at which another story has other facts."""
        ours, theirs = self.story.facts, story.facts
        return _count_alike(ours, theirs), len(theirs) - 1 - _count_alike(ours[::-1], theirs[::-1])

    def _finished(self, draft: Draft, story: Story) -> Draft:
        draft.suspect_early_marks()
        if draft.cautious:
            doubt_the_track(draft, story.facts, self.first, self.noted)
            doubt_the_order(draft, story, self.first)
        return draft


def read_log(before: Draft, log: LoggedFacts) -> LogReading:
    """Read a log after a draft; it is read again if several dice are missing in it."""
    read = _read_once(before, log)
    if not before.cautious or read.end.left_out.some_dice:
        return read
    undiced = len(read.end.battles.undiced - before.battles.undiced)
    lacks_dice = are_dice_missing(read.end, read.first, undiced)
    return _read_once(before, log, lacks_dice=True) if lacks_dice else read


def _read_once(before: Draft, log: LoggedFacts, *, lacks_dice: bool = False) -> LogReading:
    draft, story = _opened(before, log, lacks_dice)
    first, noted = len(draft.readings), len(draft.unread)
    reader = _reader(draft, story, log)
    stops = {place: reader.draft.copy() for place in _stops(reader, story)}
    return LogReading(before, story, lacks_dice, first, noted, stops, reader.draft)


def _opened(before: Draft, log: LoggedFacts, lacks_dice: bool) -> tuple[Draft, Story]:
    """A draft with the position at the beginning of a log, and the story of the log."""
    draft, idiom = before.copy(), before.idiom
    draft.players = {step.step: step.player for step in log.steps}
    story = story_of(draft.game, log, idiom, draft.world.scenario.first)
    left_out = _left_out(draft, log, story)
    draft.left_out = evolve(left_out, some_dice=lacks_dice or left_out.some_dice)
    _open(draft, log)
    if draft.setting_up is None and any(_is_declared(fact, idiom.beginning) for fact in story.facts):
        draft.setting_up = True
    return draft, story


def _open_in(draft: Draft) -> tuple[object, ...]:
    """Everything on which it depends how a log is read on: if it is the same, so is the rest."""
    battles, marks, moves, dice = draft.battles, draft.marks, draft.moves, draft.dice
    return (
        (draft.position, draft.track, draft.turned, draft.lagging, draft.setting_up, draft.begun),
        ([(battle.number, battle.participants) for battle in battles.settling], battles.fought),
        {battle.number for battle in battles.overdue},
        {*battles.worded},
        (marks.laid, marks.dates, marks.coming_off, marks.left_on, marks.unmarked),
        (moves.underway, moves.spoke, moves.aside),
        {name: (verb, battle.number if battle else 0) for name, (verb, battle) in moves.hints.items()},
        (dice.until, dice.generic, dice.counters, dice.wrong),
    )


def _continued(draft: Draft, then: Draft, end: Draft) -> Draft:
    """A draft, continued as another one was from ``then`` until its ``end``."""
    since, more = len(then.readings), len(draft.readings) - len(then.readings)
    found = end.copy_with(
        [*draft.readings, *end.readings[since:]],
        [*draft.unread, *end.unread[len(then.unread) :]],
        [*draft.unjudged, *end.unjudged[len(then.unjudged) :]],
    )
    later = {place + more: breaches for place, breaches in end.marks.early.items() if place >= since}
    found.marks.early = {**draft.marks.early, **later}
    return found


def _is_unread(draft: Draft, step: int) -> bool:
    return bool(step) and any(one.step == step for one in draft.unread)


def _reader(draft: Draft, story: Story, log: LoggedFacts, start: int = 0) -> CautiousReader:
    return CautiousReader(draft, story, _changed(log, story), standings(log), since=start, earlier=start)


def _stops(reader: CautiousReader, story: Story, start: int = 0) -> Iterator[int]:
    """Read to the end; yield each place after an advance of the track at which no battle is still going on,
    before it is read.
    """
    fought = {at for one in story.battles.values() for at in range(one.first + 1, one.last + 1)}
    for place in range(start, len(story.facts) + 1):
        if place in story.stands and place not in fought:
            yield place
        reader.read(place)


def _count_alike(found: Sequence[facts.Fact], others: Sequence[facts.Fact]) -> int:
    """How many facts at the beginning of two stories are the same."""
    pairs = enumerate(zip(found, others, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(found), len(others)))


def _left_out(draft: Draft, log: LoggedFacts, story: Story) -> LeftOut:
    """What a log does not contain."""
    attacks = any(isinstance(fact, facts.JoinedBattle) and fact.role == "A" for fact in story.facts)
    dice = [fact for fact in story.facts if facts.has_dice(fact)]
    no_dice = all(getattr(fact, "dice", "") in draft.idiom.alone for fact in dice)
    combat = {*draft.idiom.rolling, *draft.idiom.answers}
    return LeftOut(
        announcements=log.silent,
        battles=no_dice and not attacks and len({*_with_results(draft, log, story)}) >= UNSEEN,
        all_dice=no_dice and attacks,
        some_dice=lacks_answers(draft, story),
        commands=any(_is_by_button(story, place, combat) for place in range(len(story.facts))),
    )


def _with_results(draft: Draft, log: LoggedFacts, story: Story) -> Iterator[Clock]:
    """The phases of battles in which something happens that is no move of the side whose phase it is."""
    calendar, clock = draft.world.calendar, log.clock or draft.beginning
    for fact in story.facts:
        if isinstance(fact, facts.Turned):
            clock = fact.clock
        elif isinstance(fact, facts.CounterFact) and draft.has_battles(calendar.phase(clock)):
            own = draft.game.counters[fact.counter].side == calendar.side(clock)
            if may_happen(draft, fact) and not (own and isinstance(fact, facts.Shifted)):
                yield clock


def _is_by_button(story: Story, place: int, combat: Collection[str]) -> bool:
    """Whether a button alone rolls dice of battles, or any dice in a battle that has none of its own."""
    fact, battle = story.facts[place], story.battles.get(place)
    lacks_its_own = battle is not None and not battle.dice
    return facts.is_bare(fact) and (lacks_its_own or getattr(fact, "dice", "") in combat)


def _open(draft: Draft, log: LoggedFacts) -> None:
    """Take over the counters at the beginning of a log: all of them for the first log, later only
    differences.
    """
    if draft.log == 0:
        clock = log.clock or draft.beginning
        draft.state(At(clock, underway=clock != draft.beginning), 0, Certainty.seen)
    elif log.clock is not None:
        draft.state(At(log.clock, underway=True), 0, Certainty.adopted)
    draft.forget_battles()
    draft.track = draft.opened = log.clock or draft.track or draft.position.clock
    begins = draft.log == 0 and draft.position.clock == draft.beginning and draft.world.scenario.face_down
    turned = [name for name, standing in log.opening.items() if begins and _is_face_up(draft, standing)]
    changed: list[tuple[Place, list[str]]] = []  # counters in the same state, with that state
    grid, opening = draft.game.map.grid, log.opening
    on_map = (name for name, piece in draft.position.pieces.items() if piece.where in grid)
    deleted = {name: Standing() for name in on_map if name not in opening} if draft.log > 0 else {}
    for name, seen in (*opening.items(), *deleted.items()):
        standing = evolve(seen, face="down") if name in turned else seen
        place = adoption(draft, name, standing, everything=draft.log == 0, begins=True)
        if place is None:
            continue
        stand = evolve(place, pieces=())
        alike = [names for other, names in changed if other == stand]
        if alike:
            alike[0].append(name)
        else:
            changed.append((stand, [name]))
    for place, names in changed:
        draft.state(evolve(place, pieces=tuple(names)), 0, Certainty.adopted)
    take_over_markers(draft, log)
    for name in turned:
        draft.act(Action(draft.idiom.faces[0], (name,)), facts.Fact(step=0), Certainty.seen)
    draft.begun = draft.position if draft.position.clock != draft.beginning else None
    if draft.log > 0 and changed:
        moved = ", ".join(name for _, names in changed for name in names)
        draft.remark(0, f"{log.log} does not begin where the log before it ended: {moved}")


def _is_face_up(draft: Draft, standing: Standing) -> bool:
    """Whether a counter on the map that can be turned down is face up."""
    is_turned = bool(draft.idiom.faces[0]) and standing.face == "up"
    return is_turned and standing.place in draft.game.map.grid


def _changed(log: LoggedFacts, story: Story) -> dict[int, tuple[str, ...]]:
    """The counters changed by each step of which something is read.

    A counter moved by such a step, without any reading of the move, may be put back in a step that is not
    read either: then it was in its place all the time. If this is true of no other counter, it shows after
    the next step.
    """
    read: dict[int, set[str]] = {}
    for fact in story.facts:
        read.setdefault(fact.step, set()).add(getattr(fact, "counter", ""))
    places = {name: standing.place for name, standing in log.opening.items()}
    coming = _places_to_come(log, places)
    found: dict[int, tuple[str, ...]] = {}
    homes, back, away = dict[str, str](), list[str](), dict[str, str]()
    for step in log.steps:
        moved = {name for name, one in step.after.items() if one.place != places.get(name)}
        unread = moved - read.get(step.step, set())
        for name in moved:
            coming[name].pop()
            home = away.pop(name, places.get(name, ""))
            is_back = step.after[name].place == home
            if name in unread and not is_back and _comes_back(name, home, coming[name], read):
                away[name] = home
        if step.step in read:
            found[step.step] = tuple(dict.fromkeys(one for one in (*step.after, *back) if one not in away))
            back = []
            for name in moved:
                homes.pop(name, None)
            homes |= {name: places.get(name, "") for name in unread}
        else:
            back += (name for name in moved if homes.pop(name, None) == step.after[name].place)
        places |= {name: step.after[name].place for name in moved}
    return found


def _places_to_come(log: LoggedFacts, places: Mapping[str, str]) -> dict[str, list[tuple[int, str]]]:
    """The places of each counter in the steps of a log, each with the step, the last first."""
    known, coming = dict(places), dict[str, list[tuple[int, str]]]()
    for step in log.steps:
        for name, one in step.after.items():
            if one.place != known.get(name):
                coming.setdefault(name, []).append((step.step, one.place))
                known[name] = one.place
    for last_first in coming.values():
        last_first.reverse()
    return coming


def _comes_back(
    name: str, home: str, coming: Sequence[tuple[int, str]], read: Mapping[int, set[str]]
) -> bool:
    """Whether a counter is put back where it was, without any reading of it until then."""
    for step, place in reversed(coming):
        if name in read.get(step, ()):
            return False
        if place == home:
            return True
    return False


def _is_declared(fact: facts.Fact, declarations: frozenset[str]) -> bool:
    return isinstance(fact, facts.Declared) and fact.declaration in declarations
