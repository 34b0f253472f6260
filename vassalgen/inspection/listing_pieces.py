"""Pieces and definitions of pieces written out, trait by trait as VASSAL's editor lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs

from vassalgen.inspection.reading import wrong
from vassalgen.inspection.survey import definition_in
from vassalgen.inspection.values import INDENT, fields, lines, nameless, quoted, shown
from vassalgen.problems import FormatError
from vassalgen.vassal.compounds import Access, Owner
from vassalgen.vassal.pieces import ADD, Piece, from_slot_text
from vassalgen.vassal.traits.base import RawState, State, Trait, UnknownTrait
from vassalgen.vassal.traits.place_marker import PlaceMarker

Clean = Callable[[str], str]
"""Removes passwords from a text that cannot be parsed."""

_STATE = "·"
"""The mark in front of a trait's state."""


def definition_lines(text: str, indent: str) -> Iterator[str]:
    """The text of a slot or prototype; unchanged if it cannot be read."""
    try:
        piece = from_slot_text(text)
    except FormatError as error:
        yield f"{indent}(broken: {wrong(error.problem)})"
        yield f"{indent}{quoted(text)}"
        return
    yield from piece_lines(piece, indent, str)


def piece_lines(piece: Piece, indent: str, clean: Clean, depth: int = 0) -> Iterator[str]:
    """The traits of a piece, the innermost first, each with its state."""
    for trait, state in reversed(list(piece.pairs())):
        remembered = [(f"{_STATE} {name}", text) for name, text in _state_fields(trait, state, clean)]
        yield from lines(type(trait).__name__, [*_trait_fields(trait), *remembered], indent)
        if isinstance(trait, PlaceMarker):
            yield from _marker_lines(trait, indent + INDENT, clean, depth + 1)


def _trait_fields(trait: Trait) -> Iterator[tuple[str, str]]:
    if isinstance(trait, UnknownTrait):
        yield "text", quoted(trait.text)
        return
    has_piece = isinstance(trait, PlaceMarker) and (trait.definition or "").startswith(ADD)
    for name, text in fields(trait):
        if not (has_piece and name == "definition"):
            yield name, text


def _marker_lines(trait: PlaceMarker, indent: str, clean: Clean, depth: int) -> Iterator[str]:
    """The piece that a trait places, if its definition is in the trait."""
    try:
        piece = definition_in(trait, depth)
    except FormatError as error:
        yield f"{indent}(broken: {wrong(error.problem)})"
        yield f"{indent}{quoted(trait.definition or '')}"
        return
    if piece is not None:
        yield from piece_lines(piece, indent, clean, depth)


def _state_fields(trait: Trait, state: State, clean: Clean) -> Iterator[tuple[str, str]]:
    """The state of a trait, without fields that are as in a new one."""
    if isinstance(state, RawState):
        if state.text:
            yield "state", quoted(clean(state.text))
        return
    yield from fields(state, shown if _is_of_sides(trait) else nameless)


def _is_of_sides(trait: Trait) -> bool:
    """Whether a trait's owners are sides, not players."""
    access = getattr(trait, "access", None)
    return isinstance(access, Access) and access.owner is not Owner.PLAYER


def change_lines(new: Piece, old: Piece, indent: str, clean: Clean) -> Iterator[str]:
    """The differences between two states of a piece with the same traits."""
    pairs = zip(new.pairs(), old.pairs(), strict=True)
    for (trait, after), (_, before) in reversed(list(pairs)):
        if after == before:
            continue
        name = getattr(trait, "name", "")
        label = f" {quoted(name)}" if isinstance(name, str) and name else ""
        if isinstance(after, RawState) or isinstance(before, RawState):
            states = (("from", before), ("to", after))
            parts = [(word, _on_one_line(trait, state, clean)) for word, state in states]
        else:
            secret = shown if _is_of_sides(trait) else nameless
            parts = list(_changed_fields(after, before, secret))
        yield from lines(type(trait).__name__ + label, parts, indent)


def _changed_fields(
    after: State, before: State, secret: Callable[[object], str]
) -> Iterator[tuple[str, str]]:
    for one in attrs.fields(type(after)):
        new, old = getattr(after, one.name), getattr(before, one.name)
        if one.eq and new != old:
            render = shown if one.repr else secret
            yield one.name, f"{render(old)} → {render(new)}"


def _on_one_line(trait: Trait, state: State, clean: Clean) -> str:
    parts = _state_fields(trait, state, clean)
    return " ".join(f"{name} {text}" for name, text in parts) or "nothing"
