"""What hypothesis makes for scalars, compounds, traits, states and pieces.

A field's values come from its codec: by hand for the common ones, for all others by reading texts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
from hypothesis import strategies as st

from vassalgen.problems import FormatError
from vassalgen.vassal import compounds, scalars, sequences, traits
from vassalgen.vassal.pieces import Piece
from vassalgen.vassal.records import Record, Spec
from vassalgen.vassal.scalars import AnyCodec, Key, java_modifiers, java_trim
from vassalgen.vassal.traits import (
    action_button,
    attachment,
    base,
    deck,
    footprint,
    free_rotator,
    immobilized,
    labeler,
    marker,
    mat,
    multi_location_command,
    non_rectangular,
    obscurable,
    property_sheet,
    return_to_deck,
    send_to_location,
    stack,
    use_prototype,
)
from vassalgen.vassal.traits import basic_piece as basic
from vassalgen.vassal.traits.base import State, Trait
from vassalgen.vassal.traits.embellishment import VERSION, Embellishment, OldEmbellishment

delimiters = st.sampled_from("\t/;,|:~=$\\'")
characters = delimiters | st.sampled_from("aB1 -.{}") | st.characters(exclude_categories=["Cs"])
wild_texts = st.text(characters, max_size=40)
"""Anything at all."""
texts = st.text(characters, max_size=8).filter(lambda text: not text.endswith("\\"))
"""What can be written anywhere in a list."""
integers = st.integers(-(2**31), 2**31 - 1)
small = st.integers(-999, 999)
doubles = st.floats() | st.sampled_from([0.0, 1.0, 0.25, -0.0, 1e7, 1e-5])
names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=",\\"), min_size=1, max_size=8)
keys = st.builds(Key, st.integers(1, 65535), st.integers(0, 2**14).map(java_modifiers), st.just("") | names)
colour_parts = st.integers(0, 255)
opaque_colours = st.tuples(colour_parts, colour_parts, colour_parts)
colours = opaque_colours | st.tuples(colour_parts, colour_parts, colour_parts, st.integers(0, 254))
points = st.lists(st.tuples(small, small), max_size=4).map(tuple)
arrays = st.lists(texts, max_size=4).map(tuple).filter(lambda items: items != ("",))
lists = st.lists(texts, min_size=1, max_size=4).map(tuple)
pairs = st.lists(st.tuples(texts, texts), max_size=3).map(tuple)
ids = st.lists(st.text("0123456789", min_size=1, max_size=13), max_size=4).map(tuple)
owners = texts.filter(lambda text: text != "null")
tokens = st.sampled_from(
    [
        *("", "true", "false", "1", "-7", "1.5", "65,130", "57344,0,flip", r"65\,130,66\,65", "1,2,3", "k"),
        *("null", "{Level == 1}", "A = b", " x ", "P", "P65,130", "Gimg.png", "side:", "sides:A:B", "a:b,c"),
        *(r"Spend:83\,130:I\,-1", r":65\,130:E\,which\,a\\\,b", "true,0,9,false", "0Text~3Ticks", "iZg"),
        *("COUNTER|true|ZONE|||z||1|2||true|p|v|LESS|a|1", "DECK|", r"All|65\,130|Side = Red|2", "||1"),
    ]
)
"""Tokens that mean something somewhere."""

_BY_CODEC: dict[AnyCodec, st.SearchStrategy[Any]] = {
    scalars.TEXT: texts,
    scalars.INTEGER: integers,
    scalars.BOOLEAN: st.booleans(),
    scalars.DOUBLE: doubles,
    scalars.KEY: st.none() | keys,
    scalars.KEYS: st.lists(keys, max_size=3).map(tuple),
    scalars.COLOUR_OR_BLACK: st.none() | colours,
    scalars.TEXTS: arrays,
    scalars.NULLABLE: st.none() | owners,
    scalars.CHARACTER: st.sampled_from("tbclrIBX"),
}
_LAYER_NAMES = st.lists(st.tuples(texts, texts), min_size=1, max_size=4)
_BY_FIELD: dict[type[Record], dict[str, st.SearchStrategy[Any]]] = {
    attachment.AttachmentState: {"ids": ids},
    base.ListState: {"items": lists},
    base.RawState: {"text": wild_texts},
    basic.BasicPieceState: {"properties": pairs},
    action_button.ActionButton: {"corners": points, "version": st.just(action_button.VERSION)},
    compounds.CommandTarget: {
        "kind": st.sampled_from(compounds.CommandKind),
        "place": st.sampled_from(compounds.TargetPlace),
        "comparison": st.sampled_from(compounds.Comparison),
    },
    deck.DeckState: {"ids": ids},
    Embellishment: {"version": st.just(VERSION)},
    footprint.FootprintState: {
        "visible": st.booleans(),
        "map_id": texts,
        "points": points,
        "initialised": st.booleans(),
        "last_size": st.none() | integers,
    },
    immobilized.Immobilized: {
        "selection": st.sampled_from(immobilized.Selection),
        "ignores_grid": st.booleans(),
        "band_selection": st.sampled_from(immobilized.BandSelection),
        "movement": st.sampled_from(immobilized.Movement),
        "stacks": st.booleans(),
        "description": texts,
    },
    multi_location_command.MultiLocationCommand: {"sort_menu": st.booleans(), "ascending": st.booleans()},
    labeler.LabelerState: {"label": wild_texts.map(java_trim)},
    marker.Marker: {"names": lists},
    mat.MatState: {"ids": ids},
    non_rectangular.NonRectangular: {"shape": wild_texts},
    property_sheet.PropertySheet: {
        "fields": st.lists(
            st.builds(property_sheet.SheetField, st.sampled_from(property_sheet.FieldKind), texts), max_size=3
        ).map(tuple),
        "text": texts,
        "commit": integers,
        "colour": st.none() | opaque_colours,
        "key": keys,
        "description": texts,
    },
    use_prototype.UsePrototype: {"name": texts, "parameters": st.none() | pairs},
    return_to_deck.ReturnToDeck: {"version": st.just(return_to_deck.VERSION)},
    send_to_location.SendToLocationState: {
        "map_id": texts,
        "point": st.none() | st.tuples(integers, integers),
    },
    stack.StackState: {"ids": ids, "layer": integers},
}
_FREE = ("set_angle_key", "set_angle_text")
_FIXED = ("clockwise_key", "counterclockwise_key", "clockwise_text", "counterclockwise_text")


def read_by(decode: Callable[[str], Any]) -> st.SearchStrategy[Any]:
    """Values that reading texts gives."""

    def readable(text: str) -> bool:
        try:
            decode(text)
        except (ValueError, FormatError):
            return False
        return True

    plain = st.text("aB1 -.{}\t/;,|:~=$'é", max_size=12)
    return (tokens | plain).filter(readable).map(decode)


def _values(spec: Spec) -> st.SearchStrategy[Any]:
    known = _BY_CODEC[spec.codec] if spec.codec in _BY_CODEC else read_by(spec.codec.decode)
    return st.none() | known if spec.newer else known


_made: dict[type[Record], st.SearchStrategy[Any]] = {}


def records_of(cls: type[Record]) -> st.SearchStrategy[Any]:
    """Instances of a record class with values of all sorts, as VASSAL would write them now."""
    if cls not in _made:
        _made[cls] = _make(cls)
    return _made[cls]


def _make(cls: type[Record]) -> st.SearchStrategy[Any]:
    fields = {spec.name: _values(spec) for spec in cls.SPECS}
    for ancestor in reversed(cls.__mro__):
        fields |= _BY_FIELD.get(ancestor, {})
    if cls is free_rotator.FreeRotator:
        free = {name: given for name, given in fields.items() if name not in _FIXED}
        fixed = {name: given for name, given in fields.items() if name not in _FREE}
        return st.builds(cls, **free | {"facings": st.just(1)}) | st.builds(
            cls, **fixed | {"facings": st.integers(2, 360)}
        )
    if cls is Embellishment:
        return st.builds(_with_levels, st.builds(cls, **fields), _LAYER_NAMES)
    if cls is OldEmbellishment:
        return _old_layers
    if cls is obscurable.ObscurableState:
        return st.just(cls()) | st.builds(cls, owner=owners, unmasking=fields["unmasking"])
    return st.builds(cls, **fields)


def _with_levels(layer: Embellishment, levels: list[tuple[str, str]]) -> Embellishment:
    images, level_names = zip(*levels, strict=True)
    return attrs.evolve(layer, images=images, level_names=level_names)


_old_layers = st.lists(tokens, max_size=30).map(
    lambda rest: OldEmbellishment.from_text("emb2;Flip;2;FG;" + sequences.encode(rest, ";"))
)

TRAITS: list[type[Trait]] = sorted(
    {traits.family(code) for code in traits.FAMILIES} | {OldEmbellishment},
    key=lambda cls: cls.__name__,
)
STATES: list[type[State]] = sorted(
    {cls.STATE for cls in TRAITS} | {free_rotator.AngleState}, key=lambda cls: cls.__name__
)


def _state_of(trait: Trait) -> st.SearchStrategy[State]:
    return records_of(trait.state_class)


def _can_be_wrapped(part: tuple[Trait, State]) -> bool:
    return not any(record.to_text().endswith("\\") for record in part)


_outer: st.SearchStrategy[tuple[Trait, State]] = (
    st.sampled_from([cls for cls in TRAITS if cls.CODE not in ("piece;", "deck;", "stack")])
    .flatmap(records_of)
    .flatmap(lambda trait: st.tuples(st.just(trait), _state_of(trait)))
    .filter(_can_be_wrapped)
)
_innermost = st.tuples(
    records_of(basic.BasicPiece).filter(lambda piece: "\t" not in piece.to_text()),
    records_of(basic.BasicPieceState),
)
pieces = st.builds(lambda outer, inner: Piece.of(*outer, inner), st.lists(_outer, max_size=6), _innermost)
"""Pieces that can be written: no part ends with a backslash, and the innermost type contains no TAB."""
