"""Pieces: traits wrapped around each other, each with its state; slots and prototypes have the same form.

A piece is written as two texts, its type (definition) and its state. Both are lists of traits nested in each
other with TABs, the outermost first; stacks and decks are pieces of one part. [counters.Decorator.getType,
getState; build.module.BasicCommandEncoder.createPiece]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import TypeVar

import attrs
from attrs import field, frozen

from vassalgen.problems import FormatError
from vassalgen.vassal import sequences
from vassalgen.vassal.traits import decode as decode_trait
from vassalgen.vassal.traits.base import RawState, State, Trait
from vassalgen.vassal.traits.basic_piece import BasicPiece, BasicPieceState
from vassalgen.vassal.traits.comment import Comment
from vassalgen.vassal.traits.marker import Marker
from vassalgen.vassal.traits.use_prototype import UsePrototype

T = TypeVar("T", bound=Trait)

TAB = "\t"
SLASH = "/"
ADD = "+/"
MAX_PARTS = 1000
"""A piece with more traits than this is regarded as an attack."""
MAX_DEPTH = 50
"""The depth to which VASSAL follows prototypes within prototypes. [tools.RecursionLimiter]"""
_CACHED = 1 << 14


@frozen
class Piece:
    """A piece, or the definition of one: its traits from the outermost inwards, and their states beside them.

    The last trait is the innermost part, normally a ``BasicPiece``. A text with too few states gives fewer
    states than traits; the others are those of a new piece. A piece that was read is written as the same
    texts as long as its values are unchanged.
    """

    traits: tuple[Trait, ...]
    states: tuple[State, ...]
    written_type: str | None = field(default=None, eq=False, repr=False)
    written_state: str | None = field(default=None, eq=False, repr=False)
    slot_id: str = field(default="null", eq=False, repr=False)
    """The id in the text of a slot, usually ``null``: VASSAL assigns ids when it places pieces."""

    @classmethod
    def of(cls, *parts: Trait | tuple[Trait, State]) -> Piece:
        """Make a piece from traits, outermost first; those given without a state are new."""
        pairs = [part if isinstance(part, tuple) else (part, part.initial_state()) for part in parts]
        return cls(tuple(trait for trait, _ in pairs), tuple(state for _, state in pairs))

    @classmethod
    def decode(cls, type_text: str, state_text: str) -> Piece:
        """Read a piece.

        Raises :exc:`FormatError` if VASSAL cannot read the type. A part of the state that its trait cannot
        read is kept as a ``RawState``, because VASSAL only reports it and continues.
        """
        of_type = decode_type(type_text)
        return cls(of_type, _decode_states(of_type, state_text), type_text, state_text)

    @property
    def type_text(self) -> str:
        """The text of the type."""
        if self.written_type is not None and decode_type(self.written_type) == self.traits:
            return self.written_type
        return sequences.nest([_trait_text(trait) for trait in self.traits], TAB)

    @property
    def state_text(self) -> str:
        """The text of the state."""
        if self.written_state is not None and _decode_states(self.traits, self.written_state) == self.states:
            return self.written_state
        return sequences.nest([state.encode() for state in self.states], TAB)

    def encode(self) -> tuple[str, str]:
        """The piece as its two texts, type and state."""
        return self.type_text, self.state_text

    def pairs(self) -> Iterator[tuple[Trait, State]]:
        """Each trait with its state, from the outermost inwards."""
        for position, trait in enumerate(self.traits):
            yield trait, self.state_at(position)

    def state_at(self, position: int) -> State:
        """The state of the trait at ``position``, counted from 0 at the outermost."""
        return self.states[position] if position < len(self.states) else self.traits[position].initial_state()

    def find(self, kind: type[T]) -> T | None:
        """The outermost trait of this class, or None."""
        return next((trait for trait in self.traits if isinstance(trait, kind)), None)

    def position(self, wanted: Trait | type[Trait]) -> int:
        """The position of a trait, or of the outermost one of a class; :exc:`ValueError` if there is none."""
        for position, trait in enumerate(self.traits):
            if isinstance(trait, wanted) if isinstance(wanted, type) else trait == wanted:
                return position
        kind = wanted if isinstance(wanted, type) else type(wanted)
        raise ValueError(f"no {kind.__name__} in this piece")

    def state_of(self, wanted: Trait | type[Trait]) -> State:
        """The state of a trait, or of the outermost one of a class; :exc:`ValueError` if there is none."""
        return self.state_at(self.position(wanted))

    def replace_state(self, where: int | Trait | type[Trait], state: State) -> Piece:
        """Return the piece with another state at a position, of a trait, or of the outermost
        one of a class.
        """
        position = where if isinstance(where, int) else self.position(where)
        states = [self.state_at(place) for place in range(max(position + 1, len(self.states)))]
        states[position] = state
        return attrs.evolve(self, states=tuple(states))

    @property
    def basic(self) -> BasicPiece | None:
        """The innermost part; None for stacks, decks and unknown types."""
        innermost = self.traits[-1]
        return innermost if isinstance(innermost, BasicPiece) else None

    @property
    def basic_state(self) -> BasicPieceState:
        """The state of the innermost part, which includes the piece's place; a new one if the
        text has none.
        """
        state = self.state_at(len(self.traits) - 1)
        return state if isinstance(state, BasicPieceState) else BasicPieceState()

    @property
    def name(self) -> str:
        """The name in the innermost part, empty for stacks and decks."""
        return self.basic.name if self.basic else ""

    @property
    def gpid(self) -> str:
        """The id of the slot the piece came from, empty if it is not known."""
        return self.basic_state.gpid

    def marker(self, name: str) -> str | None:
        """The value of the outermost marker trait with that name, or None."""
        values = (
            trait.value(name, self.state_at(position))
            for position, trait in enumerate(self.traits)
            if isinstance(trait, Marker)
        )
        return next((value for value in values if value is not None), None)

    def with_state(self, state_text: str) -> Piece:
        """Return the piece with a new state, as a change without an old state sets it."""
        return attrs.evolve(self, states=_decode_states(self.traits, state_text), written_state=state_text)

    def merged(self, new: str, old: str) -> Piece:
        """Return the piece after a change: parts of a trait in which ``new`` and ``old`` differ become new.

        Not for stacks, whose changes also take into account pieces that have joined since.
        [counters.Decorator.mergeState, BasicPiece.mergeState]
        """
        states = [state for _, state in self.pairs()]
        parts = zip(*(_split_states(text, len(self.traits)) for text in (new, old)), strict=False)
        for position, (new_part, old_part) in enumerate(parts):
            if new_part != old_part:
                states[position] = _decode_state(self.traits[position].state_class.decode, new_part)
        return attrs.evolve(self, states=tuple(states), written_state=new)


@lru_cache(maxsize=_CACHED)
def decode_type(text: str) -> tuple[Trait, ...]:
    """Read a type: the traits from the outermost inwards."""
    parts = sequences.unnest(text, TAB, limit=MAX_PARTS)
    found = []
    for position, part in enumerate(parts, 1):
        try:
            found.append(decode_trait(part))
        except FormatError as error:
            raise error.within(f"trait {position} of {len(parts)}") from None
    return tuple(found)


def _trait_text(trait: Trait) -> str:
    """The result of ``trait.encode()``, without reading again what was read before."""
    if trait.written is not None and decode_trait(trait.written) == trait:
        return trait.written
    return _canonical_text(trait)


@lru_cache(maxsize=_CACHED)
def _canonical_text(trait: Trait) -> str:
    return trait.to_text()


@lru_cache(maxsize=_CACHED)
def _decode_state(decode: Callable[[str], State], text: str) -> State:
    try:
        return decode(text)
    except FormatError:
        return RawState(text)


def _decode_states(of_type: tuple[Trait, ...], text: str) -> tuple[State, ...]:
    parts = _split_states(text, len(of_type))
    return tuple(
        _decode_state(trait.state_class.decode, part) for trait, part in zip(of_type, parts, strict=False)
    )


def _split_states(text: str, count: int) -> list[str]:
    """Split a state for so many traits; the innermost takes the remainder, as in VASSAL, or has none."""
    tabs = text.count(TAB)
    if tabs < count and sequences.QUOTE not in text:
        parts = sequences.unnest(text, TAB)
        if len(parts) == tabs + 1:
            return parts
    parts = []
    while len(parts) < count - 1:
        level = sequences.decode(text, TAB)
        parts.append(level[0])
        if len(level) < 2:
            return parts
        text = level[1]
    return [*parts, text]


def slot_text(piece: Piece) -> str:
    """A definition as written in a module: ``+/null/type/state``, or with the id that the slot gave it."""
    return ADD + sequences.encode([piece.slot_id, *piece.encode()], SLASH)


def from_slot_text(text: str) -> Piece:
    """Read the definition in a slot or prototype of a module.

    Raises :exc:`FormatError` if it is not valid.
    """
    tokens = sequences.decode(text.removeprefix(ADD), SLASH)
    if not text.startswith(ADD) or len(tokens) < 3:
        raise FormatError("this is not a definition of a piece", "+/null/type/state")
    return attrs.evolve(Piece.decode(tokens[1], tokens[2]), slot_id=tokens[0])


def expand(piece: Piece, prototypes: Mapping[str, Piece], *, strict: bool = False) -> Piece:
    """Return the piece as VASSAL places it: each use of a prototype is replaced by that prototype's traits,
    without its innermost part, recursively; comments are removed. An unknown prototype adds nothing, or
    raises :exc:`FormatError` if ``strict``; so do prototypes that use themselves.
    [counters.PieceCloner.clonePiece, UsePrototype.getExpandedInner]
    """
    *_, innermost = piece.pairs()
    return Piece.of(*_Expansion(prototypes, strict).outer_traits(piece, ()), innermost)


@frozen
class _Expansion:
    """One expansion; the result for each use of a prototype is calculated once."""

    prototypes: Mapping[str, Piece]
    strict: bool
    known: dict[UsePrototype, list[tuple[Trait, State]]] = field(factory=dict)

    def outer_traits(self, piece: Piece, users: tuple[UsePrototype, ...]) -> list[tuple[Trait, State]]:
        """All traits around the innermost part of ``piece``, which was reached through the ``users``."""
        found: list[tuple[Trait, State]] = []
        *outer, _ = piece.pairs()
        for trait, state in outer:
            if isinstance(trait, UsePrototype):
                found += self.traits_of(trait, users)
            elif not isinstance(trait, Comment):
                found.append((trait, state))
            if len(found) > MAX_PARTS:
                raise FormatError(f"the prototypes of a piece add up to more than {MAX_PARTS} traits")
        return found

    def traits_of(self, use: UsePrototype, users: tuple[UsePrototype, ...]) -> list[tuple[Trait, State]]:
        """The traits that replace one use of a prototype."""
        if use in users:
            chain = " uses ".join(repr(user.name) for user in (*users, use))
            raise FormatError(f"a prototype uses itself: {chain}", "prototypes that come to an end")
        if len(users) >= MAX_DEPTH:
            raise FormatError(f"prototypes use each other more than {MAX_DEPTH} deep")
        if use not in self.known:
            definition = self.prototypes.get(use.name)
            if definition is None:
                if self.strict:
                    names = ", ".join(sorted(self.prototypes))
                    raise FormatError(f"there is no prototype {use.name!r}", names)
                return []
            if use.parameters is not None:
                definition = _substituted(definition, use)
            self.known[use] = self.outer_traits(definition, (*users, use))
        return self.known[use]


def _substituted(definition: Piece, use: UsePrototype) -> Piece:
    r"""Replace ``$name$`` anywhere in a prototype's text by the parameters of a use. VASSAL treats the whole
    text as a format: a name without a parameter loses its dollars, and ``\$`` is a dollar.
    [build.module.PrototypeDefinition.getPiece, script.expression.FormattedStringExpression]
    """
    values = dict(use.parameters or ())
    tokens = sequences.decode(slot_text(definition), "$")
    last = len(tokens) - 1
    text = "".join(
        values.get(token, token) if position % 2 and position < last else token
        for position, token in enumerate(tokens)
    )
    place = f"prototype {use.name!r} with its parameters"
    try:
        piece = from_slot_text(text)
    except FormatError as error:
        raise error.within(place) from None
    if piece.basic is None:
        raise FormatError("the values break its text", "values without a slash or TAB", place=place)
    return piece
