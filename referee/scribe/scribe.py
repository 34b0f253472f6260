"""Reads the facts of logs as actions, and keeps the resulting position."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.idiom import Idiom
from referee.engine.position import World
from referee.record import At, Place
from referee.scribe import facts
from referee.scribe.adoption import adoption
from referee.scribe.alternatives import CautiousReader
from referee.scribe.any_order import doubt_the_order
from referee.scribe.draft import Draft
from referee.scribe.fact_finder import LoggedFacts
from referee.scribe.facts import Standing
from referee.scribe.joining import JoinedLogs, join_logs
from referee.scribe.left_out import LeftOut
from referee.scribe.markers import take_over_markers
from referee.scribe.reader import standings
from referee.scribe.reading import Certainty, Unjudged
from referee.scribe.second_readings import doubt_by_second_readings
from referee.scribe.shifted_track import read_with_a_shifted_track
from referee.scribe.story import Story, story_of
from referee.scribe.undeclared_battles import lacks_answers
from referee.scribe.unkept_track import doubt_the_track
from vassalgen.problems import Failure

UNSEEN = 3
"""In how many phases of battles a log must show none for them to be fought without a trace."""
UNDICED = 2
"""How many battles must lack their dice for the dice of other battles and tests to be missing too."""


class Scribe:
    """Reads the logs of one game, one after the other, into a ``draft`` of their record."""

    def __init__(self, world: World, idiom: Idiom, *, cautious: bool = True) -> None:
        self.draft = Draft(world, idiom, world.rulebook.empty(world), cautious=cautious)

    def read(self, *logs: LoggedFacts) -> None:
        """Read more logs; those that fit together are read as one."""
        first = self.draft.log + 1
        for joined in join_logs(logs):
            self._read_joined(evolve(joined, first=first + joined.first))
        failed = ((number, *one) for number, log in enumerate(logs, first) for one in log.failures)
        self.draft.unjudged += [Unjudged(*one) for one in failed]

    def _read_joined(self, logs: JoinedLogs) -> None:
        draft = self.draft
        draft.log = logs.first
        readings, unread, unjudged = len(draft.readings), len(draft.unread), len(draft.unjudged)
        try:
            self._read(logs.facts)
        except Exception as error:
            self.draft.fail(0, Failure.of(error))
        draft = self.draft
        draft.readings[readings:] = map(logs.located, draft.readings[readings:])
        draft.unread[unread:] = [*map(logs.located_note, draft.unread[unread:]), *logs.unread]
        draft.unjudged[unjudged:] = map(logs.located_failure, draft.unjudged[unjudged:])
        draft.log = logs.last

    def _read(self, log: LoggedFacts) -> None:
        before, first = self.draft, len(self.draft.readings)
        self.draft = _read(before, log)
        if self.draft.cautious:
            self.draft = read_with_a_shifted_track(self.draft, log, first, partial(_read, before))
            doubt_by_second_readings(self.draft, log, first, _read, before)


def _read(before: Draft, log: LoggedFacts) -> Draft:
    """Return a draft continued with a log, which is read again if several battles in it lack their dice."""
    read = _read_once(before, log)
    lacks_dice = len(read.undiced - before.undiced) >= UNDICED and not read.left_out.some_dice
    return _read_once(before, log, lacks_dice=True) if lacks_dice and read.cautious else read


def _read_once(before: Draft, log: LoggedFacts, *, lacks_dice: bool = False) -> Draft:
    draft = before.copy()
    draft.players = {step.step: step.player for step in log.steps}
    idiom = draft.idiom
    rolling = frozenset(dice for dice, verb in idiom.dice.items() if verb in idiom.all_rolls)
    beginning = frozenset(name for name, verb in idiom.declared.items() if verb == idiom.begin)
    story = story_of(
        draft.game,
        log,
        rolling,
        beginning,
        idiom.entering,
        idiom.announced,
        idiom.overhead,
        idiom.out_of,
        idiom.chosen,
        draft.world.scenario.first,
        corrects=draft.corrects,
    )
    left_out = _left_out(draft, log, story, rolling)
    draft.left_out = evolve(left_out, some_dice=lacks_dice or left_out.some_dice)
    _open(draft, log)
    if draft.setting_up is None and any(_is_declared(fact, beginning) for fact in story.facts):
        draft.setting_up = True
    first, noted = len(draft.readings), len(draft.unread)
    reader = CautiousReader(draft, story, _changed(log, story), standings(log))
    for place in range(len(story.facts) + 1):
        reader.read(place)
    read = reader.draft
    read.suspect_early_marks()
    if read.cautious:
        doubt_the_track(read, story.facts, first, noted)
        doubt_the_order(read, story, first)
    return read


def _left_out(draft: Draft, log: LoggedFacts, story: Story, rolling: Collection[str]) -> LeftOut:
    """What a log does not contain. ``rolling`` are the dice of battles."""
    attacks = any(isinstance(fact, facts.JoinedBattle) and fact.role == "A" for fact in story.facts)
    dice = [fact for fact in story.facts if facts.has_dice(fact)]
    no_dice = all(getattr(fact, "dice", "") in draft.idiom.alone for fact in dice)
    combat = {*rolling, *draft.idiom.answers}
    fought = sum(draft.has_battles(draft.world.calendar.phase(clock)) for clock in story.stands.values())
    return LeftOut(
        announcements=log.silent,
        battles=no_dice and not attacks and fought >= UNSEEN,
        all_dice=no_dice and attacks,
        some_dice=lacks_answers(draft, story),
        commands=any(_is_by_button(story, place, combat) for place in range(len(story.facts))),
    )


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
