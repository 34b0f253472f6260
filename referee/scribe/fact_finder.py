"""Takes facts from a log: where everything is before and after each step, and the module's announcements.

The most reliable source is where a piece is and its states, then the dice as published, then the chat. Undone
steps are left out together with the steps that undid them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress

from attrs import evolve, field, frozen

from referee.engine.clock import Clock
from referee.engine.position import Face
from referee.scribe import facts
from referee.scribe.announcements import AnnouncementReader, with_announcement
from referee.scribe.facts import UNKNOWN, Condition, Fact, Standing
from referee.scribe.laid_by_mistake import Laid, mistakes
from referee.scribe.phases import STOP, TURN, Phases, shows_turns_of
from referee.scribe.places import Places
from referee.scribe.roster import Roster
from referee.scribe.spots import announced, named_spots, remembered_spots, spots_of_counters
from referee.table import Log, ModulePlan, Replay, events
from referee.table.continuity import Joint, differences
from referee.table.events import Event, Spot, Step
from referee.table.statements import PLACE
from referee.table.texts import is_number
from referee.table.things import Piece
from vassalgen import announcements
from vassalgen.game.counters import Counter, State
from vassalgen.game.game import Game
from vassalgen.problems import Failure
from vassalgen.templates import Announcement

Standings = Mapping[str, Standing]


@frozen
class StepFacts:
    """The contents of a step: its facts, and every counter that it changed in its new state.

    ``player`` is the acting player, empty if the log does not say. ``seen`` is the step on the table, None
    for facts about the log as a whole; ``clock`` is what the turn track shows after it, if it was advanced.
    """

    step: int
    player: str = ""
    facts: tuple[Fact, ...] = ()
    after: Standings = field(factory=dict, hash=False)
    seen: Step | None = field(default=None, repr=False)
    clock: Clock | None = None


@frozen
class LoggedFacts:
    """A log as facts: the state at its beginning, the time if the log says, and its steps.

    ``undone`` are the undone steps, each with the step that undid it; ``seats`` are the sides by player;
    ``joint`` is what differs from the end of the previous log, None for the first log. ``failures``: the
    steps at which this program failed, 0 for the log as a whole. ``foreign``: how many pieces at its
    beginning are not counters of the game. ``digest`` is the hash of the log's file. ``unproven`` says why
    nothing in the log is proof, if that is the case. ``silent``: the module announces nothing. ``markers``
    are those in hexes at its beginning.
    """

    log: str
    opening: Standings = field(hash=False)
    clock: Clock | None
    steps: tuple[StepFacts, ...]
    count: int
    players: tuple[str, ...] = ()
    undone: Mapping[int, int] = field(factory=dict, hash=False)
    seats: Mapping[str, str] = field(factory=dict, hash=False)
    joint: Joint | None = None
    failures: tuple[tuple[int, Failure], ...] = ()
    foreign: int = 0
    digest: str = ""
    unproven: str = ""
    silent: bool = False
    markers: tuple[facts.Marked, ...] = ()


class FactFinder:
    """Replays logs of one game and takes their facts."""

    def __init__(
        self,
        game: Game,
        phases: Phases,
        module: ModulePlan,
        look: Callable[[FactFinder, Replay], Seen] | None = None,
    ) -> None:
        self.game = game
        self.phases = phases
        self.module = module
        self.look = look or Seen
        self.states = {announcements.state_property(state): state for state in game.states}
        self.dates = {announcements.date_property(state): state for state in game.states}
        self.holders: Mapping[str, str] = {}
        self._before: Replay | None = None

    def watch(self, log: Log, mistaken: frozenset[str] = frozenset()) -> LoggedFacts:
        """Take the facts of a log; if counters are laid on the map by mistake, again without these.

        ``mistaken`` are the ids of these pieces.
        """
        replay = Replay(log, self.module)
        joint = self._joint(replay)
        seen = self.look(self, replay)
        seen.mistaken = mistaken
        opening = seen.everything()
        foreign, marked = len(seen.roster.foreign), tuple(seen.markers())
        clock = seen.clock()
        found = [seen.step_or_failure(step) for step in replay.steps()]
        happened = [one.facts for one in found]
        wrong = mistakes(seen.laid, happened, replay.table.things.keys(), self.game.map.grid)
        wrong |= seen.given_back
        if wrong - mistaken:
            return self.watch(log, mistaken | wrong)
        undone = {*replay.undone, *replay.undone.values()}
        steps = tuple(_without(one, replay.undone) if one.step in undone else one for one in found)
        players = tuple(dict.fromkeys(player.name for player in replay.table.players))
        remarks = seen.strangers()
        if remarks:
            steps = (StepFacts(0, facts=tuple(remarks)), *steps)
        seats = {player.name: player.side for player in replay.table.players}
        self._before, self.holders = replay, seen.roster.holders
        failures = tuple(sorted([*replay.failures, *seen.failures], key=lambda failed: failed[0]))
        return LoggedFacts(
            log.name,
            opening,
            clock,
            steps,
            len(found),
            players,
            dict(replay.undone),
            seats,
            joint,
            failures,
            foreign,
            log.digest,
            seen.unproven,
            seen.is_silent,
            marked,
        )

    def opening(self, log: Log) -> Standings:
        """The counters at the beginning of a log."""
        return self.look(self, Replay(log, self.module)).everything()

    def _joint(self, replay: Replay) -> Joint | None:
        """The differences between the end of a log and the beginning of the next."""
        before = self._before
        if before is None:
            return None
        return Joint(before.log.name, replay.log.name, differences(before.table, replay.table))


def _without(one: StepFacts, undone: Mapping[int, int]) -> StepFacts:
    """A step that was undone, or that undid one: rolls in it are still reported."""
    kept: tuple[Fact, ...] = ()
    if one.step in undone:
        rolled = [
            fact
            for fact in one.facts
            if isinstance(fact, facts.Rolled | facts.Resolved | facts.Declared) and fact.faces
        ]
        if rolled:
            faces = "+".join(map(str, rolled[0].faces))
            text = f"a roll of {faces} was undone by step {undone[one.step]}"
            kept = (facts.Remark(step=one.step, side=rolled[0].side, text=text),)
    return evolve(one, facts=kept)


class Seen:
    """What the fact finder knows while one log is played, for a module that was built here."""

    is_silent = False
    """Whether the module announces nothing."""

    def __init__(self, fact_finder: FactFinder, replay: Replay) -> None:
        self.fact_finder = fact_finder
        self.replay = replay
        self.table = replay.table
        self.game = fact_finder.game
        self.places = Places(self.game)
        self.roster = Roster(self.game, fact_finder.holders)
        self.announcements = AnnouncementReader(self.game, self.places, fact_finder.phases)
        self.has_our_track = bool(fact_finder.module.trackers)
        self.unproven = ""
        """Why nothing in the log is proof, if that is the case."""
        self.get_to_know()
        self.standing: dict[str, Standing] = {}
        self.failures: list[tuple[int, Failure]] = []
        self.hidden: set[str] = set()
        self.named: set[str] = set()
        """Pieces announced as a counter that is already on the table."""
        self.same: dict[str, str] = {}
        """Markers by the pieces that have replaced them."""
        self.laid_up: set[str] = set()
        """Pieces laid face up instead of a counter that is face down, as from a palette: nobody turned it."""
        self.undoing = False
        """Whether the step is an undo."""
        self.undone: set[str] = set()
        """Pieces that an undo took off the maps."""
        self.laid: dict[str, Laid] = {}
        """Pieces that were taken for a counter when a step put them on the map, by their ids."""
        self.given_back: set[str] = set()
        """Those of them that were deleted when the pieces that they replaced were on the map again."""
        self.mistaken: frozenset[str] = frozenset()
        """Pieces that no player meant to put on the map."""
        self.impossible: dict[str, bool] = {}
        """Impossible states shown by counters, each once, and whether players may be unable to see them."""

    def get_to_know(self) -> None:
        """Find out the names of the places in the log, and whether its turn track can be read."""
        module, log = self.fact_finder.module, self.replay.log
        found = [*remembered_spots(self.table), *named_spots(self.table, log)]
        self.places.parse_line(found, self._expected())
        if not module.known and not self.places.are_fitted:
            self.places.parse_line([*found, *spots_of_counters(self.game, log)])
        self.has_our_track = self.has_our_track or shows_turns_of(self.fact_finder.phases.track, log)

    def _expected(self) -> Iterator[list[tuple[Spot, str]]]:
        """By scenario the spots of counters that are where it puts them, if nothing has happened since."""
        pieces = [(self.roster.counter(self.table, piece), piece) for piece in self.table.pieces()]
        for scenario in self.game.scenarios.values():
            starts = {name: placement.at for placement in scenario.setup for name in placement.counters}
            yield [
                (self.table.spot(piece), starts[counter.id])
                for counter, piece in pieces
                if counter is not None and starts.get(counter.id, "") in self.game.map.grid
            ]

    def everything(self) -> dict[str, Standing]:
        """The current state of every counter."""
        for piece in list(self.table.pieces()):
            try:
                self._look(piece)
            except Exception as error:
                self.failures.append((0, Failure.of(error)))
        return dict(self.standing)

    def markers(self) -> Iterator[facts.Marked]:
        """The markers that are in hexes."""
        for piece in list(self.table.pieces()):
            counter = self.roster.counter(self.table, piece)
            if counter is not None and self.game.kinds[counter.kind].marker:
                place = self.places.at(self.table.spot(piece))
                if place in self.game.map.grid:
                    yield facts.Marked(step=0, piece=piece.id, marker=counter.id, place=place, laid=True)

    def clock(self) -> Clock | None:
        """What the turn track shows, None if nothing does.

        Without a module its state is read as that of the usual track of this game's modules.
        """
        track = self.fact_finder.phases.track
        if self.table.module.trackers:
            values = self.table.globals.values.get("Module", {})
        elif track.id in self.table.turns and self.has_our_track:
            values = track.read(self.table.turns[track.id]).properties()
        else:
            return None
        turn, stop = values.get(TURN, ""), values.get(STOP, "")
        return self.fact_finder.phases.clock(int(turn), stop) if is_number(turn) else None

    def strangers(self) -> list[Fact]:
        """Pieces on the map that are not counters of the game, each named once."""
        found: list[Fact] = []
        if not self.has_our_track:
            text = "the log's turn track is not the one of this game's data; turns are read from the chat"
            found.append(facts.Remark(step=0, text=text))
        found += [facts.Remark(step=0, text=text, hidden=hidden) for text, hidden in self.impossible.items()]
        for names, text in (
            (self.roster.foreign, "{} is not a counter of this game"),
            (self.roster.doubles, "{} is on the table more than once; the first one counts"),
        ):
            shown: dict[str, bool] = {}
            for piece_id, name in names.items():
                if piece_id in self.named:
                    continue
                piece = self.table.things.get(piece_id)
                on_map = piece is None or self.places.at(self.table.spot(piece)) in self.game.map.grid
                if on_map:
                    shown[name] = shown.get(name, False) or piece_id in self.hidden
            found += [
                facts.Remark(step=0, text=text.format(name), hidden=hidden) for name, hidden in shown.items()
            ]
        return found

    def _counter(self, piece: Piece) -> Counter | None:
        """The counter that a piece is; if it is none, note whether players may be unable to see the piece."""
        counter = self.roster.counter(self.table, piece)
        if counter is None and self.table.sight.hiding(piece):
            self.hidden.add(piece.id)
        return counter

    def _look(self, piece: Piece) -> None:
        """Look at the counter of a piece, unless it is a foreign piece or a marker."""
        counter = self._counter(piece) or self._laid_anew(piece)
        if counter is not None and not self.game.kinds[counter.kind].marker:
            self.standing[counter.id] = self.standing_of(counter, piece)

    def _steps(self, counter: Counter, text: str, hidden: bool) -> int | None:
        """The steps that a counter shows; None if the number is impossible."""
        steps = _number(text) if text else None
        if steps is None or 0 <= steps <= counter.steps:
            return steps
        self.impossible.setdefault(f"{counter.name} shows {steps} steps; it has {counter.steps}", hidden)
        return None

    def _level(self, counter: Counter, state: State, text: str, hidden: bool) -> int:
        """The level of a state that a counter shows, limited to what it can have."""
        level = _number(text)
        most = max(state.most(counter), 1)
        if 0 <= level <= most:
            return level
        self.impossible.setdefault(f"{counter.name} shows {state.title} {level}; the limit is {most}", hidden)
        return most if level > most else 0

    def standing_of(self, counter: Counter, piece: Piece) -> Standing:
        """The state of the counter that a piece is."""
        values = self.table.sight.dynamic(piece)
        hiding = self.table.sight.hiding(piece)
        states, hidden = {}, bool(hiding)
        for name, state in self.fact_finder.states.items():
            known = self.game.states[state]
            level = self._level(counter, known, values[name], hidden) if name in values else 0
            if level or (name in values and known.is_count):
                states[state] = Condition(level)
        for name, state in self.fact_finder.dates.items():
            if state in states and values.get(name):
                since = self.fact_finder.phases.date(values[name])
                states[state] = Condition(states[state].level, since)
        return Standing(
            self._place(counter, piece),
            self._steps(counter, values.get(announcements.STEPS, ""), hidden),
            states,
            _number(values.get(announcements.BATTLE, "")),
            values.get(announcements.ROLE, "").strip("-"),
            hiding,
            "down" if self._is_as_laid(piece, values) else self.face_of(piece),
        )

    def _place(self, counter: Counter, piece: Piece) -> str:
        """The place of a piece. It stays where it was if an undo took it off the maps in a stack."""
        spot, known = self.table.spot(piece), self.standing.get(counter.id)
        if spot.map is not None:
            self.undone.discard(piece.id)
        elif known is not None and (self.undoing or piece.id in self.undone):
            self.undone.add(piece.id)
            return known.place
        return self.places.at(spot)

    def _is_as_laid(self, piece: Piece, values: Mapping[str, str]) -> bool:
        """Whether a piece that was laid face up instead of one face down neither was turned nor fights."""
        fights = _number(values.get(announcements.BATTLE, "")) != 0
        if fights or self.face_of(piece) == "down":
            self.laid_up.discard(piece.id)
        return piece.id in self.laid_up

    def face_of(self, piece: Piece) -> Face:
        """Which side of a piece is up, empty for pieces that cannot be turned over."""
        if not piece.type.mask_places:
            return ""
        return "down" if self.table.sight.hiding(piece) == "masked" else "up"

    def step_or_failure(self, step: Step) -> StepFacts:
        """Take the facts of a step; if that fails, only the state of the counters that it changed."""
        try:
            return self.step(step)
        except Exception as error:
            self.failures.append((step.number, Failure.of(error)))
        after: dict[str, Standing] = {}
        for piece_id in dict.fromkeys(_touched(step.events)):
            piece, known = self.table.things.get(piece_id), self.roster.known(piece_id)
            if known is not None and known in self.standing:
                with suppress(Exception):
                    counter = self.game.counters[known]
                    found = self.standing_of(counter, piece) if isinstance(piece, Piece) else Standing()
                    self.standing[known] = after[known] = found
        fact = facts.UnreadStep(step=step.number)
        return StepFacts(step.number, step.player or "", (fact,), after, step)

    def step(self, step: Step) -> StepFacts:
        """Take the facts of a step that was just played."""
        reported = self.announced(step)
        self.undoing = any(isinstance(event, events.Undone) for event in step.events)
        side = next((side for one in reported if (side := self._side(one))), "")
        side = side or self.side_of(step.side or "")
        found: list[Fact] = []
        after: dict[str, Standing] = {}
        touched = tuple(dict.fromkeys(_touched(step.events)))
        replaced = self._replaced(touched)
        for piece_id in touched:
            if piece_id not in replaced:
                found += self._changes(step.number, side, piece_id, after)
        found = [with_announcement(fact, reported) for fact in found]
        origins = {fact.counter: fact.origin for fact in found if isinstance(fact, facts.Shifted)}
        found += self.announcements.said(step.number, side, reported, after, origins, self.standing)
        found += self.rolled(step, side, reported)
        turned = any(isinstance(event, events.TurnChanged) for event in _all(step.events))
        clock = self.clock() if turned else None
        for event in step.events:
            if isinstance(event, events.Chatted):
                found += self.announcements.mentioned(step.number, side, event.text)
            if isinstance(event, events.TurnChanged):
                found += self._turned(step.number, side, reported, clock)
            odd = isinstance(event, events.Odd) and not event.failed
            if odd or (isinstance(event, events.Contradicted) and event.part == PLACE):
                found.append(facts.Remark(step=step.number, side=side, text=str(event)))
        return StepFacts(step.number, step.player or "", tuple(found), after, step, clock)

    def _replaced(self, touched: Sequence[str]) -> frozenset[str]:
        """The markers that a step replaced by others of the same kind, and these, as *Refresh
        Counters* does.
        """
        known = {piece_id for piece_id in touched if self.roster.is_known(piece_id)}
        gone: dict[str, list[str]] = {}
        come: dict[str, list[str]] = {}
        for piece_id in touched:
            piece = self.table.things.get(piece_id)
            counter = self._counter(piece) if isinstance(piece, Piece) else None
            name = counter.id if counter else self.roster.known(piece_id)
            if name is not None and self.game.kinds[self.game.counters[name].kind].marker:
                if counter is None:
                    gone.setdefault(name, []).append(piece_id)
                elif piece_id not in known:
                    come.setdefault(name, []).append(piece_id)
        found: set[str] = set()
        for name, old in gone.items():
            new = come.get(name, [])
            if len(old) == len(new):
                self.same |= {one: self.same.get(other, other) for one, other in zip(new, old, strict=True)}
                found |= {*old, *new}
        return frozenset(found)

    def announced(self, step: Step) -> list[Announcement]:
        """What the module announced with a step."""
        lines = [said for line in step.chat if (said := announced(line)) is not None]
        return [line.announcement for line in lines if not line.undone]

    def rolled(self, step: Step, side: str, reported: Sequence[Announcement]) -> Iterator[Fact]:
        """The dice that were rolled by buttons."""
        return self.announcements.rolled(step, side, reported)

    def side_of(self, player: str) -> str:
        """The game's side for a side of the module's list of players, empty for none."""
        return self.fact_finder.phases.side(player)

    def _side(self, announcement: Announcement) -> str:
        return self.fact_finder.phases.side(getattr(announcement, "side", ""))

    def _changes(self, number: int, side: str, piece_id: str, after: dict[str, Standing]) -> Iterator[Fact]:
        """What a step changed about the counter that a piece is."""
        piece = self.table.things.get(piece_id)
        if not isinstance(piece, Piece):
            yield from self.gone(number, side, piece_id, after)
            return
        counter = self._counter(piece) or self._laid_anew(piece, number)
        if counter is None:
            yield from self._second(number, side, piece)
            return
        if self.game.kinds[counter.kind].marker:
            place = self.places.at(self.table.spot(piece))
            laid = place in self.game.map.grid
            yield facts.Marked(
                step=number,
                side=side,
                piece=self.same.get(piece_id, piece_id),
                marker=counter.id,
                place=place,
                laid=laid,
                alone=self.is_alone(counter),
            )
            return
        old = self.standing.get(counter.id, Standing())
        new = self.standing_of(counter, piece)
        self.standing[counter.id] = after[counter.id] = new
        yield from facts.differences(number, side, counter.id, old, new)

    def _laid_anew(self, piece: Piece, step: int = 0) -> Counter | None:
        """The counter that a piece on the map represents, if the counter that it was is off the map."""
        name = self.roster.claimed(self.table, piece)
        is_there = self.standing.get(name, Standing()).place in self.game.map.grid
        if not name or is_there or piece.id in self.mistaken or not self._is_on_map(piece):
            return None
        former = self._replace(name, piece)
        if step:
            self.laid[piece.id] = Laid(name, former, step)
        return self.game.counters[name]

    def _replace(self, name: str, piece: Piece) -> str:
        """Take a piece for a counter from now on; return the id of the piece that was it."""
        former = self.roster.replace(name, piece)
        self.named.add(former)
        if self.standing.get(name, Standing()).face == "down" and self.face_of(piece) == "up":
            self.laid_up.add(piece.id)
        return former

    def _is_on_map(self, piece: Piece) -> bool:
        return self.places.at(self.table.spot(piece)) in self.game.map.grid

    def _second(self, number: int, side: str, piece: Piece) -> Iterator[Fact]:
        """A piece that is put on the table although its counter is there: from the palette, or a clone."""
        name = self.roster.doubles.get(piece.id)
        if name is not None and piece.id not in self.named:
            self.named.add(piece.id)
            named = (one for one, other in self.roster.doubles.items() if other == name and one in self.named)
            refreshed = next((one for one in named if one not in self.table.things), None)
            if refreshed is not None:
                self.named.remove(refreshed)
                return
            text = f"a second {name} was put on the table; the game has one, and only the first counts"
            hidden = bool(self.table.sight.hiding(piece))
            yield facts.Remark(step=number, side=side, text=text, hidden=hidden)

    def is_alone(self, marker: Counter) -> bool:
        """Whether only a marker shows its state: here the counters show it."""
        return False

    def gone(self, number: int, side: str, piece_id: str, after: dict[str, Standing]) -> Iterator[Fact]:
        """The changes caused by the removal of a piece."""
        name = self.roster.known(piece_id)
        if name is None or self.roster.is_another(piece_id):
            return
        if self.game.kinds[self.game.counters[name].kind].marker:
            marker = self.same.get(piece_id, piece_id)
            yield facts.Marked(step=number, side=side, piece=marker, marker=name, place=UNKNOWN, laid=False)
            return
        laid = self.laid.get(piece_id)
        if laid is not None and laid.former in self.table.things:
            self.laid[piece_id] = evolve(laid, gone=number)
        old = self.standing.get(name, Standing())
        copies = (one for one in self.roster.copies(self.table, name) if one.id not in self.mistaken)
        other = next((one for one in copies if self._is_on_map(one)), None)
        if other is not None:
            if piece_id in self.laid and self.laid[piece_id].former == other.id:
                self.given_back.add(piece_id)
            self._replace(name, other)
        new = Standing() if other is None else self.standing_of(self.game.counters[name], other)
        self.standing[name] = after[name] = new
        yield from facts.differences(number, side, name, old, new)

    def _turned(
        self, number: int, side: str, reported: Sequence[Announcement], clock: Clock | None
    ) -> Iterator[Fact]:
        if clock is None:
            for said in reported:
                if isinstance(said, announcements.PhaseTurned):
                    clock = self.fact_finder.phases.clock(said.turn, said.stop)
        if clock is not None:
            yield facts.Turned(step=number, side=side, clock=clock)
        else:
            text = "the turn track was advanced, but the log does not show to which phase"
            yield facts.Remark(step=number, side=side, text=text)


def _all(happened: Sequence[Event]) -> Iterator[Event]:
    """Events, including those caused by an undo."""
    for event in happened:
        yield event
        if isinstance(event, events.Undone):
            yield from _all(event.events)


def _touched(happened: Sequence[Event]) -> Iterator[str]:
    for event in _all(happened):
        if isinstance(piece := getattr(event, "piece", None), events.Subject):
            yield piece.id


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        return 0
