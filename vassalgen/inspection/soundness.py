"""Errors of single components and traits: invalid values, unknown kinds, missing files."""

from __future__ import annotations

from collections.abc import Iterator

from vassalgen.inspection.facts import FindingKind
from vassalgen.inspection.findings import Gathering
from vassalgen.inspection.survey import Survey
from vassalgen.vassal import buildfile
from vassalgen.vassal.components import (
    BrowserHelpFile,
    BrowserPDFFile,
    Component,
    DoActionButton,
    Element,
    HelpFile,
    HtmlChart,
    PieceSlot,
    is_own,
)
from vassalgen.vassal.components.attribute import attributes_of
from vassalgen.vassal.traits import UnknownTrait, code_of
from vassalgen.vassal.traits.place_marker import PlaceMarker
from vassalgen.vassal.traits.play_sound import PlaySound

_MOST_FOLLOWED = 1000
"""How many paths to slots are followed step by step; no genuine module has that many wrong ones."""


def check_components(survey: Survey, findings: Gathering, *, whole: bool) -> None:
    """Find parts of components that VASSAL cannot read or does not know, and files that are missing.

    ``whole`` is false for an extension, whose module may have the files.
    """
    _check_values(survey.root, "", findings)
    own = {name.removesuffix(".class").replace("/", ".") for name in survey.archive.names}
    for part in survey.parts:
        if isinstance(part.component, Element) or is_own(part.component):
            tag = part.path[-1].tag
            right = "a class of the module's own" if tag in own else ""
            findings.add(FindingKind.UNKNOWN_CLASS, tag, part.place, right=right, serious=False)
        if isinstance(part.component, Element):
            continue
        if _faults(part.component):
            _check_values(part.component, part.place, findings)
        for file in _files(part.component) if whole else ():
            if file not in survey.archive:
                findings.add(FindingKind.MISSING_FILE, file, part.place)


def _check_values(component: Component, place: str, findings: Gathering) -> None:
    for kind, what, right in _faults(component):
        findings.add(kind, what, place, right=right, serious=kind is FindingKind.BAD_VALUE)


def _faults(component: Component) -> list[tuple[FindingKind, str, str]]:
    """Attributes for which VASSAL drops a component, and words that VASSAL does not know."""
    known = attributes_of(type(component))
    found = []
    for xml, text in component.written or ():
        attribute = known.get(xml)
        if attribute is None or not attribute.fault(text):
            continue
        is_word = bool(attribute.words) and attribute.codec.encode(attribute.read(text)) == text
        kind = FindingKind.UNKNOWN_WORD if is_word else FindingKind.BAD_VALUE
        found.append((kind, f'{xml}="{text}"', attribute.right))
    return found


def _files(component: Component) -> Iterator[str]:
    """The entries that a component displays or plays."""
    match component:
        case HtmlChart(file_name=name) | HelpFile(file_name=name, file_type="archive") if name:
            yield name
        case BrowserHelpFile(contents=name) if name:
            yield f"help/{name}"
        case BrowserPDFFile(pdf_file=name) if name:
            yield name
        case DoActionButton(do_sound=True, sound_clip=name) if _is_file(name):
            yield f"sounds/{name}"


def _is_file(name: str) -> bool:
    """Whether a sound is a plain file name: not a format, and not one of VASSAL's own sounds."""
    return bool(name) and "$" not in name and not name.startswith(("{", "/"))


def check_traits(survey: Survey, findings: Gathering, *, whole: bool) -> None:
    """Find traits that VASSAL does not know, missing sounds, and slots that do not exist."""
    slots: set[str] | None = None
    followed = 0
    for found in survey.definitions:
        for trait in found.piece.traits:
            match trait:
                case UnknownTrait():
                    code = code_of(trait.text)[:40]
                    findings.add(FindingKind.UNKNOWN_TRAIT, code, found.place, serious=False)
                case PlaySound(clip=clip) if whole and _is_file(clip):
                    if f"sounds/{clip}" not in survey.archive:
                        findings.add(FindingKind.MISSING_FILE, f"sounds/{clip}", found.place)
                case PlaceMarker(definition=str(target)) if whole and target.startswith("VASSAL."):
                    slots = _slots(survey) if slots is None else slots
                    if target in slots or followed >= _MOST_FOLLOWED:
                        continue
                    followed += 1
                    if buildfile.follow(survey.root, target) is None:
                        findings.add(FindingKind.MISSING_PIECE, target, found.place)


def _slots(survey: Survey) -> set[str]:
    """The paths of all slots, as traits name them."""
    return {buildfile.target_of(part.path) for _, part in survey.all(PieceSlot)}
