"""A module or extension read once: all its components, and all definitions of pieces in them."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TypeVar

from attrs import frozen

from vassalgen.inspection.facts import Finding, FindingKind
from vassalgen.inspection.reading import wrong
from vassalgen.problems import FormatError
from vassalgen.vassal import buildfile
from vassalgen.vassal.archives import Archive
from vassalgen.vassal.components import (
    CardSlot,
    Component,
    Element,
    GameModule,
    ModuleExtension,
    Node,
    PieceSlot,
    PrototypeDefinition,
    class_of,
)
from vassalgen.vassal.components import decode as decode_component
from vassalgen.vassal.pieces import ADD, Piece, from_slot_text
from vassalgen.vassal.traits.base import Trait
from vassalgen.vassal.traits.place_marker import PlaceMarker

C = TypeVar("C", bound=Component)

MOST_NESTED = 20
"""Definitions nested more deeply than this are not inspected; genuine ones stay below five."""


@frozen
class Part:
    """A component, or an unknown element, and its place in the build file."""

    component: Node
    path: tuple[Element, ...]
    number: int
    """Its index among all parts, which are in the order of the file."""

    @property
    def place(self) -> str:
        """The path for people: ``Map "Main Map" > SetupStack "Blue hill"``."""
        return " > ".join(map(buildfile.step_of, self.path))


class Origin(StrEnum):
    """The place of a definition of a piece."""

    SLOT = "slot"
    CARD = "card"
    PROTOTYPE = "prototype"
    MARKER = "marker"


@frozen
class Definition:
    """The definition of a piece. ``inside`` are the traits through which it was found, outermost first."""

    origin: Origin
    part: Part
    piece: Piece
    inside: tuple[PlaceMarker, ...] = ()

    @property
    def place(self) -> str:
        """Its place, for messages."""
        steps = (f'{type(trait).__name__} "{trait.text}"' for trait in self.inside)
        return " > ".join((self.part.place, *steps))


@frozen
class Survey:
    """Everything in a module or extension. ``faults`` are definitions that cannot be read."""

    archive: Archive
    root: Component
    parts: tuple[Part, ...]
    definitions: tuple[Definition, ...]
    faults: tuple[Finding, ...]

    def all(self, kind: type[C]) -> Iterator[tuple[C, Part]]:
        """Every component of a class, with its place."""
        for part in self.parts:
            if isinstance(part.component, kind):
                yield part.component, part

    def below(self, above: Part) -> Iterator[Part]:
        """Every part inside another one, in the order of the file."""
        for number in range(above.number + 1, len(self.parts)):
            part = self.parts[number]
            if len(part.path) <= len(above.path):
                return
            yield part


def root_of(archive: Archive) -> Element:
    """The root element of a module or extension. Raises :exc:`FormatError` if there is none."""
    element = buildfile.read_from(archive)
    root = class_of(element.tag)
    if root is None or not issubclass(root, GameModule | ModuleExtension):
        raise archive.within(
            FormatError(f"the root element is {element.tag}", GameModule.JAVA), archive.build_file
        )
    return element


def survey(archive: Archive) -> Survey:
    """Read a module or extension.

    Raises :exc:`FormatError` if it has no build file, or not that of a module.
    """
    element = root_of(archive)
    kind = class_of(element.tag) or GameModule
    root = kind.from_element(element)
    parts = tuple(
        Part(decode_component(path[-1]), path, number) for number, path in enumerate(buildfile.walk(element))
    )
    faults: list[Finding] = []
    definitions = tuple(_definitions(parts, faults))
    return Survey(archive, root, parts, definitions, tuple(faults))


def _definitions(parts: tuple[Part, ...], faults: list[Finding]) -> Iterator[Definition]:
    for part in parts:
        match part.component:
            case CardSlot(content=text):
                origin = Origin.CARD
            case PieceSlot(content=text):
                origin = Origin.SLOT
            case PrototypeDefinition(content=text):
                origin = Origin.PROTOTYPE
            case _:
                continue
        if not text:
            continue
        try:
            found = Definition(origin, part, from_slot_text(text))
        except FormatError as error:
            faults.append(_broken(error, part.place))
            continue
        yield found
        yield from _nested(found, faults)


def _nested(outer: Definition, faults: list[Finding]) -> Iterator[Definition]:
    """The definitions nested in the traits of a definition, at any depth."""
    waiting = [outer]
    while waiting:
        around = waiting.pop()
        for trait in markers(around.piece.traits):
            inside = (*around.inside, trait)
            try:
                piece = definition_in(trait, len(inside))
            except FormatError as error:
                steps = (f'{type(one).__name__} "{one.text}"' for one in inside)
                faults.append(_broken(error, " > ".join((outer.part.place, *steps))))
                continue
            if piece is not None:
                found = Definition(Origin.MARKER, outer.part, piece, inside)
                yield found
                waiting.append(found)


def markers(traits: tuple[Trait, ...]) -> list[PlaceMarker]:
    """The traits that place other pieces."""
    return [trait for trait in traits if isinstance(trait, PlaceMarker)]


def definition_in(trait: PlaceMarker, depth: int) -> Piece | None:
    """The piece whose definition a trait contains; None if it names a slot of the module, or nothing."""
    if trait.definition is None or not trait.definition.startswith(ADD):
        return None
    if depth > MOST_NESTED:
        raise FormatError(f"definitions are nested more than {MOST_NESTED} deep")
    return from_slot_text(trait.definition)


def _broken(error: FormatError, place: str) -> Finding:
    return Finding(FindingKind.BROKEN_PIECE, wrong(error.problem), (place,), error.problem.right)
