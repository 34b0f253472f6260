"""The contents of a log of a module made elsewhere, in the game's terms, read with a map of its names.

Nothing that such a module writes into the chat is an announcement in our sense. Dice are those of a generic
roller, whose purpose is unknown; the scribe's interpretation of them is never proof.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from attrs import evolve

from referee.engine.clock import Clock
from referee.engine.idiom import Idiom
from referee.engine.position import Face
from referee.games import find_idiom
from referee.mapping.aligning import Alignment, align
from referee.mapping.modulemap import ANY, FACE_DOWN, STEPS, Meaning, ModuleMap, piece_keys
from referee.mapping.tracks import number_in, shown
from referee.scribe import facts
from referee.scribe.fact_finder import FactFinder, Seen, StepFacts
from referee.scribe.facts import NOWHERE, UNKNOWN, Condition, Fact, Standing
from referee.scribe.places import Places
from referee.scribe.roster import Roster
from referee.table import events
from referee.table.events import OFFBOARD, Spot, Step
from referee.table.step_text import plain
from referee.table.texts import is_number
from referee.table.things import Piece
from vassalgen.game.counters import Counter
from vassalgen.vassal import sequences
from vassalgen.vassal.traits.embellishment import Embellishment

if TYPE_CHECKING:
    from referee.scribe.fact_finder import Standings
    from referee.table import Replay
    from referee.table.table import Table
    from vassalgen.game.game import Game
    from vassalgen.templates import Announcement

SHOWN = r"[^=\d]{0,20}=\s*[\[({<]*\s*(\d{1,9}(?:[\])}>]*\s*[,+ ]\s*[\[({<]*\d{1,9})*)(?!\d)"
ROLL = re.compile(r"\b(\d{0,9})d(\d{1,9})\b" + SHOWN, re.IGNORECASE)
"""The reports of rollers: a die bar, a dice server or a player: ``2d6 = 3, 4``."""


def through_map(module_map: ModuleMap) -> partial[SeenThroughMap]:
    """How the fact finder reads logs of the module of a map."""
    return partial(SeenThroughMap, module_map)


class SeenThroughMap(Seen):
    """What the fact finder knows while it replays a log of a module made elsewhere."""

    is_silent = True

    def __init__(self, module_map: ModuleMap, fact_finder: FactFinder, replay: Replay) -> None:
        self.map = module_map
        self.markers_at_start: list[Fact] = []
        super().__init__(fact_finder, replay)

    def get_to_know(self) -> None:
        """Read names of pieces and places from the map."""
        self.mapped = self.roster = MappedRoster(self.game, self.map)
        self.places = MappedPlaces(self.game, self.map, self.table)
        self.has_our_track = True
        idiom = find_idiom(self.game.id)
        self.rolling, self.roll = idiom.dice, idiom.roll
        self.waiting: list[Clock] = []
        self.printed = ("", "")
        meant = {word for meaning in self.map.counters.values() for word in meaning.ids}
        shown = {word for meaning in self.map.layers.values() for word in meaning.ids}
        self.unseen = frozenset(self.game.states) - shown - meant
        self.full_steps = {
            name: self.game.counters[name].steps
            for meaning in self.map.counters.values()
            for name in meaning.ids
            if meaning.steps is not None and name in self.game.counters
        }
        self.unproven = self._why_unproven(idiom)

    def _why_unproven(self, idiom: Idiom) -> str:
        """Why nothing in a log is proof: the turn track does not show when battles are fought."""
        stops = [stop for stop in self.game.sequence.stops() if stop.side]
        fighting = [
            stop for stop in stops if {*idiom.announced.values()} & {*idiom.move_verbs.get(stop.phase.id, ())}
        ]
        is_shown = self.table.module.trackers or self.map.phase
        named = {value.lower() for value in self.map.phases.values()} if is_shown else set()
        known = [
            named
            & {
                f"{self.game.sides[stop.side].adjective} {word}".lower()
                for word in (stop.phase.id, stop.phase.title)
            }
            for stop in fighting or stops
        ]
        return "" if all(known) else "the turn track of the module does not show when battles are fought"

    def announced(self, step: Step) -> list[Announcement]:
        """Nothing: such a module writes no announcements in our sense."""
        return []

    def side_of(self, player: str) -> str:
        """The game's side for a side of the module's list of players."""
        return self.map.sides.get(player, "") or super().side_of(player)

    def clock(self) -> Clock | None:
        """The phase shown by the module's turn track, None if it shows no phase of the game."""
        turn = phase = ""
        for tracker in self.table.module.trackers:
            reading = tracker.read(self.table.turns.get(tracker.id))
            number, words = shown(reading, self.map.turn, self._first_turn)
            turn, phase = turn or number, phase or self.map.phases.get(words, "")
        if not is_number(turn):
            turn = str(self.table.globals.values.get("Module", {}).get(self.map.turn, ""))
        turn = turn if is_number(turn) else self._number_on_track()
        phase = phase or self.map.phases.get(self._box_of(self.map.phase), "")
        if not phase or not is_number(turn):
            return self._on_printed_track()
        now = self.fact_finder.phases.clock(int(turn), phase)
        earliest = self._earliest(now)
        if now is not None and earliest is not None:
            self.waiting = list(self._between(earliest, now))
        return earliest

    @property
    def _first_turn(self) -> int:
        return self.fact_finder.phases.calendar.first_turn

    def _box_of(self, marker: str) -> str:
        """The box of a printed track that contains a marker, empty if there is none."""
        pieces = self.table.pieces() if marker else ()
        spots = (
            self.table.spot(piece)
            for piece in pieces
            if marker in piece_keys(piece.type.basic_name, picture_of(piece))
        )
        return next((spot.location for spot in spots if spot.location), "")

    def _number_on_track(self) -> str:
        """The number of the box of a printed track that contains the turn marker."""
        number = number_in(self._box_of(self.map.turn))
        return number if is_number(number) and int(number) >= self._first_turn else ""

    def _on_printed_track(self) -> Clock | None:
        """The beginning of the turn on a printed track; its phase is not known."""
        number = self._number_on_track()
        return Clock(int(number), 0) if number else None

    def _earliest(self, shown: Clock | None) -> Clock | None:
        """The earliest phase that the track may mean: it may be one of those just before that the track never
        shows.
        """
        if shown is None:
            return None
        phases = self.fact_finder.phases
        named = {
            clock.stop for words in self.map.phases.values() if (clock := phases.clock(shown.turn, words))
        }
        count = len(phases.calendar.stops)
        for _ in range(count):
            turn, stop = (shown.turn, shown.stop - 1) if shown.stop else (shown.turn - 1, count - 1)
            if stop in named or turn < phases.calendar.first_turn:
                break
            shown = Clock(turn, stop)
        return shown

    def standing_of(self, counter: Counter, piece: Piece) -> Standing:
        """The condition of a counter according to the layers and properties to which the map
        gives a meaning.
        """
        meant = self.mapped.meaning_of(piece)
        steps = meant.steps if meant.steps is not None else self.full_steps.get(counter.id)
        states = {word: Condition() for word in meant.ids if word in self.game.states}
        face: Face = ""
        for meaning, level in layer_meanings(self.map, self.table, piece):
            for word in meaning.ids:
                if word == STEPS:
                    steps = counter.steps - level + 1
                elif word == FACE_DOWN:
                    face = "down"
                elif counter.kind in self.game.states[word].kinds:
                    states[word] = Condition()
            steps = meaning.steps if meaning.steps is not None else steps
        hiding = self.table.sight.hiding(piece)
        return Standing(
            self.places.at(self.table.spot(piece)),
            None if steps is None or not 0 <= steps <= counter.steps else steps,
            states,
            hiding=hiding,
            face=face or self.face_of(piece),
            unseen=self.unseen,
        )

    def is_alone(self, marker: Counter) -> bool:
        """Whether nothing but a marker shows the state that it stands for."""
        states = [state.id for state in self.game.states.values() if state.marker == marker.id]
        return bool(states) and states[0] in self.unseen

    def gone(self, number: int, side: str, piece_id: str, after: dict[str, Standing]) -> Iterator[Fact]:
        """The changes caused by the removal of a piece: none if another piece replaced it."""
        name = self.roster.known(piece_id)
        if name is not None and self.mapped.is_replaced(name, piece_id, self.table):
            return
        for fact in super().gone(number, side, piece_id, after):
            if not isinstance(fact, facts.Changed):  # a removed counter has lost nothing else
                yield fact

    def step(self, step: Step) -> StepFacts:
        """Read the facts of a step; note whether an unmapped piece was in a hex."""
        found = self._with_phases(super().step(step))
        for event in step.events:
            piece = self.table.things.get(getattr(getattr(event, "piece", None), "id", ""))
            if isinstance(piece, Piece):
                self._notice(piece)
        return self._with_turn_marker(found)

    def _with_turn_marker(self, found: StepFacts) -> StepFacts:
        """A step with the turn to which it moved the marker on a printed track.

        Without a marker for the phase, only the turn is known.
        """
        printed = self._printed()
        if printed == self.printed:
            return found
        self.printed, clock = printed, self.clock()
        if clock is None or not printed[1]:
            return found if clock is None else evolve(found, clock=clock)
        turned = facts.Turned(step=found.step, clock=clock)
        return evolve(found, clock=clock, facts=(*found.facts, turned))

    def _printed(self) -> tuple[str, str]:
        """The number of the turn and the phase, according to the markers on a printed track."""
        return self._number_on_track(), self.map.phases.get(self._box_of(self.map.phase), "")

    def _with_phases(self, found: StepFacts) -> StepFacts:
        """The facts of a step, with phases that the track does not show.

        The last of them begins with the first counter that arrives, the phase on the track with the first
        counter that moves from hex to hex, or with the first dice.
        """
        kept: list[Fact] = []
        for fact in found.facts:
            clock = self._begins(fact) if len(self.waiting) > 1 else None
            if clock is not None and clock != self.waiting[0]:
                kept.append(facts.Turned(step=found.step, side=fact.side, clock=clock, begun=True))
                self.waiting = [one for one in self.waiting if clock <= one]
            kept.append(fact)
        return evolve(found, facts=tuple(kept))

    def _begins(self, fact: Fact) -> Clock | None:
        """The phase that must have begun when something is done."""
        grid = self.game.map.grid
        if isinstance(fact, facts.Shifted) and fact.target in grid and fact.origin not in grid:
            return self.waiting[-2]
        moves = isinstance(fact, facts.Shifted) and fact.target in grid
        return self.waiting[-1] if moves or isinstance(fact, facts.Rolled) else None

    def _between(self, first: Clock, last: Clock) -> Iterator[Clock]:
        """The phases between two others."""
        while first < last:
            yield first
            first = self.fact_finder.phases.calendar.after(first)
        yield last

    def _notice(self, piece: Piece) -> None:
        """The remark about the log if a piece in a hex is unknown."""
        known = self.roster.counter(self.table, piece) is not None or piece.id in self.roster.doubles
        if not known and not self.mapped.is_nothing(piece):
            place = self.places.at(self.table.spot(piece))
            if place in self.game.map.grid:
                name = piece.type.basic_name or f"the piece [{picture_of(piece)}]"
                self.unproven = f"the map does not say what {name}, in {place}, is"

    def strangers(self) -> list[Fact]:
        """Pieces on the map other than counters, and markers that were there from the start."""
        found = super().strangers()
        found += [facts.Remark(step=0, text=text) for text in self.shortcomings()]
        return [*found, *self.markers_at_start]

    def everything(self) -> Standings:  # type: ignore[override]
        """The current state of every counter; counters under markers have the states of these."""
        standing = super().everything()
        self.printed = self._printed()
        for piece in list(self.table.pieces()):
            counter = self.roster.counter(self.table, piece)
            self._notice(piece)
            if counter is None or not self.game.kinds[counter.kind].marker:
                continue
            place = self.places.at(self.table.spot(piece))
            state = next((one for one in self.game.states.values() if one.marker == counter.id), None)
            if place not in self.game.map.grid or state is None:
                continue
            under = [
                name
                for name, one in standing.items()
                if one.place == place and self.game.counters[name].kind in state.kinds
            ]
            if len(under) == 1:
                old = standing[under[0]]
                shown = evolve(old, states={**old.states, state.id: Condition()})
                self.standing[under[0]] = standing[under[0]] = shown
            fact = facts.Marked(step=0, piece=piece.id, marker=counter.id, place=place, laid=True, alone=True)
            self.markers_at_start.append(fact)
        return standing

    def shortcomings(self) -> Iterator[str]:
        """What the map leaves open about this log, in words."""
        if self.clock() is None or not self.map.phases:
            yield "the turn track of the module does not show the phase; phases are inferred" + (
                ", and nothing is proved" if self.unproven else ""
            )

    def rolled(self, step: Step, side: str, reported: Sequence[Announcement]) -> Iterator[Fact]:
        """Dice of any roller, as the die of the game that may be meant."""
        found = False
        for event in step.events:
            if isinstance(event, events.Rolled):
                faces = tuple(map(int, re.findall(r"\d+", ",".join(event.faces))))
                several = self._dice_of_total(event.dice, faces)
                if several:
                    yield from self._total(step.number, side, event.dice, several, faces[0])
                else:
                    yield from self._rolled(step.number, side, event.dice, faces)
                found = True
        for text in () if found else step.chat:
            rolls = ROLL.findall(plain(text))
            for button in () if rolls else self.map.dice:
                if written := re.search(rf"(?<!\w){re.escape(button)}{SHOWN}", plain(text)):
                    faces = tuple(map(int, re.findall(r"\d+", written[1])))
                    yield from self._rolled(step.number, side, button, faces)
            for count, sides, numbers in rolls:
                faces = tuple(map(int, re.findall(r"\d+", numbers)))
                if len(faces) == int(count or 1) and all(1 <= face <= int(sides) for face in faces):
                    yield from self._rolled(step.number, side, f"{count}d{sides}", faces)
                elif len(faces) == 1 and int(count or 1) > 1:
                    yield from self._total(step.number, side, f"{count}d{sides}", int(count), faces[0])

    def _rolled(self, number: int, side: str, button: str, faces: tuple[int, ...]) -> Iterator[Fact]:
        dice = self._dice(button, faces)
        if dice:
            yield facts.Rolled(
                step=number, side=side, dice=dice, faces=faces, generic=self._is_generic(button)
            )
        else:
            shown = "+".join(map(str, faces))
            yield facts.Remark(
                step=number, side=side, text=f"{button}: {shown}; no dice of the game show that"
            )

    def _dice_of_total(self, button: str, faces: tuple[int, ...]) -> int:
        """The number of dice for a button that shows only their sum; 0 if it shows each."""
        if len(faces) != 1 or self._dice(button, faces):
            return 0
        names = [name for name in self.map.dice.get(button, Meaning((ANY,))).ids if name != ANY]
        counts = (self.game.dice[name] for name in names or self.game.dice if name in self.game.dice)
        return next((one.count for one in counts if one.count <= faces[0] <= one.count * one.sides), 0)

    def _total(self, number: int, side: str, roll: str, count: int, total: int) -> Iterator[Fact]:
        """The sum of several dice, as dice with that sum, and a remark that these are not the ones rolled."""
        low, more = divmod(total, count)
        faces = (low + 1,) * more + (low,) * (count - more)
        found = tuple(self._rolled(number, side, roll, faces))
        yield from found
        if any(isinstance(fact, facts.Rolled) for fact in found):
            text = f"{roll}: {total}; the log shows the total only, not the dice"
            yield facts.Remark(step=number, side=side, text=text)

    def _is_generic(self, button: str) -> bool:
        return ANY in self.map.dice.get(button, Meaning((ANY,))).ids

    def _dice(self, button: str, faces: tuple[int, ...]) -> str:
        """The dice that a roll counts as: those named by the map, or else the first that can show it.

        Two dice at once are not two rolls of one die: it is not known what each is for.
        """
        meant = self.map.dice.get(button, Meaning((ANY,))).ids
        names = [name for name in meant if name != ANY] or sorted(
            self.game.dice, key=lambda name: self.rolling.get(name) != self.roll
        )
        can_show = self.announcements.can_show
        fitting = (name for name in names if name in self.game.dice and can_show(faces, name))
        return next((name for name in fitting if self.game.dice[name].count == len(faces)), "")


class MappedRoster(Roster):
    """Identifies pieces by the names and pictures in a map."""

    def __init__(self, game: Game, module_map: ModuleMap) -> None:
        super().__init__(game)
        self.map = module_map

    def meaning_of(self, piece: Piece) -> Meaning:
        """The meaning of a piece in the map; empty for an unmapped piece."""
        return self._meaning(piece) or Meaning()

    def _meaning(self, piece: Piece) -> Meaning | None:
        keys = piece_keys(piece.type.basic_name, picture_of(piece))
        return next((self.map.counters[key] for key in keys if key in self.map.counters), None)

    def is_nothing(self, piece: Piece) -> bool:
        """Whether the map says that a piece has no meaning in the game."""
        meaning = self._meaning(piece)
        return meaning is not None and meaning.settled and not meaning.ids

    def is_replaced(self, name: str, piece_id: str, table: Table) -> bool:
        """Whether a counter is represented by another piece than the removed one."""
        holder = self.holders.get(name, piece_id)
        return holder != piece_id and holder in table.things

    def _name_of(self, table: Table, piece: Piece) -> str | None:
        meaning = self.meaning_of(piece)
        if not meaning.settled:
            return None
        known = [name for name in meaning.ids if name in self.game.counters]
        free = (name for name in known if self.holders.get(name, piece.id) not in table.things)
        return next(free, known[0] if known else None)


class MappedPlaces(Places):
    """Names spots with a map: places by name, hexes by position."""

    def __init__(self, game: Game, module_map: ModuleMap, table: Table) -> None:
        super().__init__(game)
        self.map = module_map
        self.laid: dict[str, Alignment] = {}
        for name, known in module_map.hexes.items():
            points = dict(hexes_of(known, table, name))
            laid = align(game.map.grid, ((hex_, *spot) for hex_, spot in points.items()))
            if laid is not None:
                self.laid[name] = laid

    @property
    def are_fitted(self) -> bool:
        """Return whether the position of the hexes is known on any map."""
        return bool(self.laid)

    def at(self, spot: Spot) -> str:
        """The place of a spot: a hex, a box, the first of several boxes, NOWHERE or UNKNOWN."""
        if spot.map is None:
            return NOWHERE
        for name in (spot.location, spot.map):
            meaning = self.map.places.get(name) if name and name != OFFBOARD else None
            if meaning is not None and meaning.settled:
                return meaning.ids[0] if meaning.ids else NOWHERE
        laid = self.laid.get(spot.map)
        found = laid.hex_at(spot.x, spot.y) if laid is not None else None
        return found or (NOWHERE if self.laid else UNKNOWN)


def hexes_of(
    known: Mapping[str, tuple[int, int] | str], table: Table, map_name: str
) -> Iterator[tuple[str, tuple[int, int]]]:
    """Hexes of the game with their pixels on a map of the module; hexes given by name are looked up."""
    facts_ = table.module.map(map_name)
    for hex_, spot in known.items():
        if not isinstance(spot, str):
            yield hex_, spot
        elif facts_ is not None and (found := facts_.plan.centre(spot)) is not None:
            yield hex_, found


def picture_of(piece: Piece) -> str:
    """The picture that distinguishes a piece: its own, or else that of the first layer with one."""
    basic = sequences.decode(piece.type.parts[-1], ";")
    if len(basic) > 3 and basic[3]:
        return basic[3]
    layers = (trait for trait in reversed(piece.type.traits) if isinstance(trait, Embellishment))
    return next((image for layer in layers for image in layer.images if image), "")


def layer_key(trait: Embellishment) -> str:
    """The name of a layer in a map: its own, or else that of its command, or of its first picture."""
    named = trait.name or trait.activate_text or trait.increase_text or trait.description
    return named or next((image for image in trait.images if image), "layer")


def layer_meanings(module_map: ModuleMap, table: Table, piece: Piece) -> Iterator[tuple[Meaning, int]]:
    """The meanings of the layers and properties of a piece at their current levels."""
    for place, trait in enumerate(piece.type.traits):
        if not isinstance(trait, Embellishment):
            continue
        seen, name = table.sight.layer(piece, place, trait), layer_key(trait)
        if not seen.active:
            continue
        for key in (f"{name}/{seen.level}", name):
            if key in module_map.layers:
                if module_map.layers[key].settled:
                    yield module_map.layers[key], seen.level
                break
    for name, value in table.sight.dynamic(piece).items():
        meaning = module_map.layers.get(f"{name}={value}")
        if meaning is not None and meaning.settled:
            yield meaning, 1
