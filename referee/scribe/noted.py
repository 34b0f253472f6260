"""Facts of a log with the notes of players and umpire, which are true unless the log contradicts them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from attrs import define, evolve, field

from referee.engine.clock import Calendar, Clock
from referee.engine.position import World
from referee.notes import NO_NOTES, NOTHING, Agreed, DieFor, InPhase, Note, Notes, Steps, TakenBack, Turn
from referee.record.forms import Names
from referee.scribe.engagements import is_housekeeping
from referee.scribe.fact_finder import LoggedFacts, StepFacts
from referee.scribe.facts import (
    CalledOff,
    Changed,
    Declared,
    Faced,
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
from vassalgen.game.game import Game, unknown
from vassalgen.problems import BadInput, FormatError, Problem

Aspect: TypeAlias = tuple[str, ...]
"""The part of a counter that a fact changes: its place, its steps, a state, its face."""


def check(logs: Sequence[LoggedFacts], notes: Notes, world: World) -> None:
    """Raise BadInput for notes that contradict the logs, or that refer to a step, log, phase or clause that
    does not exist.
    """
    problems = [problem for note in notes.notes for problem in _nowhere(logs, notes, note, world)]
    if problems:
        raise BadInput(problems)
    for number, log in enumerate(logs):
        noted(log, number, notes, world)


def _nowhere(logs: Sequence[LoggedFacts], notes: Notes, note: Note, world: World) -> Iterator[Problem]:
    where, count = note.where, len(logs)
    if isinstance(where, Steps):
        if not where.log and count > 1:
            yield notes.problem(note, f"there are {count} logs", f"say which one: 'log 1, {where}'")
        elif where.log > count:
            right = "there is only one log" if count == 1 else f"the last one is log {count}"
            yield notes.problem(note, f"there is no log {where.log}", right)
        else:
            log = logs[max(where.log, 1) - 1]
            if not 1 <= where.first <= where.last <= log.count:
                step = where.first if where.first < 1 else where.last
                yield notes.problem(note, f"{log.log} has no step {step}", f"its last step is {log.count}")
    else:
        try:
            world.calendar.read(str(where))
        except ValueError as error:
            yield notes.problem(note, str(error))
    clauses = world.game.clauses
    for clause in note.says.clauses if isinstance(note.says, Agreed) else ():
        if clause not in clauses:
            yield notes.problem(note, f"there is no clause {clause!r}", unknown(clause, tuple(clauses)))


def noted(log: LoggedFacts, number: int, notes: Notes, world: World) -> LoggedFacts:
    """Return a log as the notes say it was played; ``number`` is its index among the logs, from 0. BadInput
    if the log contradicts a note.
    """
    mine = [note for note in notes.notes if isinstance(note.where, Steps) and _of_log(note.where, number)]
    if all(isinstance(note.says, Agreed) for note in mine):
        return log
    amended = _AmendedLog(log, notes, world, mine)
    steps = tuple(step for place in range(len(log.steps)) for step in amended.step(place))
    if amended.problems:
        raise BadInput(amended.problems)
    return evolve(log, steps=steps)


def phases_at(log: LoggedFacts, step: int, world: World) -> tuple[Clock, ...]:
    """Return the phases in which a step may have been done, beginning with the one that the
    turn track shows.
    """
    amended = _AmendedLog(log, NO_NOTES, world, ())
    for place, one in enumerate(log.steps):
        if one.step >= step:
            break
        tuple(amended.step(place))
    else:
        return ()
    _, clock, last = amended.span(place)
    last = last or Clock(clock.turn, len(world.calendar.stops) - 1)
    found = [clock]
    while clock < last:
        clock = world.calendar.after(clock)
        found.append(clock)
    return tuple(found)


def bare_dice(log: LoggedFacts, step: int) -> tuple[int, ...]:
    """Return the steps, up to a given one, at which dice of unknown purpose were last rolled.

    They are those of one phase of the turn track.
    """
    found: list[int] = []
    turned = False
    for fact in (fact for one in log.steps if one.step <= step for fact in one.facts):
        if isinstance(fact, Turned):
            turned = True
        elif _is_bare(fact):
            found = [fact.step] if turned else [*found, fact.step]
            turned = False
    return tuple(dict.fromkeys(found))


def is_about(where: Steps | Turn, log: int, steps: Sequence[int], clock: Clock, calendar: Calendar) -> bool:
    """Return whether a note is about the findings at some steps of a log."""
    if isinstance(where, Steps):
        return _of_log(where, log) and any(where.first <= step <= where.last for step in steps)
    if not where.phase:
        return clock.turn == where.number
    return clock == calendar.read(str(where))


def _of_log(where: Steps, number: int) -> bool:
    return max(where.log, 1) == number + 1


@define(eq=False)
class _AmendedLog:
    """A log with the notes, step by step.

    ``at`` is where the counters are, ``shown`` what the turn track shows and ``earlier`` what it showed
    before that, ``meant`` the phase that a note replaces it by. ``fought`` are the hexes of this phase's
    battles by number, ``joined`` their attackers, ``back`` says how undone steps are to be corrected.
    """

    log: LoggedFacts
    notes: Notes
    world: World
    mine: Sequence[Note]
    problems: list[Problem] = field(factory=list)
    at: dict[str, str] = field(factory=dict)
    shown: Clock | None = None
    earlier: Clock | None = None
    meant: Clock | None = None
    fought: dict[int, str] = field(factory=dict)
    joined: dict[int, set[str]] = field(factory=dict)
    back: dict[Aspect, object] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.at.update((name, standing.place) for name, standing in self.log.opening.items())
        self.shown = self.log.clock

    def step(self, place: int) -> Iterator[StepFacts]:
        """Yield a step: its facts as the notes say, after the phase in which they say it was done."""
        step = self.log.steps[place]
        notes = {type(note.says): note for note in self.mine if _is_in(note, step.step)}
        phase = notes.get(InPhase)
        if phase is not None:
            yield from self._in_phase(place, phase)
        elif self.meant is not None and self.shown is not None and self.meant < self.shown and step.facts:
            self.meant = None
            yield _turned(step, self.shown)
        found = step.facts if TakenBack in notes else tuple(self._without_the_way_back(step))
        if TakenBack in notes:
            self._take_back(found)
            says = f"what was done in this step was taken back ({notes[TakenBack].by})"
            found = (Remark(step=step.step, text=says),)
        elif DieFor in notes:
            found = self._with_purpose(found, notes[DieFor])
        if phase is not None:
            found = tuple(evolve(fact, sure=True) for fact in found)
        self._remember(step)
        yield evolve(step, facts=tuple(fact for fact in found if not self._is_overtaken(fact)))

    def _remember(self, step: StepFacts) -> None:
        self.at.update((name, standing.place) for name, standing in step.after.items())
        for fact in step.facts:
            if isinstance(fact, Turned):
                self.earlier, self.shown = self.shown, fact.clock
                self.fought.clear()
                self.joined.clear()
            elif isinstance(fact, JoinedBattle) and fact.role == "D":
                self.fought[fact.battle] = fact.place
            elif isinstance(fact, JoinedBattle):
                self.joined.setdefault(fact.battle, set()).add(fact.counter)
            elif isinstance(fact, LeftBattle):
                self.joined.get(fact.battle, set()).discard(fact.counter)
            elif isinstance(fact, CalledOff):
                self.fought.pop(fact.battle, None)

    def _wrong(self, note: Note, wrong: str, right: str = "") -> None:
        self.problems.append(self.notes.problem(note, wrong, right))

    # Phases

    def _in_phase(self, place: int, note: Note) -> Iterator[StepFacts]:
        step = self.log.steps[place]
        assert isinstance(note.says, InPhase)
        clock = self._clock(place, note, note.says.phase)
        if clock is None:
            return
        if clock != (self.meant or self.shown):
            self.meant = clock
            yield _turned(step, clock)

    def _clock(self, place: int, note: Note, words: str) -> Clock | None:
        """The phase that a note names, None if the turn track makes it impossible."""
        calendar = self.world.calendar
        first, now, last = self.span(place)
        turns = range(first.turn, (last.turn if last is not None else now.turn + 1) + 1)
        dated = words.lower().startswith("turn ")
        try:
            named = [calendar.read(words if dated else f"turn {turn}, {words}") for turn in turns]
        except ValueError as error:
            self._wrong(note, str(error))
            return None
        fitting = [one for one in named if first <= one and (last is None or one <= last)]
        if not fitting:
            until = f"and {calendar.say(last)} next" if last is not None else "and is not advanced after it"
            self._wrong(
                note,
                f"step {self.log.steps[place].step} was not done in {words}: the turn track showed "
                f"{calendar.say(self.shown or now)} {until}",
                f"a phase from {calendar.say(first)}" + (f" to {calendar.say(last)}" if last else ""),
            )
            return None
        return next((one for one in fitting if now <= one), fitting[0])

    def span(self, place: int) -> tuple[Clock, Clock, Clock | None]:
        """The first phase in which a step may have been done, the one that is shown, and the last if any."""
        now = self.meant or self.shown or Clock(self.world.calendar.first_turn)
        return self.meant or self.earlier or now, now, self._shown_next(place)

    def _shown_next(self, place: int) -> Clock | None:
        """What the turn track shows at the next action after it was advanced, None if it is not advanced."""
        found: Clock | None = None
        for step in self.log.steps[place:]:
            for fact in step.facts:
                if isinstance(fact, Turned):
                    found = fact.clock
                elif found is not None and not _keeps_house(fact):
                    return max(found, self.shown or found)
        return max(found, self.shown or found) if found is not None else None

    def _is_overtaken(self, fact: Fact) -> bool:
        """Whether the track is only advanced to where the players were already, according to a note."""
        if not isinstance(fact, Turned) or self.meant is None:
            return False
        if fact.clock <= self.meant:
            return True
        self.meant = None
        return False

    # Dice

    def _with_purpose(self, found: tuple[Fact, ...], note: Note) -> tuple[Fact, ...]:
        """The facts of a step with the purpose of its die."""
        assert isinstance(note.says, DieFor)
        assert isinstance(note.where, Steps)
        bare = [fact for fact in found if isinstance(fact, Rolled) and not fact.declaration]
        if not bare:
            if any(isinstance(fact, Resolved | Declared | Rolled) and fact.faces for fact in found):
                wrong = f"the die of step {note.where.last} already has a purpose in its announcement"
            else:
                wrong = f"no die was rolled in step {note.where.last}"
            self._wrong(note, wrong, self._bare_dice())
            return found
        target = self._target(note, note.says.target)
        if target is None:
            return found
        if target == NOTHING:
            says = f"the die was rolled for nothing ({note.by})"
            return tuple(Remark(step=fact.step, text=says) if fact in bare else fact for fact in found)
        battle = next((one for one, hex_ in reversed(self.fought.items()) if hex_ == target), 0)
        attackers = self._attackers(note, target, battle)
        if attackers is None:
            return found
        return tuple(
            evolve(fact, purpose=target, battle=battle, attackers=attackers)
            if isinstance(fact, Rolled) and fact in bare
            else fact
            for fact in found
        )

    def _attackers(self, note: Note, target: str, battle: int) -> tuple[str, ...] | None:
        """The counters that attacked a hex according to a note; None if that is impossible."""
        assert isinstance(note.says, DieFor)
        game, found = self.world.game, list[str]()
        for words in note.says.attackers:
            counter = self._counter(note, words)
            if counter is None:
                return None
            found.append(counter)
        sides = {game.counters[name].side for name in found}
        if found and target not in game.map.grid:
            self._wrong(
                note, f"{note.says.target} is a unit, and attacks are made on hexes", "name the attacked hex"
            )
            return None
        if len(sides) > 1 or sides & _sides(game, self.at, (target,)):
            self._wrong(note, f"not all of these units are enemies of those at {target}")
            return None
        declared = self.joined.get(battle, set())
        if found and declared and declared != set(found):
            names = ", ".join(sorted(game.counters[name].name for name in declared))
            self._wrong(note, f"another attack on {target} was declared", f"its attackers are {names}")
            return None
        return tuple(found)

    def _bare_dice(self) -> str:
        steps = {fact.step: None for step in self.log.steps for fact in step.facts if _is_bare(fact)}
        if not steps:
            return "every die of this log already has a purpose in its announcement"
        if len(steps) == 1:
            return f"a die without a declaration was rolled in step {next(iter(steps))}"
        return f"dice without a declaration were rolled in steps {', '.join(map(str, steps))}"

    def _target(self, note: Note, words: str) -> str | None:
        """The hex or counter that a die was for according to a note, or nothing; None if that
        is impossible.
        """
        game = self.world.game
        if words == NOTHING:
            return words
        try:
            place = Names(self.world).hex(words)
        except FormatError:
            place = ""
        if place:
            return place if self._is_fought_over(note, place) else None
        return self._counter(note, words, "neither a hex nor a unit", tuple(game.map.places))

    def _counter(
        self, note: Note, words: str, otherwise: str = "not a unit", places: tuple[str, ...] = ()
    ) -> str | None:
        """The counter on the map that a note names, None if it names none; it may have meant ``places``."""
        game = self.world.game
        by_name = {one.name.lower(): one.id for one in game.counters.values()}
        counter = words if words in game.counters else by_name.get(words.lower(), "")
        if not counter:
            names = (*game.counters, *(one.name for one in game.counters.values()), *places)
            self._wrong(note, f"{words!r} is {otherwise}", unknown(words, names))
            return None
        if self.at.get(counter, "") not in game.map.grid:
            self._wrong(note, f"{game.counters[counter].name} was not on the map")
            return None
        return counter

    def _is_fought_over(self, note: Note, hex_: str) -> bool:
        """Whether a battle for the hex was declared, or one side was in it and the other next to it."""
        if hex_ in self.fought.values():
            return True
        game, grid = self.world.game, self.world.game.map.grid
        there = _sides(game, self.at, (hex_,))
        around = _sides(game, self.at, (hex_, *grid.neighbours(hex_)))
        if there and len(around) > 1:
            return True
        declared = ", ".join(dict.fromkeys(self.fought.values()))
        right = f"battles were declared at {declared}" if declared else ""
        wrong = f"there was no battle at {hex_}"
        right = right or "no attack was declared there, and there were no enemies in it or next to it"
        self._wrong(note, wrong, right)
        return False

    # What was taken back

    def _take_back(self, found: Sequence[Fact]) -> None:
        for fact in found:
            if (aspect := _aspect(fact)) is not None:
                self.back.setdefault(aspect, _values(fact)[0])

    def _without_the_way_back(self, step: StepFacts) -> Iterator[Fact]:
        """The facts of a step without those that only correct what was undone."""
        put_back = False
        for fact in step.facts:
            aspect = _aspect(fact)
            wanted = self.back.pop(aspect, None) if aspect is not None else None
            if wanted is None or _values(fact)[1] != wanted:
                yield fact
            elif not put_back:
                put_back = True
                yield Remark(step=step.step, text="this puts right what was taken back")


def _is_in(note: Note, step: int) -> bool:
    return isinstance(note.where, Steps) and note.where.first <= step <= note.where.last


def _turned(step: StepFacts, clock: Clock) -> StepFacts:
    """The track advanced just before a step."""
    return StepFacts(step.step, step.player, (Turned(step=step.step, clock=clock, sure=True),))


def _keeps_house(fact: Fact) -> bool:
    off = isinstance(fact, Changed) and fact.new == 0
    return off or isinstance(fact, Remark | Mentioned) or is_housekeeping(fact)


def _is_bare(fact: Fact) -> bool:
    return isinstance(fact, Rolled) and not fact.declaration


def _sides(game: Game, at: Mapping[str, str], hexes: Sequence[str]) -> set[str]:
    return {game.counters[name].side for name, place in at.items() if place in hexes}


def _aspect(fact: Fact) -> Aspect | None:
    match fact:
        case Shifted():
            return "place", fact.counter
        case Stepped():
            return "steps", fact.counter
        case Changed():
            return "state", fact.counter, fact.state
        case Faced():
            return "face", fact.counter
        case _:
            return None


def _values(fact: Fact) -> tuple[object, object]:
    """The values before and after a fact."""
    match fact:
        case Shifted():
            return fact.origin, fact.target
        case Stepped() | Changed():
            return fact.old, fact.new
        case Faced():
            return ("up" if fact.face == "down" else "down"), fact.face
        case _:
            return None, None
