"""The things on the table: pieces, stacks and decks, and the maps that they are on.

These are the mutable internals of :class:`~referee.table.table.Table`; they behave like VASSAL's own objects,
including their quirks: a piece in a stack is where the stack is, whatever its own coordinates, and is at its
own coordinates again when it leaves. [counters.BasicPiece, Stack, Deck; build.module.Map]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import compress, count
from operator import ne

from vassalgen.problems import FormatError
from vassalgen.vassal import sequences, traits
from vassalgen.vassal.pieces import MAX_PARTS
from vassalgen.vassal.traits import Trait
from vassalgen.vassal.traits.basic_name import BasicName
from vassalgen.vassal.traits.calculated_property import CalculatedProperty
from vassalgen.vassal.traits.dynamic_property import DynamicProperty
from vassalgen.vassal.traits.embellishment import OLD_CODE, Embellishment
from vassalgen.vassal.traits.free_rotator import FreeRotator
from vassalgen.vassal.traits.hideable import Hideable
from vassalgen.vassal.traits.immobilized import Immobilized
from vassalgen.vassal.traits.labeler import Labeler
from vassalgen.vassal.traits.marker import Marker
from vassalgen.vassal.traits.mat import Mat
from vassalgen.vassal.traits.movement_markable import MovementMarkable
from vassalgen.vassal.traits.obscurable import Obscurable

TAB = "\t"
SILENT_CODES = ("footprint;", "sendto;", "report;")
"""Traits whose states are VASSAL's own bookkeeping: trails, places to return to, cycles of texts."""


class PieceType:
    """The definition shared by pieces of one kind: their traits' texts, outermost first, BasicPiece last."""

    def __init__(self, parts: tuple[str, ...]) -> None:
        self.parts = parts
        basic = sequences.decode(parts[-1], ";")
        self.basic_name = basic[4] if len(basic) > 4 else ""
        self._providers: dict[str, tuple[int, ...]] = {}
        self._followed: dict[int, int | None] = {}
        self.names: dict[tuple[str, ...], str] = {}
        """Names that :attr:`name_places` have produced so far."""

    @cached_property
    def traits(self) -> tuple[Trait, ...]:
        """All traits, parsed if they can be visible; an invalid one counts as unknown."""
        return tuple(
            _read(part) if part.startswith(_SHOWING) else traits.UnknownTrait(part)
            for part in self.parts[:-1]
        )

    def places_of(self, code: str) -> tuple[int, ...]:
        """The positions of the traits with a code, outermost first."""
        return tuple(place for place, part in enumerate(self.parts[:-1]) if part.startswith(code))

    @cached_property
    def hide_places(self) -> tuple[int, ...]:
        """The positions of the Invisible traits."""
        return self.places_of("hide;")

    @cached_property
    def mask_places(self) -> tuple[int, ...]:
        """The positions of the Mask traits."""
        return self.places_of(Obscurable.CODE)

    @cached_property
    def never_stacks(self) -> bool:
        """Whether the piece never stacks: because of a Does-not-stack trait, or because it is a mat.
        [counters.Immobilized, Mat]
        """
        if self.places_of(Mat.CODE):
            return True
        immobile = self.traits_of(Immobilized.CODE)
        return any(isinstance(trait, Immobilized) and not trait.stacks for trait in immobile)

    @cached_property
    def label_places(self) -> tuple[int, ...]:
        """The positions of the text labels."""
        return self.places_of(Labeler.CODE)

    @cached_property
    def naming_places(self) -> tuple[int, ...]:
        """The positions of the traits that can modify a piece's name, innermost first."""
        places = [place for place, trait in enumerate(self.traits) if _can_rename(trait)]
        return tuple(reversed(places))

    @cached_property
    def name_places(self) -> tuple[int, ...] | None:
        """The positions of the traits whose states alone determine the name, None if it may depend on
        anything.
        """
        if self.provider_places("BasicName"):
            return None
        places: list[int | None] = []
        for place in self.naming_places:
            trait = self.traits[place]
            if not isinstance(trait, Embellishment):
                return None
            places += [place, self.followed(place)] if trait.follow_expression else [place]
        return None if None in places else tuple(place for place in places if place is not None)

    @cached_property
    def dynamic(self) -> tuple[tuple[int, DynamicProperty], ...]:
        """The dynamic properties, and their positions."""
        traits_ = enumerate(self.traits)
        return tuple((place, trait) for place, trait in traits_ if isinstance(trait, DynamicProperty))

    @cached_property
    def markers(self) -> tuple[tuple[int, Marker], ...]:
        """The marker traits, and their positions."""
        return tuple((place, trait) for place, trait in enumerate(self.traits) if isinstance(trait, Marker))

    def followed(self, place: int) -> int | None:
        """The position of the dynamic property that a layer follows; None if it follows something else."""
        if place not in self._followed:
            trait = self.traits[place]
            name = trait.expression if isinstance(trait, Embellishment) else ""
            providers = self.provider_places(name) if name.isidentifier() else ()
            own = [other for other in providers[:1] if isinstance(self.traits[other], DynamicProperty)]
            self._followed[place] = own[0] if own else None
        return self._followed[place]

    @cached_property
    def derived_places(self) -> frozenset[int]:
        """The positions of the traits whose states are not independent: VASSAL's bookkeeping, and layers that
        follow a property.
        """
        silent = (place for place, part in enumerate(self.parts[:-1]) if part.startswith(SILENT_CODES))
        layers = (
            place
            for place, trait in enumerate(self.traits)
            if isinstance(trait, Embellishment) and trait.follow_expression
        )
        return frozenset([*silent, *layers])

    @cached_property
    def seen_properties(self) -> frozenset[str]:
        """The dynamic properties that a layer follows."""
        layers = (place for place, trait in enumerate(self.traits) if isinstance(trait, Embellishment))
        followed = (self.traits[at] for place in layers if (at := self.followed(place)) is not None)
        return frozenset(trait.name for trait in followed if isinstance(trait, DynamicProperty))

    def provider_places(self, name: str) -> tuple[int, ...]:
        """The places of the traits that can provide a property, outermost first."""
        if name not in self._providers:
            places = (place for place, trait in enumerate(self.traits) if _can_provide(trait, name))
            self._providers[name] = tuple(places)
        return self._providers[name]

    @cached_property
    def follows(self) -> bool:
        """Whether names or layers depend on expressions, and therefore on anything in the game."""
        for place, trait in enumerate(self.traits):
            match trait:
                case Embellishment() if trait.follow_expression and self.followed(place) is None:
                    return True
                case BasicName() if _is_expression(trait.name):
                    return True
                case Labeler() if _is_expression(_OWN_WORDS.sub("", trait.name_format)):
                    return True
        return False

    def traits_of(self, code: str) -> tuple[Trait, ...]:
        """The traits with a code, outermost first, without parsing the others."""
        return tuple(_read(self.parts[place]) for place in self.places_of(code))


_SHOWING = (
    OLD_CODE, *(cls.CODE for cls in (
        BasicName, CalculatedProperty, DynamicProperty, Embellishment, FreeRotator, Hideable, Labeler, Marker,
        MovementMarkable, Obscurable,
    )),
)  # fmt: skip
"""The codes of traits that affect what is seen of a piece: its name, layers, labels, properties."""
_OWN_WORDS = re.compile(r"\$(pieceName|label)\$")
"""Parts of a labelled name's format that belong to the label itself."""


LABEL_UNSEEN = "$pieceName$"
"""The format of a name that does not include a label."""


def _is_expression(text: str) -> bool:
    return "$" in text or "{" in text


def _can_rename(trait: Trait) -> bool:
    """Whether a trait can modify the name of what is inside it."""
    match trait:
        case Embellishment():
            return any(trait.level_names)
        case Labeler():
            return trait.name_format != LABEL_UNSEEN
    return isinstance(trait, Hideable | Obscurable)


def _can_provide(trait: Trait, name: str) -> bool:
    """Whether a trait has a property of that name."""
    match trait:
        case DynamicProperty() | CalculatedProperty():
            return trait.name == name
        case Marker():
            return name in trait.names
        case Embellishment() | FreeRotator():
            return name.startswith(f"{trait.name}_")
        case Labeler():
            return trait.property_name == name
        case MovementMarkable():
            return name == "Moved"
        case Hideable():
            return name in ("Invisible", "InvisibleToOthers")
        case Obscurable():
            return name in ("Obscured", "ObscuredToOthers")
        case BasicName():
            return name == "BasicName"
    return False


@lru_cache(maxsize=8192)
def _read(part: str) -> Trait:
    try:
        return traits.decode(part)
    except FormatError:
        return traits.UnknownTrait(part)


class PieceTypes:
    """The definitions on one table: pieces with the same definition share it, and definitions
    share traits.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], PieceType] = {}
        self._parts: dict[str, str] = {}

    def of(self, text: str) -> PieceType:
        """The definition with a text. Raises :exc:`FormatError` for more traits than any piece has."""
        share = self._parts.setdefault
        parts = tuple(share(part, part) for part in sequences.unnest(text, TAB, limit=MAX_PARTS))
        known = self._known.get(parts)
        if known is None:
            known = self._known[parts] = PieceType(parts)
        return known


def differing(one: Sequence[str], other: Sequence[str]) -> list[int]:
    """The positions in which two lists of states differ, up to the shorter length."""
    return [] if one == other else list(compress(count(), map(ne, one, other)))


class Thing:
    """Anything that can be on a map by itself. ``changes`` counts its changes."""

    __slots__ = ("changes", "id", "listed_on", "order", "own_map", "own_x", "own_y")

    def __init__(self, thing_id: str) -> None:
        self.id = thing_id
        self.changes = 0
        self.own_map: Map | None = None
        self.own_x = 0
        self.own_y = 0
        self.listed_on: Map | None = None
        self.order = 0

    @property
    def map(self) -> Map | None:
        """The map it is on."""
        return self.own_map

    @property
    def position(self) -> tuple[int, int]:
        """Its centre, in pixels of the map at 100%."""
        return self.own_x, self.own_y

    def put_at(self, x: int, y: int) -> None:
        """Set its own coordinates."""
        if (self.own_x, self.own_y) != (x, y):
            if self.listed_on:
                self.listed_on.forget_place(self)
            self.own_x, self.own_y = x, y
            self.changes += 1
            if self.listed_on:
                self.listed_on.learn_place(self)

    def set_map(self, map_: Map | None) -> None:
        """Set the map on which it regards itself."""
        self.own_map = map_
        self.changes += 1


class Piece(Thing):
    """A piece: its definition and the states of its traits.

    ``written`` is the text from which its states were read, None if they have changed since.
    """

    __slots__ = ("gpid", "kept", "parent", "states", "type", "written")

    def __init__(self, piece_id: str, type_: PieceType) -> None:
        super().__init__(piece_id)
        self.type = type_
        self.states: list[str] = [""] * (len(type_.parts) - 1)
        self.written: str | None = None
        self.gpid = ""
        self.kept: tuple[str, ...] = ()
        self.parent: Stack | None = None

    @property
    def map(self) -> Map | None:
        return self.parent.own_map if self.parent else self.own_map

    @property
    def position(self) -> tuple[int, int]:
        return (self.parent or self).own_x, (self.parent or self).own_y

    def set_state(self, place: int, text: str) -> None:
        """Set the state of one trait."""
        self.states[place] = text
        self.written = None
        self.changes += 1

    def set_parent(self, stack: Stack | None) -> None:
        """Set the stack in which it regards itself."""
        self.parent = stack
        self.changes += 1

    @property
    def depends(self) -> bool:
        """Whether its look can change without a change to it or its stack."""
        if self.type.follows:
            return True
        places = self.type.label_places
        return bool(places) and any(_is_expression(self.states[place]) for place in places)

    @property
    def hidden_by(self) -> str | None:
        """The owner who hides it from all others: the outermost Invisible trait decides.
        [counters.Hideable]
        """
        for place in self.type.hide_places:
            owner = self.states[place]
            return None if owner == "null" else owner
        return None


class Stack(Thing):
    """Pieces on top of each other, bottom first.

    ``unnamed`` are those that VASSAL creates itself, without an entry in the log.
    """

    __slots__ = ("layer", "members", "unnamed")

    def __init__(self, stack_id: str, *, unnamed: bool = False) -> None:
        super().__init__(stack_id)
        self.unnamed = unnamed
        self.members: list[Piece] = []
        self.layer = -1

    def index_of(self, piece: Piece) -> int:
        """The index of the piece in the stack from the bottom, -1 if it is not in it."""
        for place, member in enumerate(self.members):
            if member is piece:
                return place
        return -1

    def remove(self, piece: Piece) -> None:
        """Take a piece out."""
        place = self.index_of(piece)
        if place >= 0:
            del self.members[place]
            self.changes += 1
            self._emptied()
        piece.set_parent(None)

    def insert(self, piece: Piece, place: int) -> None:
        """Insert a piece at an index; one that is already in the stack changes its index."""
        place = min(max(place, 0), len(self.members))
        old = self.index_of(piece)
        if old < 0:
            self.adopt(piece, place)
        else:
            del self.members[old]
            self.members.insert(place, piece)
            self.changes += 1

    def adopt(self, piece: Piece, place: int) -> None:
        """Take a piece from wherever it is and insert it. [counters.Stack.insertChild]"""
        if piece.parent is not None:
            piece.parent.remove(piece)
        elif piece.own_map is not None:
            piece.own_map.remove(piece)
        piece.set_parent(self)
        self.members.insert(min(max(place, 0), len(self.members)), piece)
        self.changes += 1
        if len(self.members) == 1 and self.listed_on:
            self.listed_on.learn_place(self)

    def clear(self) -> None:
        """Forget the members. As in VASSAL, they are not informed."""
        self.members.clear()
        self.changes += 1
        self._emptied()

    def set_map(self, map_: Map | None) -> None:
        """Set the map of the stack and its members."""
        super().set_map(map_)
        for member in self.members:
            member.set_map(map_)

    def _emptied(self) -> None:
        if not self.members and self.listed_on:
            self.listed_on.forget_place(self)


class Deck(Stack):
    """A deck of cards: a stack that stays where it is, even empty."""

    __slots__ = ("face_down", "name", "type_text")

    def __init__(self, deck_id: str, type_text: str) -> None:
        super().__init__(deck_id)
        self.type_text = type_text
        fields = sequences.decode(type_text, ";")
        self.name = fields[13] if len(fields) > 13 else ""
        self.face_down = False

    def _emptied(self) -> None:
        """An empty deck stays in its place."""


class Map:
    """A map: the things that are on it by themselves, in the order in which they arrived."""

    def __init__(self, name: str, *, stacking: bool = True) -> None:
        self.name = name
        self.stacking = stacking
        self.things: dict[Thing, None] = {}
        self._by_place: dict[tuple[int, int], Thing | dict[Thing, None]] = {}  # most are alone
        self._next_order = 0

    def add(self, thing: Thing) -> None:
        """Put a thing on this map, removing it from its stack and its old map. [build.module.Map.addPiece]"""
        if thing in self.things:
            return
        if isinstance(thing, Piece) and thing.parent is not None:
            thing.parent.remove(thing)
        if thing.own_map is not None and thing.own_map is not self:
            thing.own_map.remove(thing)
        thing.set_map(self)
        self.things[thing] = None
        thing.listed_on = self
        thing.order = self._next_order
        self._next_order += 1
        self.learn_place(thing)

    def remove(self, thing: Thing) -> None:
        """Remove a thing from the list. As in VASSAL, it still regards itself as being here."""
        if thing in self.things:
            self.forget_place(thing)
            del self.things[thing]
            thing.listed_on = None

    def raise_(self, thing: Thing) -> None:
        """Raise a thing above all others. [map.HighlightLastMoved.setLastMovedPiece]"""
        if thing in self.things:
            thing.order = self._next_order
            self._next_order += 1

    def learn_place(self, thing: Thing) -> None:
        """Record the place of a thing. Empty stacks do not count, because nothing ever merges with one."""
        if isinstance(thing, Stack) and not isinstance(thing, Deck) and not thing.members:
            return
        place = thing.own_x, thing.own_y
        there = self._by_place.setdefault(place, thing)
        if isinstance(there, dict):
            there[thing] = None
        elif there is not thing:
            self._by_place[place] = {there: None, thing: None}

    def forget_place(self, thing: Thing) -> None:
        """The opposite of :meth:`learn_place`."""
        there = self._by_place.get((thing.own_x, thing.own_y))
        if isinstance(there, dict):
            there.pop(thing, None)
        if not there or there is thing:
            self._by_place.pop((thing.own_x, thing.own_y), None)

    def at(self, x: int, y: int) -> list[Thing]:
        """The things by themselves at exactly this point, in the order in which they arrived on the map."""
        there = self._by_place.get((x, y))
        if isinstance(there, dict):
            return sorted(there, key=lambda thing: thing.order)
        return [there] if there else []
