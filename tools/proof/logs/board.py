"""Counters as they are on VASSAL's table, and the commands that its logger writes when they are handled.

[build.module.map.PieceMover, StackMetrics.merge; command.MovePiece, ChangePiece]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from attrs import define, evolve, field, frozen

from vassalgen.vassal.commands import AddPiece, ChangePiece, Command, MovePiece, RemovePiece
from vassalgen.vassal.pieces import TAB, Piece
from vassalgen.vassal.sequences import nest
from vassalgen.vassal.traits.base import State
from vassalgen.vassal.traits.basic_piece import BasicPiece, BasicPieceState
from vassalgen.vassal.traits.dynamic_property import DynamicProperty, DynamicPropertyState
from vassalgen.vassal.traits.embellishment import Embellishment, EmbellishmentState
from vassalgen.vassal.traits.footprint import Footprint, FootprintState
from vassalgen.vassal.traits.movement_markable import MovementMarkable, MovementMarkableState
from vassalgen.vassal.traits.obscurable import Obscurable, ObscurableState, Unmasking
from vassalgen.vassal.traits.stack import Stack, StackState

MARKER = "marker-"
"""How the ids of markers begin."""
FIRST_STACK = 1_700_000_000_000
"""The ids of stacks made during play: VASSAL uses the time of the clock, these count from here."""


@frozen
class Spot:
    """A place: map, pixels, the name of the place in the chat, and the layer in which pieces stack."""

    map: str
    x: int
    y: int
    name: str
    layer: int = 0

    @property
    def key(self) -> tuple[str, int, int, int]:
        """What all counters of a stack have in common."""
        return self.map, self.x, self.y, self.layer


@frozen(slots=False)
class TraitPlaces:
    """Where a piece has its dynamic properties, the badges that show them, its trail and its mark."""

    piece: Piece

    @cached_property
    def properties(self) -> Mapping[str, int]:
        """Dynamic properties by name."""
        traits = enumerate(self.piece.traits)
        return {trait.name: place for place, trait in traits if isinstance(trait, DynamicProperty)}

    @cached_property
    def badges(self) -> Mapping[str, int]:
        """Layers by name."""
        traits = enumerate(self.piece.traits)
        return {trait.name: place for place, trait in traits if isinstance(trait, Embellishment)}

    @cached_property
    def trail(self) -> int | None:
        """The movement trail."""
        return next((n for n, trait in enumerate(self.piece.traits) if isinstance(trait, Footprint)), None)

    @cached_property
    def mask(self) -> int | None:
        """The trait that turns it face down."""
        traits = enumerate(self.piece.traits)
        return next((place for place, trait in traits if isinstance(trait, Obscurable)), None)

    @cached_property
    def mark(self) -> int | None:
        """The mark of having moved."""
        traits = enumerate(self.piece.traits)
        return next((place for place, trait in traits if isinstance(trait, MovementMarkable)), None)


@frozen
class LoggedPiece:
    """A counter on the table: the id of its piece, the piece with all its traits, and its place."""

    id: str
    piece: Piece
    spot: Spot
    trait_places: TraitPlaces = field(repr=False)

    @classmethod
    def of(cls, id_: str, piece: Piece, spot: Spot) -> LoggedPiece:
        """A counter on the table; a state that is missing from its text is as in a new piece."""
        states = tuple(state for _, state in piece.pairs())
        return cls(id_, evolve(piece, states=states), spot, TraitPlaces(piece))

    def value(self, name: str) -> str | None:
        """The value of a dynamic property; None if the piece has no such property."""
        place = self.trait_places.properties.get(name)
        state = self.piece.states[place] if place is not None else None
        return state.value if isinstance(state, DynamicPropertyState) else None

    def differing(self, values: Mapping[str, str]) -> dict[str, str]:
        """Those of some values that differ from the values the counter has; properties that it lacks are left
        out.
        """
        return {name: value for name, value in values.items() if self.value(name) not in (None, value)}

    def with_values(self, values: Mapping[str, str]) -> LoggedPiece:
        """The counter with other values of its properties, and of the badges that show them."""
        changed: dict[int, State] = {}
        for name, value in values.items():
            place, badge = (
                self.trait_places.properties.get(name),
                self.trait_places.badges.get(f"badge_{name}"),
            )
            if place is not None:
                changed[place] = DynamicPropertyState(value=value)
                if badge is not None:
                    changed[badge] = EmbellishmentState(value=2 if value.lstrip("-").strip("0") else 1)
        return self.with_states(changed)

    def with_states(self, changed: Mapping[int, State]) -> LoggedPiece:
        """The counter with other states of traits, by their index."""
        states = list(self.piece.states)
        for place, state in changed.items():
            states[place] = state
        piece = Piece(self.piece.traits, tuple(states), self.piece.written_type)
        return LoggedPiece(self.id, piece, self.spot, self.trait_places)

    @property
    def basic(self) -> BasicPieceState:
        """What the BasicPiece remembers."""
        return self.piece.basic_state

    def with_basic(self, state: BasicPieceState) -> LoggedPiece:
        """The counter with another memory in its BasicPiece."""
        return self.with_states({len(self.piece.traits) - 1: state})

    def remembering(self) -> LoggedPiece:
        """The counter with its present place in memory, as VASSAL stores it before a move."""
        spot = self.spot
        kept = dict(self.basic.properties) | {
            "OldZone": "",
            "UniqueID": self.id,
            "OldLocationName": spot.name,
            "OldDeckName": "",
            "OldX": str(spot.x),
            "OldY": str(spot.y),
            "OldBoard": spot.map,
            "OldMap": spot.map,
        }
        return self.with_basic(evolve(self.basic, properties=tuple(kept.items())))

    def moved_to(self, spot: Spot) -> LoggedPiece:
        """The counter at another place, with its old place in memory."""
        one = self.remembering()
        basic = evolve(one.basic, map=spot.map, x=spot.x, y=spot.y)
        return evolve(one.with_basic(basic), spot=spot)

    @property
    def trail(self) -> FootprintState | None:
        """The trail; None for a piece that leaves none."""
        state = self.piece.state_at(self.trait_places.trail) if self.trait_places.trail is not None else None
        return state if isinstance(state, FootprintState) else None

    @property
    def is_marked(self) -> bool:
        """Whether it is marked as moved."""
        state = self.piece.state_at(self.trait_places.mark) if self.trait_places.mark is not None else None
        return isinstance(state, MovementMarkableState) and state.moved

    @property
    def is_face_down(self) -> bool:
        """Whether it is face down."""
        state = self.piece.state_at(self.trait_places.mask) if self.trait_places.mask is not None else None
        return isinstance(state, ObscurableState) and state.owner is not None

    def turned(self, owner: str | None) -> LoggedPiece:
        """The counter face down for everyone but an owner, or face up."""
        if self.trait_places.mask is None:
            return self
        down = ObscurableState(owner=owner, unmasking=Unmasking(override=False))
        return self.with_states({self.trait_places.mask: down if owner else ObscurableState()})

    def with_way(self, trail: FootprintState, *, moved: bool) -> LoggedPiece:
        """The counter with another trail and mark."""
        changed: dict[int, State] = {}
        if self.trait_places.trail is not None:
            changed[self.trait_places.trail] = trail
        if self.trait_places.mark is not None:
            changed[self.trait_places.mark] = MovementMarkableState(moved=moved)
        return self.with_states(changed)


@frozen
class LoggedStack:
    """Pieces on top of each other, from the bottom; ``id`` is None for a piece without a stack."""

    id: str | None
    members: tuple[str, ...]


@define(eq=False)
class Board:
    """All counters by name, and their stacks. ``maps`` gives VASSAL's ids of the maps by name.

    ``left`` are the pieces of counters that were placed again, where they were left, by id. ``texts`` holds
    the texts of states by their identity, ``written`` the last text of each counter. ``marker_pieces`` are
    the pieces of the palette of markers in hexes, by name; ``markers`` are the ids of those on the map, by
    name and hex.
    """

    pieces: dict[str, LoggedPiece]
    piles: dict[tuple[str, int, int, int], LoggedStack]
    maps: Mapping[str, str] = field(factory=dict)
    made: int = 0
    left: dict[str, LoggedPiece] = field(factory=dict)
    texts: dict[int, tuple[State, str]] = field(factory=dict)
    written: dict[str, tuple[Piece, str]] = field(factory=dict)
    marker_pieces: Mapping[str, Piece] = field(factory=dict)
    markers: dict[tuple[str, str], tuple[str, ...]] = field(factory=dict)

    def _text(self, one: LoggedPiece) -> str:
        """The text of what a counter remembers; most states occur again and again."""
        piece = one.piece
        if piece.written_state is not None:
            return piece.state_text
        known = self.written.get(one.id)
        if known is not None and known[0] is piece:
            return known[1]
        for state in piece.states:
            if id(state) not in self.texts:
                self.texts[id(state)] = state, state.encode()
        text = nest([self.texts[id(state)][1] for state in piece.states], TAB)
        self.written[one.id] = piece, text
        return text

    def copy(self) -> Board:
        """A copy of the board, to return to."""
        return evolve(
            self,
            pieces=dict(self.pieces),
            piles=dict(self.piles),
            left=dict(self.left),
            markers=dict(self.markers),
        )

    def change(self, name: str, after: LoggedPiece) -> list[Command]:
        """Change what a counter remembers; no command if nothing changes."""
        old, new = self._text(self.pieces[name]), self._text(after)
        self.pieces[name] = after
        return [ChangePiece(id=after.id, new_state=new, old_state=old)] if old != new else []

    def set(self, name: str, **values: str) -> list[Command]:
        """Set properties of a counter."""
        return self.change(name, self.pieces[name].with_values(values))

    def drag(self, names: Sequence[str], spots: Mapping[str, Spot], player: str) -> list[Command]:
        """Drag counters to places, marking them as moved; counters of one stack enter the new
        one together.
        """
        found = [command for name in names for command in self._marked(name)]
        pile = self._pile(names[0])
        target = spots[names[0]]
        members = {self.pieces[name].id for name in names}
        whole = pile is not None and pile.id is not None and members == set(pile.members)
        if pile is not None and whole and len(members) > 1 and target.key not in self.piles:
            return [*found, self._move_pile(names, pile, target, player)]
        for name in names:
            found += self.put(name, spots[name], player)
        return found

    def put(self, name: str, spot: Spot, player: str) -> list[Command]:
        """Move one counter to a place: on top of the pieces there, or in a stack of its own."""
        one = self.pieces[name]
        self._take(name)
        pile = self.piles.get(spot.key)
        made: list[Command] = []
        after: list[Command] = []
        if pile is None:
            pile = LoggedStack(self._new_stack(), (one.id,))
            after = [_stack(pile, spot)]
            under = None
        else:
            under = pile.members[-1]
            if pile.id is None:
                pile = evolve(pile, id=self._new_stack())
                made = [_stack(pile, spot)]
            pile = evolve(pile, members=(*pile.members, one.id))
        self.piles[spot.key] = pile
        self._lay(name, spot)
        return [*made, _move(one.id, spot, one.spot, player, under), *after]

    def lay_anew(self, name: str, spot: Spot, player: str) -> list[Command]:
        """Place another copy of a counter; it replaces the one that is left behind."""
        self._take(name)
        self.made += 1
        former = self.left[self.pieces[name].id] = self.pieces[name]
        basic = evolve(former.basic, map=None, x=0, y=0)
        one = evolve(former.with_basic(basic), id=f"{former.id}-{self.made}", spot=Spot("", 0, 0, ""))
        self.pieces[name] = one
        type_text, state_text = one.piece.encode()
        return [AddPiece(id=one.id, type=type_text, state=state_text), *self.put(name, spot, player)]

    def put_back(self, name: str, spot: Spot) -> None:
        """Put a counter back where it was before an undone step: without a stack, as VASSAL leaves it."""
        self._take(name)
        pile = self.piles.get(spot.key)
        members = (*(pile.members if pile is not None else ()), self.pieces[name].id)
        self.piles[spot.key] = LoggedStack(None, members)
        self._lay(name, spot)

    def lay_marker(self, name: str, spot: Spot) -> Command:
        """Place a marker from the palette."""
        self.made += 1
        id_, piece = f"{MARKER}{self.made}", self.marker_pieces[name]
        self.markers[name, spot.name] = (*self.markers.get((name, spot.name), ()), id_)
        state = evolve(piece.basic_state, map=spot.map, x=spot.x, y=spot.y)
        type_text, state_text = piece.replace_state(BasicPiece, state).encode()
        return AddPiece(id=id_, type=type_text, state=state_text)

    def take_marker(self, name: str, place: str) -> Command:
        """Take a marker off the map."""
        *left, id_ = self.markers[name, place]
        self.markers[name, place] = tuple(left)
        return RemovePiece(id=id_)

    def join_stack(self, marker: str, spot: tuple[str, int, int]) -> None:
        """Put a marker, by its id, among the counters of a place; without it they are not the whole stack."""
        for key, pile in self.piles.items():
            if key[:3] == spot:
                self.piles[key] = evolve(pile, members=(marker, *pile.members))

    def leave_stack(self, marker: str) -> None:
        """Remove such a marker."""
        for key, pile in list(self.piles.items()):
            left = tuple(one for one in pile.members if one != marker)
            if left:
                self.piles[key] = evolve(pile, members=left)
            else:
                del self.piles[key]

    def delete(self, name: str) -> Command:
        """Take a counter out of the game, as VASSAL's delete does."""
        self._take(name)
        return RemovePiece(id=self.pieces.pop(name).id)

    def end_of_way(self, name: str) -> LoggedPiece:
        """The counter at the beginning of a phase: not marked as moved, its trail only a point."""
        one = self.pieces[name]
        trail = one.trail
        if trail is None or (trail.initialised and not one.is_marked):
            return one
        fresh = evolve(trail, visible=True, points=((one.spot.x, one.spot.y),), initialised=True)
        return one.with_way(fresh, moved=False)

    def _marked(self, name: str) -> list[Command]:
        """Mark a counter as moved before it moves; it remembers its old place."""
        one = self.pieces[name].remembering()
        trail = one.trail
        if trail is None:
            self.pieces[name] = one
            return []
        here = (one.spot.x, one.spot.y)
        points = trail.points if trail.points[-1:] == (here,) else (*trail.points, here)
        there = self.maps.get(one.spot.map, "")
        self.pieces[name] = one
        fresh = evolve(trail, visible=True, map_id=there, points=points, initialised=True)
        return self.change(name, one.with_way(fresh, moved=True))

    def _move_pile(self, names: Sequence[str], pile: LoggedStack, spot: Spot, player: str) -> Command:
        assert pile.id is not None
        old = self.pieces[names[0]].spot
        del self.piles[old.key]
        self.piles[spot.key] = pile
        for name in names:
            self._lay(name, spot)
        return _move(pile.id, spot, old, player, None)

    def _lay(self, name: str, spot: Spot) -> None:
        one = self.pieces[name]
        basic = evolve(one.basic, map=spot.map, x=spot.x, y=spot.y)
        self.pieces[name] = evolve(one.with_basic(basic), spot=spot)

    def _pile(self, name: str) -> LoggedStack | None:
        return self.piles.get(self.pieces[name].spot.key)

    def _take(self, name: str) -> None:
        one = self.pieces[name]
        pile = self.piles.get(one.spot.key)
        if pile is None or one.id not in pile.members:
            return
        left = tuple(member for member in pile.members if member != one.id)
        if all(member.startswith(MARKER) for member in left):  # only markers remain; their stack is gone
            pile = evolve(pile, id=None)
        if left:
            self.piles[one.spot.key] = evolve(pile, members=left)
        else:
            del self.piles[one.spot.key]

    def _new_stack(self) -> str:
        self.made += 1
        return str(FIRST_STACK + self.made)


def board_of(pieces: Mapping[str, LoggedPiece], maps: Mapping[str, str]) -> Board:
    """The board with its counters; each stack has the number of its lowest counter, as in set-ups."""
    piles: dict[tuple[str, int, int, int], LoggedStack] = {}
    for one in pieces.values():
        below = piles.get(one.spot.key, LoggedStack(f"S{one.id.removeprefix('U')}", ()))
        piles[one.spot.key] = evolve(below, members=(*below.members, one.id))
    return Board(dict(pieces), piles, maps)


def stacks_of(board: Board) -> Iterator[Command]:
    """The stacks of a board, as a set-up adds them."""
    spots = {one.id: one.spot for one in board.pieces.values()}
    for pile in board.piles.values():
        if pile.id is not None:
            yield _stack(pile, spots[pile.members[0]])


def _stack(pile: LoggedStack, spot: Spot) -> Command:
    state = StackState(map=spot.map, x=spot.x, y=spot.y, ids=pile.members, layer=spot.layer)
    type_text, state_text = Piece.of((Stack(), state)).encode()
    return AddPiece(id=pile.id, type=type_text, state=state_text)


def _move(id_: str, spot: Spot, old: Spot, player: str, under: str | None) -> MovePiece:
    return MovePiece(
        id=id_,
        map=spot.map,
        x=spot.x,
        y=spot.y,
        under=under,
        old_map=old.map,
        old_x=old.x,
        old_y=old.y,
        old_under=None,
        player=player,
    )
