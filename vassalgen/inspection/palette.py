"""The pieces that players can use: the windows of the palette, their tabs, and the slots in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vassalgen.inspection.facts import PaletteFacts, PieceFacts
from vassalgen.inspection.survey import Definition, Origin, Part, Survey
from vassalgen.vassal import sequences
from vassalgen.vassal.components import (
    BoxWidget,
    Component,
    Element,
    ExtensionElement,
    ListWidget,
    PanelWidget,
    PieceSlot,
    PieceWindow,
    TabWidget,
)
from vassalgen.vassal.components import decode as decode_component
from vassalgen.vassal.traits.use_prototype import UsePrototype

_KINDS: dict[type[Component], str] = {
    PieceWindow: "window",
    TabWidget: "tabs",
    ListWidget: "list",
    BoxWidget: "drop-down",
    PanelWidget: "panel",
    ExtensionElement: "extension",
}


def palette_of(survey: Survey) -> tuple[PaletteFacts, ...]:
    """The windows of pieces; for an extension also its additions to those of its module."""
    pieces = {id(found.part.path[-1]): found for found in survey.definitions if found.origin is Origin.SLOT}
    found = []
    for part in _tops(survey):
        facts = _part(part.path[-1], pieces)
        if facts is not None and facts.count:
            found.append(facts)
    return tuple(found)


def _tops(survey: Survey) -> Iterator[Part]:
    tags = {PieceWindow.JAVA, ExtensionElement.JAVA}
    for part in survey.parts:
        if part.path[-1].tag in tags and not any(above.tag in tags for above in part.path[:-1]):
            yield part


def _part(element: Element, pieces: dict[int, Definition]) -> PaletteFacts | None:
    """A window or a part of one; None for anything else."""
    component = decode_component(element)
    if not isinstance(component, Component) or type(component) not in _KINDS:
        return None
    found = list(_slots(element, pieces))
    parts = [part for child in element.children if (part := _part(child, pieces)) is not None]
    count = len(found) + sum(part.count for part in parts)
    name = target_name(component) if isinstance(component, ExtensionElement) else component.label
    return PaletteFacts(name, _KINDS[type(component)], count, tuple(found), tuple(parts))


def _slots(element: Element, pieces: dict[int, Definition]) -> Iterator[PieceFacts]:
    for child in element.children:
        slot = decode_component(child)
        if isinstance(slot, PieceSlot):
            definition = pieces.get(id(child))
            uses = prototypes_in(definition) if definition else ()
            name = slot.name or (definition.piece.name if definition else "")
            yield PieceFacts(name, slot.gpid, tuple(uses))


def prototypes_in(definition: Definition) -> Iterable[str]:
    """The names of the prototypes that a definition uses, outermost first."""
    return (trait.name for trait in definition.piece.traits if isinstance(trait, UsePrototype))


def target_name(component: ExtensionElement) -> str:
    """The name of the part of the module to which an extension adds, or its kind; empty for the module."""
    if not component.target:
        return ""
    step = sequences.decode(sequences.decode(component.target, "/")[-1], ":")
    return step[1] if len(step) > 1 else step[0].rpartition(".")[2]
