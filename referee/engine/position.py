"""A position: all pieces with their places and states, the clock, the current battles, and notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, Generic, Literal, ParamSpec, TypeVar

from attrs import Factory, field, frozen

from referee.engine.clock import Calendar, Clock, Date
from vassalgen.game.counters import Counter
from vassalgen.game.game import Game
from vassalgen.game.scenarios import Scenario

if TYPE_CHECKING:
    from referee.engine.actions import Action
    from referee.engine.rulebook import Played, Rulebook
    from referee.engine.rulings import Breach, Ruling

T = TypeVar("T")
P = ParamSpec("P")
Lapse = Literal["phase", "player turn", "turn", "never"]


@frozen
class Mark:
    """A state of a piece: its level, and for dated states the player turn in which it began."""

    level: int = 1
    since: Date | None = None


Face = Literal["", "up", "down"]
"""Which side of a counter is up, as far as is known; empty for one that is never turned."""


def derived(find: Callable[[Any], T]) -> T:
    """Return a field found from the other fields once: rules read it too often for a property."""
    found: T = field(default=Factory(find, takes_self=True), init=False, eq=False, repr=False)
    return found


@frozen
class Piece:
    """A counter in play. ``where`` is a hex, a box, or empty if it is off the table."""

    counter: Counter
    where: str = ""
    steps: int = 1
    states: Mapping[str, Mark] = field(factory=dict, hash=False)
    face: Face = ""
    id: str = derived(lambda piece: piece.counter.id)
    """The counter's id."""
    side: str = derived(lambda piece: piece.counter.side)
    """The side it fights for."""

    def is_(self, state: str) -> bool:
        """Return whether it is in a state."""
        return state in self.states

    def factor(self, factor: str) -> int:
        """Return a factor as printed on the current face."""
        return self.counter.factor(factor, self.steps)


@frozen(eq=False)
class Note(Generic[T]):
    """A kind of note: something that a position remembers about a counter, a hex or a side, and when it
    expires.

    A game declares each kind once, as a constant; ``of`` is the type of its values. Notes about nothing in
    particular use the empty name.
    """

    name: str
    of: type[T]
    lapses: Lapse = "phase"


UNSEEN = Note("turns unseen", bool, "never")
"""Noted if turns were skipped before a record began, so that the events in them are unknown."""


LAID = Note("markers in a hex", tuple, "never")
"""Of a hex: the markers that have been laid there."""

TO_BEGIN = Note("phase to begin", bool)
"""Noted while a record sets up a phase: the automatic effects of its beginning have not happened yet."""

UNDERWAY = Note("phase underway", bool)
"""Noted in a phase whose beginning is unknown: duties at its end may have been fulfilled already."""


class Force:
    """The pieces of a side, in the order of the counters, and what rules have calculated about them."""

    __slots__ = ("memory", "pieces", "places")

    def __init__(self, pieces: tuple[Piece, ...], places: Mapping[str, int] | None = None) -> None:
        self.pieces = pieces
        self.places = places or {piece.counter.id: place for place, piece in enumerate(pieces)}
        self.memory: dict[Any, tuple[object, Sequence[object], Any]] = {}

    def changed(self, piece: Piece) -> Force:
        """Return the force with one of its pieces changed, and nothing calculated yet."""
        place = self.places[piece.counter.id]
        return Force((*self.pieces[:place], piece, *self.pieces[place + 1 :]), self.places)


class Pieces(dict[str, Piece]):
    """The pieces by id, in the order of the counters: immutable; changes make a copy.

    A copy keeps what is known about places and sides that the change does not affect.
    """

    __slots__ = ("_by_place", "_forces", "_order")

    def __init__(self, pieces: Mapping[str, Piece]) -> None:
        super().__init__(pieces)
        self._by_place: dict[str, tuple[Piece, ...]] | None = None
        self._forces: dict[str, Force] = {}
        self._order: Mapping[str, int] = {}

    @property
    def by_place(self) -> Mapping[str, tuple[Piece, ...]]:
        """The pieces by place."""
        if self._by_place is None:
            found: dict[str, list[Piece]] = {}
            for piece in self.values():
                if piece.where:
                    found.setdefault(piece.where, []).append(piece)
            self._by_place = {where: tuple(pieces) for where, pieces in found.items()}
        return self._by_place

    def force(self, side: str) -> Force:
        """Return the pieces of a side."""
        force = self._forces.get(side)
        if force is None:
            force = Force(tuple(piece for piece in self.values() if piece.counter.side == side))
            self._forces[side] = force
        return force

    def changed(self, name: str, piece: Piece) -> Pieces:
        """Return the pieces with one of them changed."""
        pieces, old = Pieces(self), self[name]
        dict.__setitem__(pieces, name, piece)
        pieces._forces = self._forces.copy()
        if force := self._forces.get(piece.side):
            pieces._forces[piece.side] = force.changed(piece)
        if self._by_place is not None:
            self._order = self._order or {id_: place for place, id_ in enumerate(self)}
            pieces._order, places = self._order, self._by_place.copy()  # much faster than dict() after a pop
            if old.where:
                if stay := tuple(one for one in places[old.where] if one is not old):
                    places[old.where] = stay
                else:
                    del places[old.where]
            if piece.where:
                there = (*places.get(piece.where, ()), piece)
                if len(there) > 1:
                    there = tuple(sorted(there, key=lambda one: self._order[one.counter.id]))
                places[piece.where] = there
            pieces._by_place = places
        return pieces


class Notes(Mapping[tuple["Note[Any]", str], Any]):
    """Notes by kind and subject: immutable; changes make a copy."""

    __slots__ = ("of_kind",)

    def __init__(self, of_kind: Mapping[Note[Any], Mapping[str, Any]]) -> None:
        self.of_kind = of_kind

    def __getitem__(self, key: tuple[Note[Any], str]) -> Any:
        return self.of_kind[key[0]][key[1]]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, tuple) and key[1] in self.of_kind.get(key[0], ())

    def __iter__(self) -> Iterator[tuple[Note[Any], str]]:
        return ((kind, about) for kind, notes in self.of_kind.items() for about in notes)

    def __len__(self) -> int:
        return sum(map(len, self.of_kind.values()))

    def __repr__(self) -> str:
        return repr(dict(self))

    def written(self, noted: Iterable[tuple[Note[Any], str, Any]]) -> Notes:
        """Return the notes with some added or replaced."""
        found = dict(self.of_kind)
        for kind, about, value in noted:
            found[kind] = {**found.get(kind, NOTHING_NOTED), about: value}
        return Notes(found)

    def changed(self, kind: Note[T], notes: Mapping[str, T]) -> Notes:
        """Return the notes with those of a kind replaced."""
        found = {**self.of_kind, kind: notes}
        if not notes:
            del found[kind]
        return Notes(found)


def as_pieces(pieces: Mapping[str, Piece]) -> Pieces:
    """Return pieces as the value used in a position."""
    return pieces if isinstance(pieces, Pieces) else Pieces(pieces)


def as_notes(notes: Mapping[tuple[Note[Any], str], Any]) -> Notes:
    """Return notes as the value used in a position."""
    if isinstance(notes, Notes):
        return notes
    found: dict[Note[Any], dict[str, Any]] = {}
    for (kind, about), value in notes.items():
        found.setdefault(kind, {})[about] = value
    return Notes(found)


@frozen
class Battle:
    """A battle from its declaration until it is settled; games add fields of their own."""

    number: int
    target: str
    attackers: tuple[str, ...]
    settled: bool = field(default=False, kw_only=True)

    @property
    def rolled(self) -> bool:
        """Return whether its dice have been rolled; a game's battles define this."""
        return False


NOTHING_NOTED: Mapping[str, Any] = {}


@frozen(eq=False)
class World:
    """Everything that does not change during a game: its data, its rules, its calendar.

    ``prepared`` is what the rulebook derived from the data beforehand, for fast searches.
    """

    game: Game
    scenario: Scenario
    rulebook: Rulebook
    calendar: Calendar
    prepared: object = None


@frozen
class Position:
    """A position as a value.

    Methods that change something return a new one. Any position can be created, sensible or not: ``status``
    says what is impossible about it.
    """

    world: World
    pieces: Pieces = field(hash=False, converter=as_pieces)
    clock: Clock = Clock(1)
    battles: tuple[Battle, ...] = ()
    notes: Notes = field(default=Notes({}), hash=False, converter=as_notes)
    memory: dict[Any, Any] = field(factory=dict, eq=False, repr=False, init=False)
    """What rules have calculated about this position, cached so that several can use it."""
    game: Game = derived(lambda position: position.world.game)
    """The game's data."""

    @property
    def scenario(self) -> Scenario:
        """The scenario being played."""
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
        """The side whose player turn or phase it is, or nothing."""
        return self.world.calendar.side(self.clock) or self.world.rulebook.whose(self)

    @property
    def date(self) -> Date:
        """The current player turn."""
        return self.world.calendar.date(self.clock)

    @property
    def by_place(self) -> Mapping[str, tuple[Piece, ...]]:
        """The pieces by place, in the order of the counters."""
        return self.pieces.by_place

    def of_side(self, side: str) -> tuple[Piece, ...]:
        """Return the pieces of a side."""
        return self.pieces.force(side).pieces

    def at(self, where: str) -> tuple[Piece, ...]:
        """Return the pieces in a hex or box."""
        return self.pieces.by_place.get(where, ())

    def on_map(self, side: str, names: frozenset[str]) -> tuple[tuple[int, Piece], ...]:
        """Return those of the named pieces of a side that are in hexes, with the indices of their hexes."""
        force, key, index = self.pieces.force(side), ("on map", names), self.game.map.grid.index
        if key not in force.memory:
            found = tuple(
                (index[piece.where], piece)
                for piece in force.pieces
                if piece.where in index and piece.counter.id in names
            )
            force.memory[key] = None, (), found
        known: tuple[tuple[int, Piece], ...] = force.memory[key][2]
        return known

    def note(self, kind: Note[T], about: str = "") -> T | None:
        """Return the note about something, None if there is none."""
        return self.notes.of_kind.get(kind, NOTHING_NOTED).get(about)

    def noted(self, kind: Note[T]) -> Mapping[str, T]:
        """Return all notes of a kind, by subject."""
        return self.notes.of_kind.get(kind, NOTHING_NOTED)

    def battle(self, number: int = 0) -> Battle | None:
        """Return a battle by its number, the one declared last for 0; None if there is none."""
        found = [battle for battle in self.battles if not number or battle.number == number]
        return found[-1] if found else None

    def with_piece(
        self,
        name: str,
        *,
        where: str | None = None,
        steps: int | None = None,
        states: Mapping[str, Mark] | None = None,
        face: Face | None = None,
    ) -> Position:
        """Return the position with a piece changed; what is None stays as it is."""
        old = self.pieces[name]
        piece = Piece(
            old.counter,
            old.where if where is None else where,
            old.steps if steps is None else steps,
            old.states if states is None else states,
            old.face if face is None else face,
        )
        return self.with_pieces(self.pieces.changed(name, piece))

    def with_pieces(self, pieces: Mapping[str, Piece]) -> Position:
        """Return the position with all its pieces replaced."""
        return Position(self.world, pieces, self.clock, self.battles, self.notes)

    def with_notes(self, notes: Mapping[tuple[Note[Any], str], Any]) -> Position:
        """Return the position with all its notes replaced."""
        return Position(self.world, self.pieces, self.clock, self.battles, notes)

    def with_state(self, name: str, state: str, mark: Mark | None) -> Position:
        """Return the position with a state of a piece set or removed."""
        states = {key: value for key, value in self.pieces[name].states.items() if key != state}
        if mark is not None:
            states[state] = mark
        return self.with_piece(name, states=states)

    def with_note(self, kind: Note[T], about: str, value: T) -> Position:
        """Return the position with a note added or replaced."""
        return self.with_notes(self.notes.written(((kind, about, value),)))

    def with_noted(self, *noted: tuple[Note[Any], str, Any]) -> Position:
        """Return the position with some notes added, each given by kind, subject and value."""
        return self.with_notes(self.notes.written(noted)) if noted else self

    def without_notes(self, lapsed: Iterable[Lapse]) -> Position:
        """Return the position without the notes that expire at certain times."""
        gone = set(lapsed)
        kept = {kind: notes for kind, notes in self.notes.of_kind.items() if kind.lapses not in gone}
        return self.with_notes(Notes(kept))

    def without_note(self, kind: Note[Any], about: str = "") -> Position:
        """Return the position without one note."""
        if about not in self.noted(kind):
            return self
        left = {other: value for other, value in self.noted(kind).items() if other != about}
        return self.with_notes(self.notes.changed(kind, left))

    def with_battle(self, battle: Battle) -> Position:
        """Return the position with a battle added, or with the one of the same number replaced."""
        known = any(other.number == battle.number for other in self.battles)
        battles = tuple(battle if other.number == battle.number else other for other in self.battles)
        return self.with_battles(battles if known else (*battles, battle))

    def without_battle(self, number: int) -> Position:
        """Return the position without a battle."""
        return self.with_battles(tuple(other for other in self.battles if other.number != number))

    def with_battles(self, battles: tuple[Battle, ...]) -> Position:
        """Return the position with all its battles replaced."""
        return Position(self.world, self.pieces, self.clock, battles, self.notes)

    def status(self) -> tuple[Breach, ...]:
        """Return every reason why this position cannot be one of a game played by the rules."""
        return self.world.rulebook.status(self)

    def judge(self, action: Action) -> Ruling:
        """Rule on an action."""
        return self.world.rulebook.judge(self, action)

    def play(self, action: Action) -> Played:
        """Rule on an action and carry it out, legal or not: the result is adopted."""
        return self.world.rulebook.play(self, action)

    def options(self, *pieces: str) -> tuple[Played, ...]:
        """Return all legal actions of these pieces, or of all, with the resulting positions."""
        return self.world.rulebook.options(self, pieces)


def prepared_as(kind: type[T]) -> Callable[[Position], T]:
    """Return a function that gets from a position what a game's rulebook prepared: TypeError for another
    game.
    """

    def find(position: Position) -> T:
        prepared = position.world.prepared
        if not isinstance(prepared, kind):
            raise TypeError("the position belongs to another game")
        return prepared

    return find


def of_force(
    *kinds: Note[Any],
) -> Callable[[Callable[Concatenate[Position, str, P], T]], Callable[Concatenate[Position, str, P], T]]:
    """Cache a result about a side's pieces as long as they, and the notes of some kinds, stay the same.

    The function may not depend on anything else that changes in a game: neither other pieces nor the clock.
    """

    def keep(find: Callable[Concatenate[Position, str, P], T]) -> Callable[Concatenate[Position, str, P], T]:
        @wraps(find)
        def found(position: Position, side: str, /, *more: P.args, **named: P.kwargs) -> T:
            memory, notes = position.pieces.force(side).memory, position.notes.of_kind
            key = find, position.world, more, *named.values()
            known = memory.get(key)
            value: T
            if known is not None and known[0] is notes:
                value = known[2]
                return value
            seen = [notes.get(kind) for kind in kinds]
            value = known[2] if known and known[1] == seen else find(position, side, *more, **named)
            memory[key] = notes, seen, value
            return value

        return found

    return keep
