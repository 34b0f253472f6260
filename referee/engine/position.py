"""A position: where every piece is and how it stands, what time it is, the current battles, what is noted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from attrs import evolve, field, frozen

from referee.engine.clock import Calendar, Clock, Date
from vassalgen.game.counters import Counter
from vassalgen.game.game import Game
from vassalgen.game.scenarios import Scenario

if TYPE_CHECKING:
    from referee.engine.actions import Action
    from referee.engine.rules import Played, Rulebook
    from referee.engine.rulings import Breach, Ruling

T = TypeVar("T")
Lapse = Literal["phase", "player turn", "turn", "never"]


@frozen
class Mark:
    """A state that a piece is in: its level, and for dated states the player turn in which it came."""

    level: int = 1
    since: Date | None = None


Face = Literal["", "up", "down"]
"""How a counter lies, as far as is known: nothing for one that is never turned."""


@frozen
class Piece:
    """A counter in play. ``where`` is a hex, a box, or nothing for what is off the table."""

    counter: Counter
    where: str = ""
    steps: int = 1
    states: Mapping[str, Mark] = field(factory=dict, hash=False)
    face: Face = ""

    @property
    def id(self) -> str:
        """The counter's id."""
        return self.counter.id

    @property
    def side(self) -> str:
        """The side it fights for."""
        return self.counter.side

    def is_(self, state: str) -> bool:
        """Return whether it is in a state."""
        return state in self.states

    def factor(self, factor: str) -> int:
        """Return a factor as the face that shows now prints it."""
        return self.counter.factor(factor, self.steps)


@frozen(cache_hash=True)
class Note(Generic[T]):
    """A kind of note: what a position remembers about a counter, a hex, a side, and when it is forgotten.

    A game declares each kind once, as a constant; ``of`` is the type of its values. What is noted of nothing
    in particular is noted about the empty name.
    """

    name: str
    of: type[T]
    lapses: Lapse = "phase"


UNSEEN = Note("turns unseen", bool, "never")
"""Noted if turns were passed over before a record began, so that what happened in them is not known."""


TO_BEGIN = Note("phase to begin", bool)
"""Noted while a record sets up a phase: what happens of itself when it begins has not happened yet."""

UNDERWAY = Note("phase underway", bool)
"""Noted in a phase whose beginning nobody saw: what is owed at its end may have been done already."""


@frozen
class Battle:
    """A battle from its declaration until it is settled; games add what their battles have besides."""

    number: int
    target: str
    attackers: tuple[str, ...]
    settled: bool = field(default=False, kw_only=True)

    @property
    def rolled(self) -> bool:
        """Return whether its die has been rolled; a game's battles know."""
        return False


@frozen(eq=False)
class World:
    """What does not change while a game is played: its data, its rules, its calendar.

    ``prepared`` is what the rulebook made of the data beforehand, for fast searches.
    """

    game: Game
    scenario: Scenario
    rulebook: Rulebook
    calendar: Calendar
    prepared: object = None


@frozen
class Position:
    """A position as a value. Methods that change something return a new one.

    Any position can be had, sensible or not: ``status`` says what is impossible about it.
    """

    world: World
    pieces: Mapping[str, Piece] = field(hash=False)
    clock: Clock = Clock(1)
    battles: tuple[Battle, ...] = ()
    notes: Mapping[tuple[Note[Any], str], Any] = field(factory=dict, hash=False)
    memory: dict[Any, Any] = field(factory=dict, eq=False, repr=False, init=False)
    """What rules have worked out about this position, kept so that several can use it."""

    @property
    def game(self) -> Game:
        """The game's data."""
        return self.world.game

    @property
    def scenario(self) -> Scenario:
        """The scenario played."""
        return self.world.scenario

    @property
    def turn(self) -> int:
        """The game turn, from 1."""
        return self.clock.turn

    @property
    def phase(self) -> str:
        """The id of the phase."""
        return self.world.calendar.phase(self.clock)

    @property
    def side(self) -> str:
        """The side whose player turn it is, or nothing."""
        return self.world.calendar.side(self.clock)

    @property
    def date(self) -> Date:
        """The player turn it is."""
        return self.world.calendar.date(self.clock)

    @cached_property
    def by_place(self) -> Mapping[str, tuple[Piece, ...]]:
        """The pieces by place, in the order of the counters."""
        found: dict[str, list[Piece]] = {}
        for piece in self.pieces.values():
            if piece.where:
                found.setdefault(piece.where, []).append(piece)
        return {where: tuple(pieces) for where, pieces in found.items()}

    def at(self, where: str) -> tuple[Piece, ...]:
        """Return the pieces in a hex or box."""
        return self.by_place.get(where, ())

    def on_map(self, side: str, names: frozenset[str]) -> tuple[tuple[int, Piece], ...]:
        """Return those of a side's pieces named that are in hexes, with the indices of their hexes."""
        key = ("on map", side, names)
        if key not in self.memory:
            index = self.game.map.grid.index
            self.memory[key] = tuple(
                (index[piece.where], piece)
                for piece in self.pieces.values()
                if piece.counter.side == side and piece.where in index and piece.id in names
            )
        found: tuple[tuple[int, Piece], ...] = self.memory[key]
        return found

    def note(self, kind: Note[T], about: str = "") -> T | None:
        """Return what is noted about something, None if nothing is."""
        return self.notes.get((kind, about))

    def noted(self, kind: Note[T]) -> Mapping[str, T]:
        """Return all notes of a kind, by what they are about."""
        return self._noted.get(kind, {})

    @cached_property
    def _noted(self) -> Mapping[Note[Any], Mapping[str, Any]]:
        found: dict[Note[Any], dict[str, Any]] = {}
        for (kind, about), value in self.notes.items():
            found.setdefault(kind, {})[about] = value
        return found

    def battle(self, number: int = 0) -> Battle | None:
        """Return a battle by its number, the one declared last for 0, None if there is none."""
        found = [battle for battle in self.battles if not number or battle.number == number]
        return found[-1] if found else None

    def with_piece(self, name: str, **changes: Any) -> Position:
        """Return the position with a piece changed: ``where``, ``steps``, ``states``."""
        return evolve(self, pieces={**self.pieces, name: evolve(self.pieces[name], **changes)})

    def with_state(self, name: str, state: str, mark: Mark | None) -> Position:
        """Return the position with a state of a piece set, or taken away."""
        states = {key: value for key, value in self.pieces[name].states.items() if key != state}
        if mark is not None:
            states[state] = mark
        return self.with_piece(name, states=states)

    def with_note(self, kind: Note[T], about: str, value: T) -> Position:
        """Return the position with a note more, or with one written again."""
        return evolve(self, notes={**self.notes, (kind, about): value})

    def without_notes(self, lapsed: Iterable[Lapse]) -> Position:
        """Return the position with the notes of these kinds of lapse forgotten."""
        gone = set(lapsed)
        return evolve(
            self, notes={key: value for key, value in self.notes.items() if key[0].lapses not in gone}
        )

    def without_note(self, kind: Note[Any], about: str = "") -> Position:
        """Return the position with one note forgotten."""
        return evolve(self, notes={key: value for key, value in self.notes.items() if key != (kind, about)})

    def with_battle(self, battle: Battle) -> Position:
        """Return the position with a battle more, or with the one of its number changed."""
        known = any(other.number == battle.number for other in self.battles)
        battles = tuple(battle if other.number == battle.number else other for other in self.battles)
        return evolve(self, battles=battles if known else (*battles, battle))

    def without_battle(self, number: int) -> Position:
        """Return the position without a battle."""
        return evolve(self, battles=tuple(other for other in self.battles if other.number != number))

    def status(self) -> tuple[Breach, ...]:
        """Return every reason why this position cannot be one of a game played by the rules."""
        return self.world.rulebook.status(self)

    def judge(self, action: Action) -> Ruling:
        """Rule on an action."""
        return self.world.rulebook.judge(self, action)

    def play(self, action: Action) -> Played:
        """Rule on an action and carry it out, legal or not: what was done is adopted."""
        return self.world.rulebook.play(self, action)

    def options(self, *pieces: str) -> tuple[Played, ...]:
        """Return all legal actions of these pieces, or of all, with the positions they lead to."""
        return self.world.rulebook.options(self, pieces)


def prepared_as(kind: type[T]) -> Callable[[Position], T]:
    """Return how a game finds in a position what its rulebook prepared: TypeError in another game's."""

    def find(position: Position) -> T:
        prepared = position.world.prepared
        if not isinstance(prepared, kind):
            raise TypeError("the position belongs to another game")
        return prepared

    return find
